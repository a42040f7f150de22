// A key goes with each hand-in, so that one sent twice by a trembling finger or after a lost reply counts once. Where no
// reply comes it is sent again with the same key, unless what is written has changed since: that is for the person to say.

const WAITS_MS = [2000, 4000, 8000, 16_000];
const NO_REPLY = [502, 503, 504];

function isRun(detail) {
  return Boolean(detail.requestConfig?.triggeringEvent?.submitter?.hasAttribute("data-run"));
}

document.addEventListener("htmx:configRequest", (event) => {
  const form = event.detail.elt;
  if (!form.matches?.("form[data-keyed]")) return;
  const sent = new URLSearchParams([...event.detail.formData].filter(([name]) => name !== "csrfmiddlewaretoken")).toString();
  if (form.dataset.sent !== sent || !form.dataset.key) {
    form.dataset.sent = sent;
    form.dataset.key = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    delete form.dataset.tries;
  }
  event.detail.headers["Idempotency-Key"] = form.dataset.key;
});

document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt;
  if (!form.matches?.("form[data-keyed]") || !event.detail.successful) return;
  delete form.dataset.key;
  delete form.dataset.tries;
  // After handing in, the outcome is what one wants to read; after a run, one goes on writing.
  if (!isRun(event.detail)) event.detail.target.querySelector(".submission-panel")?.focus({ preventScroll: false });
});

// Whether the request is sent again by itself. Runs are not: they cost nothing but the click.
export function triesAgain(event) {
  const { elt: form, target, xhr, requestConfig } = event.detail;
  const button = requestConfig?.triggeringEvent?.submitter;
  const message = document.getElementById("retry-message");
  const tries = Number(form.dataset?.tries ?? 0);
  const isLost = event.type !== "htmx:responseError" || NO_REPLY.includes(xhr.status);
  if (!isLost || !button || !message || !form.matches("form[data-keyed]") || isRun(event.detail)) return false;
  if (tries >= WAITS_MS.length) return false;
  form.dataset.tries = String(tries + 1);
  target.replaceChildren(message.content.cloneNode(true));
  const controller = new AbortController();
  const timer = window.setTimeout(() => {
    controller.abort();
    button.click();
  }, WAITS_MS[tries]);
  const stop = () => {
    window.clearTimeout(timer);
    controller.abort();
  };
  for (const kind of ["input", "change", "submit"]) form.addEventListener(kind, stop, { signal: controller.signal });
  return true;
}
