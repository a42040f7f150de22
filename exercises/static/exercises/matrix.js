// The matrix by keyboard: one cell is a stop of the Tab key, arrow keys go on from it. Without this every cell is a stop.
const table = document.querySelector("[data-matrix]");

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function cellsOf(row) {
  return [...row.querySelectorAll(".cell a")];
}

function focusOn(link, from) {
  if (!link) return;
  from.tabIndex = -1;
  link.tabIndex = 0;
  link.focus();
}

function targetOf(event, rows, row, column) {
  const step = STEPS[event.key];
  if (step) return cellsOf(rows[row + step[0]] ?? rows[row])[column + step[1]];
  const cells = cellsOf(rows[row]);
  if (event.key === "Home") return cells[0];
  return event.key === "End" ? cells.at(-1) : undefined;
}

function move(event) {
  const link = event.target.closest(".cell a");
  if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...table.tBodies[0].rows];
  const row = rows.indexOf(link.closest("tr"));
  const target = targetOf(event, rows, row, cellsOf(rows[row]).indexOf(link));
  if (!target) return;
  event.preventDefault();
  focusOn(target, link);
}

if (table) {
  const links = [...table.querySelectorAll(".cell a")];
  links.forEach((link, place) => {
    link.tabIndex = place ? -1 : 0;
  });
  table.addEventListener("keydown", move);
}
