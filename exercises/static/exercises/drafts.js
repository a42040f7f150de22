// Drafts of questions: at once in this browser, on the server when idle, at most every 15 seconds, and on leaving. What
// stands in the fields is kept, right or not. A revision tells the server which draft this page has seen; where another
// tab saved since, the page asks instead of overwriting.

const IDLE_MS = 1200;
const APART_MS = 15_000;
const FIELDS = /^(response$|gap-|place-|indent-|pair-)/;
const HEADERS = { "HX-Request": "true" };

const drafts = [];

function fieldsOf(form) {
  const fields = new URLSearchParams([...new FormData(form)].filter(([name]) => FIELDS.test(name)));
  fields.sort();
  return fields.toString();
}

function fill(form, text) {
  const fields = new URLSearchParams(text);
  for (const control of form.elements) {
    if (!FIELDS.test(control.name)) continue;
    if (control.matches("[type=radio], [type=checkbox]")) control.checked = fields.getAll(control.name).includes(control.value);
    else control.value = fields.get(control.name) ?? "";
  }
}

// --- where it is shown -----------------------------------------------------------------------------------------------

function showSaved(draft, word, at) {
  const shown = draft.form.querySelector(".draft-state");
  const time = at ? ` ${new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(at))}` : "";
  shown.textContent = shown.dataset[`${word}Word`] + time;
}

function askWhich(draft, theirs) {
  draft.isHeld = true;
  const notice = draft.form.querySelector(".stale");
  notice.querySelector("[data-stale-at]").textContent = new Date(theirs.saved_at).toLocaleTimeString();
  notice.hidden = false;
}

function takeTheirs(draft) {
  localStorage.removeItem(draft.key);
  draft.saved = fieldsOf(draft.form);
  location.reload();
}

// Mine was set aside when it was refused: the two change places, so that theirs can be put back.
async function keepMine(draft) {
  const reply = await send(draft, `${draft.url}swap/`, new URLSearchParams());
  if (!reply.ok) return;
  draft.revision = (await reply.json()).revision;
  draft.isHeld = false;
  draft.form.querySelector(".stale").hidden = true;
  await save(draft);
}

// --- saving ----------------------------------------------------------------------------------------------------------

function send(draft, url, body, options = {}) {
  document.dispatchEvent(new Event("before-post"));
  const token = draft.form.querySelector("[name=csrfmiddlewaretoken]").value;
  return fetch(url, { method: "POST", body, headers: { ...HEADERS, "X-CSRFToken": token }, ...options });
}

function sendDraft(draft, options) {
  const body = new URLSearchParams(fieldsOf(draft.form));
  body.set("revision", String(draft.revision));
  body.set("version", draft.form.elements.version.value);
  return send(draft, draft.url, body, options);
}

async function save(draft) {
  window.clearTimeout(draft.timer);
  const sent = fieldsOf(draft.form);
  if (draft.isHeld || draft.isSaving) return;
  if (sent === draft.saved) {
    localStorage.removeItem(draft.key);
    return;
  }
  draft.isSaving = true;
  draft.savedAt = Date.now();
  try {
    await understand(draft, sent, await sendDraft(draft));
  } catch {
    showSaved(draft, "failed");
  } finally {
    draft.isSaving = false;
    if (fieldsOf(draft.form) !== draft.saved && !draft.isHeld) soon(draft);
  }
}

async function understand(draft, sent, reply) {
  if (reply.status === 409) {
    askWhich(draft, await reply.json());
  } else if (reply.ok) {
    const stored = await reply.json();
    draft.revision = stored.revision;
    draft.saved = sent;
    if (fieldsOf(draft.form) === sent) localStorage.removeItem(draft.key);
    if (stored.corrected) draft.form.querySelector(".corrected").hidden = false;
    showSaved(draft, "saved", stored.saved_at);
  } else {
    showSaved(draft, reply.status === 401 ? "signedOut" : "failed");
  }
}

function soon(draft) {
  window.clearTimeout(draft.timer);
  const wait = Math.max(IDLE_MS, draft.savedAt + APART_MS - Date.now());
  draft.timer = window.setTimeout(() => save(draft), wait);
}

function onInput(draft) {
  const fields = fieldsOf(draft.form);
  localStorage.setItem(draft.key, JSON.stringify({ fields, revision: draft.revision }));
  if (fields === draft.saved) return;
  showSaved(draft, "unsaved");
  if (!draft.isHeld) soon(draft);
}

function saveAll() {
  return Promise.all(drafts.map(save));
}

function leave() {
  for (const draft of drafts) {
    if (!draft.isHeld && fieldsOf(draft.form) !== draft.saved) sendDraft(draft, { keepalive: true }).catch(() => {});
  }
}

// --- wiring ----------------------------------------------------------------------------------------------------------

function restoreLocal(draft) {
  const kept = JSON.parse(localStorage.getItem(draft.key) ?? "null");
  if (kept?.fields === draft.saved) localStorage.removeItem(draft.key);
  if (!kept || kept.fields === draft.saved || kept.revision !== draft.revision) return;
  fill(draft.form, kept.fields);
  onInput(draft);
}

function keep(form) {
  const url = form.dataset.draftUrl;
  const draft = {
    form,
    url,
    key: `answer:${document.documentElement.dataset.person}:${url}`,
    revision: Number(form.dataset.revision),
    saved: fieldsOf(form),
    savedAt: 0,
    timer: 0,
    isSaving: false,
    isHeld: false,
  };
  drafts.push(draft);
  restoreLocal(draft);
  for (const kind of ["input", "change"]) form.addEventListener(kind, () => onInput(draft));
  form.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt === form && event.detail.successful) save(draft);
  });
  form.querySelector("[data-take-theirs]").addEventListener("click", () => takeTheirs(draft));
  form.querySelector("[data-keep-mine]").addEventListener("click", () => keepMine(draft));
}

// What ends a quiz, signs out or puts other words into a form must find what was typed until now on the server.
async function onSubmit(event) {
  if (!event.target.matches?.("form[data-save-first], form[data-restore]")) return;
  event.preventDefault();
  await saveAll();
  for (const draft of drafts) {
    // What could not be saved is kept here, unless other words are asked for in its place.
    if (event.target.matches("form[data-restore]")) localStorage.removeItem(draft.key);
    draft.saved = fieldsOf(draft.form);
  }
  event.target.submit();
}

function onSaveKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  saveAll();
}

for (const form of document.querySelectorAll("form.response-form[data-draft-url]")) keep(form);
if (drafts.length) {
  document.addEventListener("keydown", onSaveKey);
  document.addEventListener("submit", onSubmit);
  document.addEventListener("visibilitychange", () => document.hidden && leave());
  window.addEventListener("pagehide", leave);
  // A quiz hands in the last draft that reached the server before its end.
  document.addEventListener("clock-ending", saveAll);
}
