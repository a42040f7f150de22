// Code on a phone and from elsewhere: a row of signs and buttons above the on-screen keyboard, and signs that only look
// like Python's.
let editor = null;

function say(sentence) {
  document.dispatchEvent(new CustomEvent("announce", { detail: sentence }));
}

const CODE = "textarea.code:not([data-literal]), .blanks input";
const TYPED = `${CODE}, textarea.code, textarea.explanation, .response-form input[type=text]`;

// The field that is written in: the editor stands right behind the textarea that it is for.
function fieldOf(element) {
  const mounted = element.closest?.(".cm-editor");
  const field = mounted ? mounted.previousElementSibling : element;
  return field?.matches?.(TYPED) ? field : null;
}

async function viewOf(field) {
  if (!field.nextElementSibling?.matches(".cm-editor")) return null;
  editor ??= await import(document.documentElement.dataset.editor);
  return editor.editorOf(field) ?? null;
}

// --- signs that look like Python's ---------------------------------------------------------------------------------

const GROUPS = {
  '"': "“”„‟«»″＂",
  "'": "‘’‚‛′´＇",
  "-": "–—−‐‑‒―－",
  "*": "×∗⋅·＊",
  "/": "÷∕⁄／",
  "...": "…",
  "<=": "≤",
  ">=": "≥",
  "!=": "≠",
  "(": "（",
  ")": "）",
  "[": "［【",
  "]": "］】",
  "{": "｛",
  "}": "｝",
  ":": "：",
  "=": "＝",
  ",": "，",
  ".": "．",
  "#": "＃",
  " ": "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
  "": "\u200b\u200c\u200d\u2060\ufeff\u00ad",
};
const MENDED = new Map(Object.entries(GROUPS).flatMap(([meant, signs]) => [...signs].map((sign) => [sign, meant])));
const BLANK = new Set([...GROUPS[" "], ...GROUPS[""]]);
const STRING = /[rbfu]{0,2}("""|'''|"|')/iy;

// Texts and remarks may hold any sign: what stands in them is left alone.
function endOfQuiet(text, at) {
  if (text[at] === "#") return text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
  STRING.lastIndex = at;
  const quote = STRING.exec(text)?.[1];
  if (!quote) return at;
  for (let place = STRING.lastIndex; place < text.length; place += 1) {
    if (text[place] === "\\") place += 1;
    else if (quote.length === 1 && text[place] === "\n") return place;
    else if (text.startsWith(quote, place)) return place + quote.length;
  }
  return text.length;
}

function suspectsIn(text) {
  const found = [];
  for (let at = 0, line = 1; at < text.length; ) {
    const end = /["'#rbfu]/i.test(text[at]) && !/\w/.test(text[at - 1] ?? "") ? endOfQuiet(text, at) : at;
    if (end > at) {
      line += text.slice(at, end).split("\n").length - 1;
      at = end;
      continue;
    }
    if (text[at] === "\n") line += 1;
    if (MENDED.has(text[at])) found.push({ from: at, to: at + 1, sign: text[at], line, insert: MENDED.get(text[at]) });
    at += 1;
  }
  return found;
}

const notices = new Map();
const left = new WeakMap();
const waiting = new Map();
const CHECK_MS = 400;

function noticeOf(field) {
  if (!notices.has(field)) {
    const notice = document.getElementById("lookalikes").content.firstElementChild.cloneNode(true);
    notice.querySelector("[data-mend]").addEventListener("click", () => mend(field));
    notice.querySelector("[data-leave]").addEventListener("click", () => leave(field));
    (field.closest(".work-area, .blanks, .snippet-edit") ?? field).after(notice);
    notices.set(field, notice);
  }
  return notices.get(field);
}

function inWords(found, notice) {
  const signs = [...new Set(found.map(({ sign }) => (BLANK.has(sign) ? notice.dataset.spaceWord : sign)))];
  const lines = [...new Set(found.map(({ line }) => line))];
  const word = lines.length === 1 ? notice.dataset.lineWord : notice.dataset.linesWord;
  return `${signs.join("  ")} (${word} ${lines.slice(0, 8).join(", ")}${lines.length > 8 ? ", …" : ""})`;
}

function check(field) {
  const found = suspectsIn(field.value);
  const isLeft = found.length === 0 || left.get(field) === signature(found);
  if (isLeft && !notices.has(field)) return;
  const notice = noticeOf(field);
  const wasHidden = notice.hidden;
  notice.hidden = isLeft;
  if (isLeft) return;
  notice.querySelector("[data-signs]").textContent = inWords(found, notice);
  if (wasHidden) say(notice.querySelector("p").textContent);
}

function signature(found) {
  return found.map(({ sign }) => sign).join("");
}

function leave(field) {
  left.set(field, signature(suspectsIn(field.value)));
  check(field);
  focus(field);
}

async function focus(field) {
  const view = await viewOf(field);
  (view ?? field).focus();
}

async function mend(field) {
  const found = suspectsIn(field.value);
  const view = await viewOf(field);
  if (view) {
    editor.changeText(view, found.map(({ from, to, insert }) => ({ from, to, insert })));
    view.focus();
  } else {
    const text = [...found].reverse().reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), field.value);
    field.focus();
    field.select();
    insertPlain(field, text);
  }
  check(field);
}

document.addEventListener("input", ({ target }) => {
  if (!target.matches?.(CODE)) return;
  window.clearTimeout(waiting.get(target));
  waiting.set(target, window.setTimeout(() => check(target), CHECK_MS));
});

// --- above the on-screen keyboard ----------------------------------------------------------------------------------

// What the browser itself types can be undone by its own means; setting a value cannot.
function insertPlain(field, text) {
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

async function press(field, text) {
  const view = await viewOf(field);
  if (view) {
    editor.press(view, text);
    return;
  }
  field.focus();
  if (text === null) document.execCommand("undo");
  else insertPlain(field, text === "\t" ? "    " : text);
}

function buttonsOf(field) {
  const buttons = field.form ? [...field.form.querySelectorAll("button[type=submit]")] : [];
  const run = buttons.find((button) => button.matches("[data-run]") || button.closest(".snippet-form"));
  const submit = buttons.find((button) => button.matches("[data-submit]")) ?? (run ? null : buttons[0]);
  return { run, submit };
}

function makeDock() {
  const dock = document.getElementById("typing-dock").content.firstElementChild.cloneNode(true);
  let field = null;

  const place = () => {
    const seen = window.visualViewport;
    const covered = seen ? Math.max(window.innerHeight - seen.height - seen.offsetTop, 0) : 0;
    dock.style.bottom = `${covered}px`;
  };
  const show = (now) => {
    field = now;
    const { run, submit } = buttonsOf(field);
    dock.querySelector("[data-keys-row]").hidden = !field.matches("textarea.code, .blanks input");
    dock.querySelector("[data-dock=run]").hidden = !run;
    dock.querySelector("[data-dock=submit]").hidden = !submit;
    dock.hidden = false;
    document.body.classList.add("has-dock");
    place();
  };
  const hide = () => {
    dock.hidden = true;
    document.body.classList.remove("has-dock");
  };
  // The field keeps the focus, and with it the keyboard stays.
  dock.addEventListener("pointerdown", (event) => event.target.closest("button") && event.preventDefault());
  dock.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !field) return;
    if (button.dataset.dock) {
      const pressed = buttonsOf(field)[button.dataset.dock];
      document.activeElement.blur();
      pressed?.click();
    } else press(field, button.hasAttribute("data-undo") ? null : button.dataset.type);
  });
  document.addEventListener("focusin", ({ target }) => {
    const now = fieldOf(target);
    if (now) show(now);
    else if (!dock.contains(target)) hide();
  });
  document.addEventListener("focusout", () => {
    window.setTimeout(() => {
      const { activeElement } = document;
      if (!dock.contains(activeElement) && !fieldOf(activeElement)) hide();
    }, 100);
  });
  window.visualViewport?.addEventListener("resize", place);
  window.visualViewport?.addEventListener("scroll", place);
  document.body.append(dock);
}

if (window.matchMedia("(pointer: coarse)").matches) makeDock();
for (const field of document.querySelectorAll(CODE)) check(field);
