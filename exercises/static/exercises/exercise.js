// The workbench: tabs, splitter, editor, keys, drafts. The page works without any of it.
const form = document.getElementById("work");
const field = document.getElementById("source");
let editor = null;
let view = null;

function say(sentence) {
  document.dispatchEvent(new CustomEvent("announce", { detail: sentence }));
}

// --- tabs ----------------------------------------------------------------------------------------------------------

function showTab(tabs, chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.hash.slice(1)).hidden = !isChosen;
  }
}

function onTabKey(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const edge = { Home: 0, End: tabs.length - 1 }[event.key];
  if (step === undefined && edge === undefined) return;
  event.preventDefault();
  const next = edge ?? (tabs.indexOf(event.currentTarget) + step + tabs.length) % tabs.length;
  tabs[next].focus();
  showTab(tabs, tabs[next]);
}

for (const list of document.querySelectorAll("[data-tabs]")) {
  const tabs = [...list.querySelectorAll(".tab")];
  list.setAttribute("role", "tablist");
  for (const tab of tabs) {
    const body = document.getElementById(tab.hash.slice(1));
    tab.setAttribute("role", "tab");
    tab.id = `tab-${body.id}`;
    tab.setAttribute("aria-controls", body.id);
    body.setAttribute("role", "tabpanel");
    body.setAttribute("aria-labelledby", tab.id);
    body.removeAttribute("aria-label");
    body.classList.add("tabbed");
    body.tabIndex = 0;
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      showTab(tabs, tab);
    });
    tab.addEventListener("keydown", (event) => onTabKey(event, tabs));
  }
  showTab(tabs, tabs.find((tab) => tab.hash === location.hash) ?? tabs[0]);
}

// --- splitter ------------------------------------------------------------------------------------------------------

const SHARE = { least: 20, most: 70, step: 2, start: 40 };

function setShare(bench, splitter, share) {
  const kept = Math.round(Math.min(Math.max(share, SHARE.least), SHARE.most));
  bench.style.setProperty("--text-share", `${kept}%`);
  splitter.setAttribute("aria-valuenow", String(kept));
  localStorage.setItem("text-share", String(kept));
}

function makeSplitter(bench, splitter) {
  splitter.hidden = false;
  setShare(bench, splitter, Number(localStorage.getItem("text-share")) || SHARE.start);
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  splitter.addEventListener("pointermove", (event) => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    const box = bench.getBoundingClientRect();
    setShare(bench, splitter, ((event.clientX - box.left) / box.width) * 100);
  });
  splitter.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -SHARE.step, ArrowRight: SHARE.step }[event.key];
    if (!step) return;
    event.preventDefault();
    setShare(bench, splitter, Number(splitter.getAttribute("aria-valuenow")) + step);
  });
}

const splitter = document.querySelector(".splitter");
if (splitter) makeSplitter(splitter.closest("[data-workbench]"), splitter);

// --- drafts --------------------------------------------------------------------------------------------------------
// At once in the browser, on the server when idle, at most every few seconds and on leaving. A revision tells the
// server which draft this page has seen; where another tab saved since, the page asks instead of overwriting.

const IDLE_MS = 1200;
const APART_MS = 15_000;
const draft = {
  key: `draft:${document.documentElement.dataset.person}:${form?.dataset.draftUrl ?? form?.dataset.localDraft ?? ""}`,
  revision: Number(form?.dataset.revision ?? 0),
  saved: field?.value ?? "",
  timer: 0,
  savedAt: 0,
  isSaving: false,
  isHeld: false,
};
const saved = document.getElementById("saved");

function showSaved(word, at) {
  if (!saved) return;
  const time = at ? ` ${new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(at))}` : "";
  saved.textContent = word + time;
}

function setText(text) {
  field.value = text;
  if (view) editor.replaceText(view, text);
  else field.dispatchEvent(new Event("input", { bubbles: true }));
}

function keepLocally() {
  localStorage.setItem(draft.key, JSON.stringify({ source: field.value, revision: draft.revision }));
}

function postDraft(options = {}) {
  const version = form.elements.version?.value ?? "";
  const body = new URLSearchParams({ source: field.value, revision: String(draft.revision), version });
  document.dispatchEvent(new Event("before-post"));
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  return fetch(form.dataset.draftUrl, { method: "POST", body, headers: { "X-CSRFToken": token, "HX-Request": "true" }, ...options });
}

