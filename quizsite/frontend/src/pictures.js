// Pictures of tensors: sliders through their slices, and the value under the pointer. Without this the first slices
// stand below each other and the numbers are in tables.

// Pictures that stand side by side and have the same slices move together: what is compared is the same place.
function linked(planes) {
  const group = planes.closest("[data-linked]");
  if (!group) return [planes];
  return [...group.querySelectorAll("[data-planes]")].filter((other) => other.dataset.sizes === planes.dataset.sizes);
}

function show(planes, key) {
  for (const plane of planes.querySelectorAll(":scope > .plane")) {
    plane.hidden = plane.dataset.key !== key;
    plane.classList.remove("other");
  }
}

function slider(name, size, start) {
  const label = document.createElement("label");
  const word = document.createElement("span");
  const input = document.createElement("input");
  const output = document.createElement("output");
  word.textContent = name;
  Object.assign(input, { type: "range", min: "0", max: String(size - 1), step: "1", value: start });
  output.textContent = start;
  label.append(word, input, output);
  // An axis of one place needs no slider, and is still part of the place.
  label.hidden = size === 1;
  return label;
}

function makeSteps(planes) {
  const together = linked(planes);
  if (together.some((other) => other.hasAttribute("data-stepped"))) return;
  const names = planes.dataset.names.split(",");
  const starts = planes.dataset.start.split(",");
  const steps = document.createElement("div");
  steps.className = "steps";
  planes.dataset.sizes.split(",").forEach((size, axis) => {
    steps.append(slider(names[axis] || `${planes.dataset.word} ${axis}`, Number(size), starts[axis]));
  });
  steps.addEventListener("input", () => {
    const places = [...steps.querySelectorAll("input")].map((input) => input.value);
    steps.querySelectorAll("output").forEach((output, axis) => {
      output.textContent = places[axis];
    });
    for (const other of together) show(other, places.join(","));
  });
  for (const other of together) {
    other.setAttribute("data-stepped", "");
    show(other, planes.dataset.start);
  }
  const first = planes.closest("[data-picture]");
  if (together.length > 1) first.before(steps);
  else planes.prepend(steps);
}

// --- the value under the pointer -----------------------------------------------------------------------------------

function readout(figure) {
  let line = figure.querySelector(".readout");
  if (!line) {
    line = document.createElement("p");
    line.className = "readout";
    line.setAttribute("aria-hidden", "true");
    figure.append(line);
  }
  return line;
}

function tableOf(drawing) {
  const figure = drawing.closest("[data-picture]");
  const around = figure.closest("[data-pictures]");
  if (!around) return null;
  const name = figure.dataset.picture;
  const key = drawing.closest(".plane").dataset.key;
  return around.querySelector(`.numbers[data-picture="${CSS.escape(name)}"][data-key="${key}"]`);
}

function onPoint(event) {
  const drawing = event.target.closest?.(".drawing");
  if (!drawing) return;
  const table = tableOf(drawing);
  if (!table) return;
  const box = drawing.getBoundingClientRect();
  const { left, top, cellWidth, cellHeight } = drawing.dataset;
  const column = Math.floor((event.clientX - box.left - left) / cellWidth);
  const row = Math.floor((event.clientY - box.top - top) / cellHeight);
  const line = table.tBodies[0].rows[row];
  const cell = column >= 0 ? line?.cells[column + 1] : null;
  const place = [drawing.closest(".plane").dataset.key, line?.cells[0].textContent, table.tHead.rows[0].cells[column + 1]?.textContent];
  readout(drawing.closest("[data-picture]")).textContent = cell
    ? `[${place.filter(Boolean).join(", ").replaceAll(",", ", ").replaceAll("  ", " ")}]  ${cell.textContent}`
    : "";
}

function arrived(root) {
  for (const planes of root.querySelectorAll("[data-planes]")) makeSteps(planes);
}

document.addEventListener("htmx:load", (event) => arrived(event.detail.elt));
document.addEventListener("pointermove", onPoint);
document.addEventListener("pointerdown", onPoint);
