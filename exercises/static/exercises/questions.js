// Forms of questions made handier: lines moved by keys or dragged, a tensor typed into a grid. Each form works without.

function say(sentence) {
  document.dispatchEvent(new CustomEvent("announce", { detail: sentence }));
}

// Fields that a script sets say nothing by themselves: whoever keeps drafts must hear of it.
function changed(root) {
  root.dispatchEvent(new Event("change", { bubbles: true }));
}

// --- lines in order ------------------------------------------------------------------------------------------------
// The selects of the form stay what is sent; the lists only show and change them.

const MOVES = [
  ["take", "↥"],
  ["up", "↑"],
  ["down", "↓"],
  ["out", "⇤"],
  ["in", "⇥"],
  ["leave", "✕"],
];

function makeOrdering(root) {
  const used = root.querySelector("[data-used]");
  const pool = root.querySelector("[data-pool]");
  const lines = [...pool.children];
  root.querySelector("[data-answer]").hidden = false;
  for (const line of lines) {
    line.querySelector(".placing").hidden = true;
    line.querySelector(".placing").classList.add("visually-hidden");
    line.append(movesOf(root, line));
    makeDraggable(root, line);
    line.prepend(handleOf(root, line));
  }
  const placed = lines.filter((line) => placeOf(line).value);
  placed.sort((one, other) => Number(placeOf(one).value) - Number(placeOf(other).value));
  used.append(...placed);
  for (const list of [used, pool]) makeDroppable(root, list);
  refresh(root);
}

function placeOf(line) {
  return line.querySelector("[data-place]");
}

function movesOf(root, line) {
  const moves = document.createElement("span");
  moves.className = "moves";
  for (const [name, sign] of MOVES) {
    const button = document.createElement("button");
    const word = root.dataset[`word${name[0].toUpperCase()}${name.slice(1)}`];
    button.type = "button";
    button.className = "button quiet";
    button.dataset.move = name;
    button.textContent = sign;
    button.title = word;
    button.setAttribute("aria-label", `${word}: ${line.dataset.words}`);
    button.addEventListener("click", () => move(root, line, name, button));
    moves.append(button);
  }
  return moves;
}

function move(root, line, name, button) {
  const used = root.querySelector("[data-used]");
  const indent = line.querySelector("[data-indent]");
  if (name === "take") {
    indentLikeLast(used, indent);
    used.append(line);
  } else if (name === "leave") root.querySelector("[data-pool]").append(line);
  else if (name === "up") line.previousElementSibling?.before(line);
  else if (name === "down") line.nextElementSibling?.after(line);
  else indent.selectedIndex += name === "in" ? 1 : -1;
  refresh(root);
  changed(root);
  tell(root, line);
  focusAfter(line, button);
}

// A line taken over begins where an editor would put it: below the last one, or further in after a colon.
function indentLikeLast(used, indent) {
  const last = used.lastElementChild;
  if (!indent || !last) return;
  const depth = last.querySelector("[data-indent]").selectedIndex + last.dataset.words.endsWith(":");
  indent.selectedIndex = Math.min(depth, indent.options.length - 1);
}

function focusAfter(line, button) {
  const usable = [button, ...line.querySelectorAll("[data-move]")].find((one) => !one.hidden && !one.disabled);
  usable?.focus();
}

function tell(root, line) {
  const place = placeOf(line).value;
  const depth = line.querySelector("[data-indent]")?.value;
  const where = place ? `${root.dataset.wordPlace} ${place}${depth ? `, ${root.dataset.wordIn} ${depth}` : ""}` : root.dataset.wordLeft;
  say(`${line.dataset.words}: ${where}`);
}

function refresh(root) {
  const used = root.querySelector("[data-used]");
  const pool = root.querySelector("[data-pool]");
  [...used.children].forEach((line, number) => {
    placeOf(line).value = String(number + 1);
  });
  for (const line of pool.children) placeOf(line).value = "";
  for (const line of root.querySelectorAll(".line")) showMoves(line, line.parentElement === used);
  root.querySelector("[data-empty]").hidden = used.children.length > 0;
  root.querySelector("[data-pool-title]").hidden = pool.children.length === 0;
}

function showMoves(line, isUsed) {
  const indent = line.querySelector("[data-indent]");
  const depth = indent ? indent.selectedIndex : 0;
  const last = indent ? indent.options.length - 1 : 0;
  const disabled = {
    up: !line.previousElementSibling,
    down: !line.nextElementSibling,
    in: depth === last,
    out: depth === 0,
  };
  for (const button of line.querySelectorAll("[data-move]")) {
    const name = button.dataset.move;
    button.hidden = name === "take" ? isUsed : !isUsed || ((name === "in" || name === "out") && !indent);
    button.disabled = Boolean(disabled[name]);
  }
  line.className = `line depth-${isUsed ? depth : 0}`;
}

function makeDraggable(root, line) {
  line.draggable = true;
  line.addEventListener("dragstart", (event) => {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", line.dataset.words);
    line.classList.add("is-dragged");
  });
  line.addEventListener("dragend", () => refresh(root));
}

function makeDroppable(root, list) {
  const target = list.closest("[data-answer]") ?? list;
  target.addEventListener("dragover", (event) => {
    const dragged = root.querySelector(".is-dragged");
    if (!dragged) return;
    event.preventDefault();
    const below = lineBelow(list, event.clientY, dragged);
    if (below) below.before(dragged);
    else list.append(dragged);
  });
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    const dragged = root.querySelector(".is-dragged");
    refresh(root);
    changed(root);
    if (dragged) tell(root, dragged);
  });
}