async function askWhichDraft(reply) {
  const theirs = await reply.json();
  draft.isHeld = true;
  const notice = document.getElementById("stale");
  notice.querySelector("[data-stale-at]").textContent = new Date(theirs.saved_at).toLocaleTimeString();
  notice.querySelector("[data-take-theirs]").onclick = () => settle(theirs, theirs.source);
  notice.querySelector("[data-keep-mine]").onclick = () => keepMine(theirs);
  notice.hidden = false;
}

function settle(theirs, text) {
  document.getElementById("stale").hidden = true;
  draft.isHeld = false;
  draft.revision = theirs.revision;
  draft.saved = theirs.source;
  setText(text);
  saveDraft();
}

// Mine was set aside when it was refused: the two change places on the server, so that theirs can be put back.
async function keepMine(theirs) {
  document.dispatchEvent(new Event("before-post"));
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "X-CSRFToken": token, "HX-Request": "true" };
  const reply = await fetch(`${form.dataset.draftUrl}swap/`, { method: "POST", headers });
  if (reply.ok) settle({ ...theirs, ...(await reply.json()) }, field.value);
}

async function saveDraft() {
  window.clearTimeout(draft.timer);
  if (!form.dataset.draftUrl || draft.isHeld || draft.isSaving) return;
  if (field.value === draft.saved) return;
  const sent = field.value;
  draft.isSaving = true;
  draft.savedAt = Date.now();
  try {
    const reply = await postDraft();
    if (reply.status === 409) {
      await askWhichDraft(reply);
    } else if (reply.ok) {
      const stored = await reply.json();
      draft.revision = stored.revision;
      draft.saved = sent;
      if (field.value === sent) localStorage.removeItem(draft.key);
      if (stored.corrected) document.getElementById("corrected").hidden = false;
      showSaved(saved.dataset.savedWord, stored.saved_at);
    } else {
      showSaved(reply.status === 401 ? saved.dataset.signedOutWord : saved.dataset.failedWord);
    }
  } catch {
    showSaved(saved.dataset.failedWord);
  } finally {
    draft.isSaving = false;
    if (field.value !== draft.saved && !draft.isHeld) saveSoon();
  }
}

function saveSoon() {
  window.clearTimeout(draft.timer);
  draft.timer = window.setTimeout(saveDraft, Math.max(IDLE_MS, draft.savedAt + APART_MS - Date.now()));
}

function onInput() {
  keepLocally();
  if (!form.dataset.draftUrl || field.value === draft.saved) return;
  showSaved(saved.dataset.unsavedWord);
  saveSoon();
}

function leave() {
  if (!form.dataset.draftUrl || draft.isHeld || field.value === draft.saved) return;
  postDraft({ keepalive: true }).catch(() => {});
}

function restoreLocal() {
  const kept = JSON.parse(localStorage.getItem(draft.key) ?? "null");
  // What this browser kept is newer than the server only if the server's draft has not moved on since.
  if (!kept || kept.source === field.value) return;
  if (form.dataset.draftUrl && kept.revision !== draft.revision) return;
  field.value = kept.source;
  onInput();
}

// --- editor --------------------------------------------------------------------------------------------------------

async function mountEditor() {
  editor ??= await import(document.documentElement.dataset.editor);
  view = editor.openEditor(field);
}

function unmountEditor() {
  editor.closeEditor(view, field);
  view = null;
}

async function openWorkArea() {
  if (localStorage.getItem("plain-editor")) form.querySelector("[data-plain]").setAttribute("aria-pressed", "true");
  else await mountEditor();
  showErrorsOfPage();
}

async function togglePlain(button) {
  const isPlain = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isPlain));
  localStorage.setItem("plain-editor", isPlain ? "1" : "");
  if (isPlain) unmountEditor();
  else await mountEditor();
  showErrorsOfPage();
}

function goToLine(line) {
  if (view) {
    editor.goToLine(view, line);
    return;
  }
  const starts = field.value.split("\n").slice(0, line - 1);
  const place = starts.join("\n").length + (starts.length ? 1 : 0);
  const end = field.value.indexOf("\n", place);
  field.focus();
  // Selected, since a plain field has no other way to show which line is meant.
  field.setSelectionRange(place, end < 0 ? field.value.length : end);
  field.scrollTop = Math.max(line - 3, 0) * parseFloat(getComputedStyle(field).lineHeight);
}

