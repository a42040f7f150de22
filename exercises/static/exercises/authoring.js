// Writing an exercise or a lesson: files as tabs, editors, problems beside their lines, a live preview, saving without
// leaving the page. The page works without any of it.
const form = document.getElementById("author-form");
const fields = [...form.querySelectorAll("textarea[data-language]")];
const mayChange = form.hasAttribute("data-may-change");
const saved = document.getElementById("saved");
const views = new Map();
let editor = null;

function say(sentence) {
  document.dispatchEvent(new CustomEvent("announce", { detail: sentence }));
}

// --- tabs ----------------------------------------------------------------------------------------------------------

const tabs = [...form.querySelectorAll("[data-files] .tab")];

function bodyOf(tab) {
  return document.getElementById(tab.hash.slice(1));
}

function showTab(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    bodyOf(tab).hidden = !isChosen;
  }
  const field = bodyOf(chosen).querySelector("textarea[data-language]");
  if (field) mount(field);
}

function onTabKey(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const edge = { Home: 0, End: tabs.length - 1 }[event.key];
  if (step === undefined && edge === undefined) return;
  event.preventDefault();
  const next = tabs[edge ?? (tabs.indexOf(event.currentTarget) + step + tabs.length) % tabs.length];
  next.focus();
  choose(next);
}

function choose(tab) {
  showTab(tab);
  window.history.replaceState(null, "", tab.hash);
}

function makeTabs() {
  const list = form.querySelector("[data-files]");
  list.setAttribute("role", "tablist");
  for (const tab of tabs) {
    const body = bodyOf(tab);
    tab.setAttribute("role", "tab");
    tab.id = `tab-${body.id}`;
    tab.setAttribute("aria-controls", body.id);
    body.setAttribute("role", "tabpanel");
    body.setAttribute("aria-labelledby", tab.id);
    body.removeAttribute("aria-label");
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      choose(tab);
    });
    tab.addEventListener("keydown", onTabKey);
  }
}

function tabOf(anchor) {
  return tabs.find((tab) => tab.hash === `#${anchor}`);
}

// --- editors -------------------------------------------------------------------------------------------------------

function isPlain() {
  return Boolean(localStorage.getItem("plain-editor"));
}

async function mount(field) {
  if (isPlain() || field.readOnly || views.has(field)) return;
  views.set(field, null);
  editor ??= await import(document.documentElement.dataset.editor);
  if (isPlain()) {
    views.delete(field);
    return;
  }
  views.set(field, editor.openEditor(field));
  markProblems(field);
}

function unmountAll() {
  for (const [field, view] of views) {
    if (view) editor.closeEditor(view, field);
  }
  views.clear();
}

function togglePlain(button) {
  const plain = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(plain));
  localStorage.setItem("plain-editor", plain ? "1" : "");
  if (plain) unmountAll();
  else mountShown();
}

function mountShown() {
  for (const field of fields) {
    if (!field.closest("[hidden]")) mount(field);
  }
}

async function goToLine(anchor, line) {
  const tab = tabOf(anchor);
  if (tab) choose(tab);
  const field = document.getElementById(anchor)?.querySelector("textarea[data-language]");
  if (!field) return;
  await mount(field);
  const view = views.get(field);
  if (view) {
    editor.goToLine(view, line || 1);
    return;
  }
  const starts = field.value.split("\n").slice(0, Math.max(line - 1, 0));
  const place = starts.join("\n").length + (starts.length ? 1 : 0);
  field.focus();
  field.setSelectionRange(place, place);
}

// --- problems ------------------------------------------------------------------------------------------------------

let problems = [...document.querySelectorAll("#problems [data-anchor]")].map((link) => ({
  anchor: link.dataset.anchor,
  line: Number(link.dataset.line) || null,
  message: link.textContent,
  text: link.textContent,
}));

function anchorOf(problem) {
  return problem.anchor ?? "file-lesson";
}

function markProblems(field) {
  const view = views.get(field);
  if (!view) return;
  const anchor = field.closest(".file-body").id;
  editor.markLines(
    view,
    problems.filter((problem) => anchorOf(problem) === anchor && problem.line),
  );
}

function problemItem(problem) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `#${anchorOf(problem)}`;
  link.dataset.anchor = anchorOf(problem);
  link.dataset.line = problem.line ?? "";
  link.textContent = problem.text;
  item.append(link);
  return item;
}

function showProblems(found) {
  problems = found;
  document.querySelector("[data-problems]").replaceChildren(...found.map(problemItem));
  document.querySelector("[data-no-problems]").hidden = found.length > 0;
  for (const count of form.querySelectorAll("[data-count-of]")) {
    const number = found.filter((problem) => anchorOf(problem) === count.dataset.countOf).length;
    count.textContent = number || "";
  }
  for (const field of fields) markProblems(field);
}

// --- preview -------------------------------------------------------------------------------------------------------

const PREVIEW_MS = 500;
const preview = document.getElementById("preview");
const previewState = document.getElementById("preview-state");
let previewTimer = 0;
let asked = 0;