// Fingers do not drag as mice do: where the line goes is marked as they move, and it goes there when they lift.
function handleOf(root, line) {
  const handle = document.createElement("span");
  handle.className = "drag-handle";
  handle.setAttribute("aria-hidden", "true");
  handle.textContent = "⠿";
  handle.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    event.preventDefault();
    line.classList.add("is-dragged");
    followFinger(root, line, event.pointerId);
  });
  return handle;
}

function followFinger(root, line, finger) {
  const end = new AbortController();
  const options = { signal: end.signal };
  let goal = null;
  const isOther = (event) => event.pointerId !== finger;
  document.addEventListener("pointermove", (event) => {
    if (isOther(event)) return;
    const { bottom } = root.querySelector("[data-answer]").getBoundingClientRect();
    const list = root.querySelector(event.clientY < bottom ? "[data-used]" : "[data-pool]");
    goal?.below?.classList.remove("is-target");
    goal = { list, below: lineBelow(list, event.clientY, line) };
    goal.below?.classList.add("is-target");
  }, options);
  document.addEventListener("pointerup", (event) => {
    if (isOther(event)) return;
    end.abort();
    if (goal?.below) goal.below.before(line);
    else goal?.list.append(line);
    refresh(root);
    changed(root);
    tell(root, line);
  }, options);
  document.addEventListener("pointercancel", (event) => {
    if (isOther(event)) return;
    end.abort();
    refresh(root);
  }, options);
}

function lineBelow(list, y, dragged) {
  return [...list.children].find((line) => {
    const box = line.getBoundingClientRect();
    return line !== dragged && y < box.top + box.height / 2;
  });
}

// --- a tensor ------------------------------------------------------------------------------------------------------
// The text is what is sent. The grid reads it when it opens, if it is a vector or a matrix, and writes it at each change.

function rowsOf(text) {
  const plain = text.trim();
  const rows = [...plain.matchAll(/\[([^[\]]*)\]/g)].map((found) => found[1]);
  const isMatrix = /^\[\s*\[[^]*\]\s*\]$/.test(plain) && !/\[\s*\[\s*\[/.test(plain);
  if (rows.length === 0 || (!isMatrix && rows.length > 1)) return null;
  return { isVector: !isMatrix, rows: rows.map((row) => row.split(",").map((entry) => entry.trim().replace("?", ""))) };
}

function makeTensor(root) {
  const text = root.querySelector("[data-literal]");
  const grid = root.querySelector("[data-grid]");
  const parts = {
    root,
    text,
    grid,
    rows: grid.querySelector("[data-rows]"),
    columns: grid.querySelector("[data-columns]"),
    vector: grid.querySelector("[data-vector]"),
    body: grid.querySelector("tbody"),
  };
  root.querySelector("[data-ways]").hidden = false;
  for (const button of root.querySelectorAll("[data-way]")) {
    button.addEventListener("click", () => showWay(parts, button.dataset.way));
  }
  for (const field of [parts.rows, parts.columns, parts.vector]) {
    field.addEventListener("input", () => {
      drawCells(parts, cellsOf(parts));
      writeText(parts);
    });
  }
  parts.body.addEventListener("input", () => writeText(parts));
}

function showWay(parts, way) {
  const found = rowsOf(parts.text.value);
  const isGrid = way === "grid" && (found !== null || parts.text.value.trim() === "");
  if (isGrid && parts.grid.hidden) openGrid(parts, found);
  parts.grid.hidden = !isGrid;
  parts.text.hidden = isGrid;
  for (const button of parts.root.querySelectorAll("[data-way]")) {
    button.setAttribute("aria-pressed", String((button.dataset.way === "grid") === isGrid));
  }
  (isGrid ? parts.body.querySelector("input") : parts.text).focus();
}

function openGrid(parts, found) {
  if (found) {
    parts.vector.checked = found.isVector;
    parts.rows.value = String(found.rows.length);
    parts.columns.value = String(Math.max(...found.rows.map((row) => row.length)));
  }
  drawCells(parts, found ? found.rows : []);
  writeText(parts);
}

function size(field) {
  return Math.min(Math.max(Math.floor(Number(field.value)) || 1, Number(field.min)), Number(field.max));
}

function cellsOf(parts) {
  return [...parts.body.rows].map((row) => [...row.querySelectorAll("input")].map((cell) => cell.value));
}

function drawCells(parts, values) {
  const height = parts.vector.checked ? 1 : size(parts.rows);
  parts.rows.disabled = parts.vector.checked;
  parts.body.replaceChildren();
  for (let row = 0; row < height; row += 1) {
    const line = parts.body.insertRow();
    for (let column = 0; column < size(parts.columns); column += 1) {
      line.insertCell().append(cellOf(parts.root, row, column, values[row]?.[column] ?? ""));
    }
  }
}

function cellOf(root, row, column, value) {
  const cell = document.createElement("input");
  cell.className = "input";
  cell.type = "text";
  cell.inputMode = "text";
  cell.autocomplete = "off";
  cell.spellcheck = false;
  cell.setAttribute("autocapitalize", "off");
  cell.setAttribute("autocorrect", "off");
  cell.maxLength = 100;
  cell.value = value;
  cell.setAttribute("aria-label", `${root.dataset.wordsRow} ${row + 1}, ${root.dataset.wordsColumn} ${column + 1}`);
  return cell;
}

function writeText(parts) {
  const rows = cellsOf(parts).map((row) => `[${row.map((entry) => entry.trim() || "?").join(", ")}]`);
  parts.text.value = parts.vector.checked ? rows[0] : `[${rows.join(",\n ")}]`;
  changed(parts.text);
}

// --- wiring --------------------------------------------------------------------------------------------------------

for (const root of document.querySelectorAll("[data-ordering]")) makeOrdering(root);
for (const root of document.querySelectorAll("[data-tensor]")) makeTensor(root);