// --- keys ----------------------------------------------------------------------------------------------------------

function press(selector) {
  // A click and not requestSubmit: htmx learns from clicks which button's address to take.
  form.querySelector(selector)?.click();
}

function onChord(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  const chord = key === "enter" ? (event.shiftKey ? "submit" : "run") : { "'": "run", s: "save" }[key];
  if (!chord) return;
  event.preventDefault();
  event.stopPropagation();
  if (chord === "run") press("[data-run]");
  else if (chord === "submit") press("[data-submit]");
  else saveDraft().then(() => say(saved?.textContent ?? ""));
}

// Keys pressed alone get in the way of who dictates or types by mouth: they can be switched off.
const singleKeys = document.querySelector("[data-single-keys]");

function onKey(event) {
  if (event.key !== "?" || localStorage.getItem("single-keys") === "off" || event.target.closest("input, textarea, [contenteditable=true]")) return;
  document.getElementById("keys").showModal();
}

// --- wiring --------------------------------------------------------------------------------------------------------

function wireButtons() {
  const plain = form.querySelector("[data-plain]");
  plain.hidden = false;
  plain.addEventListener("click", () => togglePlain(plain));
  const keys = form.querySelector("[data-keys]");
  keys.hidden = false;
  keys.addEventListener("click", () => document.getElementById("keys").showModal());
  singleKeys.checked = localStorage.getItem("single-keys") !== "off";
  singleKeys.addEventListener("change", () => localStorage.setItem("single-keys", singleKeys.checked ? "on" : "off"));
  const reset = form.querySelector("[data-reset]");
  reset.hidden = false;
  reset.addEventListener("click", () => {
    if (window.confirm(reset.dataset.question)) setText(document.getElementById("starter").content.textContent);
  });
  if (/Mac|iPhone|iPad/.test(navigator.platform)) {
    for (const kbd of document.querySelectorAll("kbd[data-chord]")) kbd.textContent = kbd.textContent.replace("Ctrl", "⌘");
  }
}

// What was typed until now must be saved before another text takes its place, which is what can be put back then, and
// before one signs out.
async function onSubmit(event) {
  if (!event.target.matches?.("form[data-restore], form[data-save-first]")) return;
  event.preventDefault();
  await saveDraft();
  if (event.target.matches("form[data-restore]")) localStorage.removeItem(draft.key);
  draft.saved = field.value;
  event.target.submit();
}

function errorsIn(panel) {
  const found = new Map();
  for (const { dataset } of panel.querySelectorAll("[data-line]")) found.set(dataset.line, dataset.message);
  return [...found].map(([line, message]) => ({ line: Number(line), message }));
}

function onResult(event) {
  const panel = event.detail.elt;
  if (panel.matches?.(".panel") && panel.closest("#outcome")) showErrors(panel);
}

// Marks beside the lines or, where the editor is plain, a list that leads to them.
function showErrors(panel) {
  const errors = errorsIn(panel);
  if (view) editor.markLines(view, errors);
  const list = document.getElementById("errors");
  list.hidden = Boolean(view) || errors.length === 0;
  list.replaceChildren(...errors.map(({ line, message }) => errorLink(list.dataset.wordLine, line, message)));
}

function errorLink(word, line, message) {
  const link = document.createElement("a");
  link.href = "#source";
  link.dataset.line = String(line);
  link.dataset.message = message;
  link.textContent = `${word} ${line}: ${message}`;
  return link;
}

function showErrorsOfPage() {
  const panel = document.querySelector("#outcome .panel");
  if (panel) showErrors(panel);
}

if (form) {
  wireButtons();
  restoreLocal();
  openWorkArea();
  field.addEventListener("input", onInput);
  document.addEventListener("keydown", onChord, true);
  document.addEventListener("keydown", onKey);
  document.addEventListener("htmx:load", onResult);
  document.addEventListener("visibilitychange", () => document.hidden && leave());
  window.addEventListener("pagehide", leave);
  document.addEventListener("submit", onSubmit);
  // A quiz hands in the last draft that reached the server before its end.
  document.addEventListener("clock-ending", saveDraft);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-line]");
    if (!link) return;
    event.preventDefault();
    goToLine(Number(link.dataset.line));
  });
}