async function post(address, options = {}) {
  const headers = { "HX-Request": "true", "X-CSRFToken": form.querySelector("[name=csrfmiddlewaretoken]").value };
  return fetch(address, { method: "POST", body: textsOnly(), headers, ...options });
}

// Uploads go with their own button, by the form itself.
function textsOnly() {
  const data = new FormData(form);
  data.delete("upload");
  return data;
}

async function refreshPreview() {
  const number = ++asked;
  let told = null;
  try {
    const reply = await post(form.dataset.previewUrl);
    if (!reply.ok) return;
    told = await reply.json();
  } catch {
    return;
  }
  if (number !== asked) return;
  showProblems(told.problems);
  previewState.textContent = told.problems.length ? preview.dataset.behind : "";
  if (!told.html) return;
  preview.innerHTML = told.html;
  window.htmx.process(preview);
}

function soon() {
  window.clearTimeout(previewTimer);
  previewTimer = window.setTimeout(refreshPreview, PREVIEW_MS);
}

// --- saving --------------------------------------------------------------------------------------------------------

let isUnsaved = form.hasAttribute("data-unsaved");
let changes = 0;

function showSaved(word, at) {
  const time = at ? ` ${new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(at))}` : "";
  saved.textContent = word + time;
}

function onChange() {
  if (!mayChange) return;
  changes += 1;
  isUnsaved = true;
  showSaved(saved.dataset.unsavedWord);
  soon();
}

async function save() {
  const before = changes;
  showSaved(saved.dataset.savingWord);
  let reply = null;
  try {
    // Not form.action: its buttons have that name.
    reply = await post(form.getAttribute("action"));
  } catch {
    showSaved(saved.dataset.failedWord);
    return false;
  }
  const told = reply.headers.get("Content-Type")?.includes("json") ? await reply.json() : {};
  if (reply.ok) {
    taken(told, before);
    return true;
  }
  refused(reply.status, told);
  return false;
}

function taken(told, before) {
  if (told.revision) form.elements.based_on.value = told.revision;
  if (told.seen) form.elements.seen.value = told.seen;
  form.elements.opened?.remove();
  isUnsaved = changes !== before;
  showSaved(isUnsaved ? saved.dataset.unsavedWord : saved.dataset.savedWord, isUnsaved ? null : (told.saved_at ?? new Date()));
  const number = document.getElementById("head-number");
  if (number && told.revision) number.textContent = number.textContent.replace(/\d+/, told.revision);
  showProblems(told.problems);
  say(saved.textContent);
}

function refused(status, told) {
  showSaved(status === 401 ? saved.dataset.signedOutWord : told.message ? saved.dataset.unsavedWord : saved.dataset.failedWord);
  if (told.problems) showProblems(told.problems);
  if (!told.message) return;
  const notice = document.getElementById("stale");
  notice.querySelector("[data-stale-message]").textContent = told.message;
  const link = notice.querySelector("[data-stale-link]");
  if (link) {
    link.hidden = !told.url;
    if (told.url) link.href = told.url;
    // What was written is kept on the server by now.
    if (told.url) isUnsaved = false;
  }
  notice.hidden = false;
}

// --- wiring --------------------------------------------------------------------------------------------------------

function onSubmit(event) {
  const action = event.submitter?.value;
  const removes = form.querySelector("[name=remove]:checked");
  // What adds or removes a file changes the tabs: the page comes anew.
  if ((action && action !== "save") || removes) {
    isUnsaved = false;
    return;
  }
  event.preventDefault();
  save();
}

function onKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  event.stopPropagation();
  if (mayChange) form.querySelector("[data-save]").click();
}

async function onAfterSave(event) {
  if (!isUnsaved) return;
  event.preventDefault();
  if (await save()) event.target.submit();
}

if (tabs.length) {
  makeTabs();
  showTab(tabOf(window.location.hash.slice(1)) ?? tabs[0]);
} else {
  mountShown();
}
const line = Number(new URLSearchParams(window.location.search).get("line"));
if (line && window.location.hash) goToLine(window.location.hash.slice(1), line);
const plain = form.querySelector("[data-plain]");
plain.hidden = !mayChange;
plain.setAttribute("aria-pressed", String(isPlain()));
plain.addEventListener("click", () => togglePlain(plain));
form.addEventListener("input", (event) => {
  if (event.target.matches("textarea[data-language]")) onChange();
});
form.addEventListener("submit", onSubmit);
document.addEventListener("keydown", onKey, true);
document.addEventListener("click", (event) => {
  const link = event.target.closest("#problems [data-anchor]");
  if (!link) return;
  event.preventDefault();
  goToLine(link.dataset.anchor, Number(link.dataset.line));
});
for (const other of document.querySelectorAll("form[data-after-save]")) other.addEventListener("submit", onAfterSave);
window.addEventListener("beforeunload", (event) => {
  if (isUnsaved) event.preventDefault();
});
if (/Mac|iPhone|iPad/.test(navigator.platform)) {
  for (const kbd of form.querySelectorAll("kbd[data-chord]")) kbd.textContent = kbd.textContent.replace("Ctrl", "⌘");
}
