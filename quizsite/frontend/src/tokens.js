// The token against forged requests is another one after signing in. A page that was open meanwhile, such as one whose
// session had expired, takes it from the cookie: so one signs in in another tab and goes on here. Not where somebody else
// signed in there: what is sent with the old token is refused.
import { isSomebodyElse } from "./person.js";

function current() {
  if (isSomebodyElse()) return undefined;
  return /(?:^|;\s*)csrftoken(?:_[^=;]+)?=([^;]+)/.exec(document.cookie)?.[1];
}

function renew() {
  const token = current();
  if (!token) return;
  for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) field.value = token;
}

document.addEventListener("visibilitychange", () => document.hidden || renew());
window.addEventListener("focus", renew);
document.addEventListener("submit", renew, true);
// Scripts that send by themselves announce it, and then read the token from a form.
document.addEventListener("before-post", renew);

document.addEventListener("htmx:configRequest", (event) => {
  const token = current();
  if (!token) return;
  event.detail.headers["X-CSRFToken"] = token;
  if (event.detail.formData.has("csrfmiddlewaretoken")) event.detail.formData.set("csrfmiddlewaretoken", token);
});
