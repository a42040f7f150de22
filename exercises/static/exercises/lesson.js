// Snippets of a lesson: a touch on the code makes it editable, and the editor is fetched only then.
const editors = new Map();
const loadEditor = () => import(document.documentElement.dataset.editor);

function parts(snippet) {
  return {
    code: snippet.querySelector(":scope > .snippet-source"),
    form: snippet.querySelector(":scope > .snippet-form"),
    fold: snippet.querySelector(".snippet-edit"),
    field: snippet.querySelector("textarea"),
    pencil: snippet.querySelector("[data-edit]"),
    reset: snippet.querySelector("[data-reset]"),
    keys: snippet.querySelector("[data-when-editing]"),
  };
}

async function edit(snippet, line) {
  const { fold, field, pencil, reset, keys } = parts(snippet);
  if (snippet.classList.contains("is-editing")) return;
  fold.open = pencil.hidden = true;
  reset.hidden = keys.hidden = false;
  snippet.classList.add("is-editing");
  const editor = await loadEditor();
  const view = editor.openEditor(field);
  editors.set(snippet, { editor, view });
  if (line) editor.goToLine(view, line);
  else view.focus();
}

function restore(snippet) {
  const { fold, field, pencil, reset, keys } = parts(snippet);
  const open = editors.get(snippet);
  if (open) open.editor.closeEditor(open.view, field);
  editors.delete(snippet);
  field.value = field.defaultValue;
  fold.open = pencil.hidden = false;
  reset.hidden = keys.hidden = true;
  snippet.classList.remove("is-editing");
  pencil.focus();
}

function showErrorLines(snippet) {
  const links = [...snippet.querySelectorAll("[data-line]")];
  const open = editors.get(snippet);
  if (open) open.editor.markLines(open.view, links.map(({ dataset }) => ({ line: Number(dataset.line), message: dataset.message })));
}

for (const snippet of document.querySelectorAll(".lesson .snippet")) {
  const { code, form, field, pencil, reset } = parts(snippet);
  if (!form || !field) continue;
  pencil.hidden = false;
  pencil.addEventListener("click", () => edit(snippet));
  code.addEventListener("click", () => {
    if (String(window.getSelection()) === "") edit(snippet);
  });
  reset.addEventListener("click", () => restore(snippet));
  snippet.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      form.requestSubmit();
    },
    true,
  );
  snippet.addEventListener("htmx:load", () => showErrorLines(snippet));
  snippet.addEventListener("click", (event) => {
    const link = event.target.closest("[data-line]");
    if (!link) return;
    event.preventDefault();
    const open = editors.get(snippet);
    if (open) open.editor.goToLine(open.view, Number(link.dataset.line));
    else edit(snippet, Number(link.dataset.line));
  });
}

// The section being read is marked in the contents.
const links = new Map([...document.querySelectorAll(".contents-side a")].map((link) => [link.hash.slice(1), link]));
const headings = [...document.querySelectorAll(".lesson :is(h2, h3)[id]")];

function markSection() {
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 140);
  const now = passed.at(-1)?.id;
  for (const [id, link] of links) {
    if (id === now) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

if (links.size) {
  document.addEventListener("scroll", () => window.requestAnimationFrame(markSection), { passive: true });
  markSection();
}

// On paper nothing can be unfolded any more.
window.addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("main details:not(.no-print, .snippet-edit)")) fold.open = true;
});

const printing = document.querySelector("[data-print]");
if (printing) {
  printing.hidden = false;
  printing.addEventListener("click", () => window.print());
}
