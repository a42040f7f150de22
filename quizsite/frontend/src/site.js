import "./copying.js";
import { triesAgain } from "./handing_in.js";
import "./person.js";
import "./pictures.js";
import "./tokens.js";

// On every page: the theme button, times in the reader's zone, and panels that follow work that is being done.
const announcer = () => document.getElementById("announcer");

// Has a screen reader say one sentence. Scripts of pages ask for it with an `announce` event.
function announce(sentence) {
  const region = announcer();
  if (!region || !sentence) return;
  region.textContent = "";
  window.setTimeout(() => {
    region.textContent = sentence;
  }, 50);
}

document.addEventListener("announce", (event) => announce(event.detail));

// --- theme ---------------------------------------------------------------------------------------------------------

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  const root = document.documentElement;
  if (theme === "auto") {
    delete root.dataset.theme;
    localStorage.removeItem("theme");
  } else {
    root.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }
}

function labelTheme(button) {
  const theme = document.documentElement.dataset.theme ?? "auto";
  button.querySelector("[data-theme-name]").textContent = button.dataset[`name${theme[0].toUpperCase()}${theme.slice(1)}`];
}

for (const button of document.querySelectorAll("[data-theme-button]")) {
  labelTheme(button);
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "auto";
    setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
    labelTheme(button);
    announce(button.textContent.trim());
  });
}

// --- tabs that lead to pages: the one that is shown is in view, where they are wider than the page ------------------

for (const tab of document.querySelectorAll(".part-tabs [aria-current]")) {
  const { left, width } = tab.parentElement.getBoundingClientRect();
  tab.parentElement.scrollLeft = tab.offsetLeft - left - (width - tab.offsetWidth) / 2;
}

// --- menus ---------------------------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.activeElement?.closest("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// --- times ---------------------------------------------------------------------------------------------------------

const CLOCK = { dateStyle: "short", timeStyle: "short" };

// The course's clock is named beside the reader's own, and read out only where the two differ.
function tellThere(element, at) {
  if (!element) return;
  const here = new Intl.DateTimeFormat("en", CLOCK).format(at);
  const there = new Intl.DateTimeFormat("en", { ...CLOCK, timeZone: element.dataset.zone }).format(at);
  if (here !== there) element.textContent = `(${element.dataset.there} ${element.dataset.zone})`;
}

function localise(root) {
  for (const element of root.querySelectorAll("time[data-local]")) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const today = at.toDateString() === new Date().toDateString();
    const form = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    element.textContent = new Intl.DateTimeFormat(undefined, form).format(at);
    tellThere(element.parentElement.querySelector("[data-there]"), at);
    element.title = at.toString();
    element.removeAttribute("data-local");
  }
}

// --- live panels ---------------------------------------------------------------------------------------------------
// A panel that waits carries data-live (its own address is in hx-get) and, where there are events, data-events. An
// event only says that something changed; the panel then fetches itself. Polling goes on beside it, seldom while events
// come and with back-off while they do not, so a lost event costs a moment and nothing else.

const FIRST_POLL_MS = 700;
const SLOWEST_POLL_MS = 8000;
const POLL_WITH_EVENTS_MS = 5000;
const GROWTH = 1.4;

const following = new Map();

function refetch(id) {
  const panel = document.getElementById(id);
  const follower = following.get(id);
  if (!panel?.hasAttribute("data-live") || !follower) return;
  // A panel about many people changes all the time: it says by data-pace how often it may be fetched, in milliseconds.
  const left = follower.fetched + Number(panel.dataset.pace ?? 0) - Date.now();
  if (left > 0) {
    follower.later ??= window.setTimeout(() => refetch(id), left);
    return;
  }
  window.clearTimeout(follower.later);
  follower.later = undefined;
  follower.fetched = Date.now();
  window.htmx.trigger(panel, "changed");
}

function stopFollowing(id) {
  const follower = following.get(id);
  if (!follower) return;
  follower.source?.close();
  window.clearTimeout(follower.timer);
  window.clearTimeout(follower.later);
  following.delete(id);
}

function schedule(id) {
  const follower = following.get(id);
  if (!follower) return;
  window.clearTimeout(follower.timer);
  const listening = follower.source?.readyState === EventSource.OPEN;
  const wait = listening ? POLL_WITH_EVENTS_MS : follower.wait;
  follower.timer = window.setTimeout(
    () => {
      if (!document.hidden) refetch(id);
      follower.wait = Math.min(follower.wait * GROWTH, SLOWEST_POLL_MS);
      schedule(id);
    },
    wait * (0.85 + 0.3 * Math.random()),
  );
}

function listen(id, address) {
  const follower = following.get(id);
  if (!follower || !address || !window.EventSource) return;
  follower.address = address;
  follower.source = new EventSource(address);
  // Events have no history: fetch once whenever a stream opens.
  follower.source.onopen = () => refetch(id);
  follower.source.onmessage = () => refetch(id);
  follower.source.addEventListener("changed", () => refetch(id));
}

function follow(panel) {
  if (!panel.id) return;
  if (!panel.hasAttribute("data-live")) {
    stopFollowing(panel.id);
    return;
  }
  if (following.has(panel.id)) return;
  // What paces itself has just been fetched with the page.
  following.set(panel.id, { wait: FIRST_POLL_MS, fetched: panel.dataset.pace ? Date.now() : 0 });
  listen(panel.id, panel.dataset.events);
  schedule(panel.id);
}

document.addEventListener("visibilitychange", () => {
  for (const [id, follower] of following) {
    if (document.hidden) {
      follower.source?.close();
    } else {
      refetch(id);
      if (follower.source?.readyState === EventSource.CLOSED) listen(id, follower.address);
    }
  }
});

function arrived(root) {
  localise(root);
  for (const panel of root.querySelectorAll("[data-panel]")) follow(panel);
  if (root.matches?.("[data-panel]")) follow(root);
}

function gone(id) {
  if (!document.getElementById(id)) stopFollowing(id);
}

document.addEventListener("htmx:afterSettle", () => {
  for (const id of [...following.keys()]) gone(id);
});
document.addEventListener("htmx:load", (event) => {
  const root = event.detail.elt;
  arrived(root);
  if (root === document.body) return;
  const said = root.matches?.("[data-announce]") ? root : root.querySelector?.("[data-announce]");
  if (!said) return;
  announce(said.dataset.announce);
  // Lists of submissions on the page fetch themselves anew.
  if (said.matches(".submission-panel")) window.htmx.trigger(document.body, "outcome");
});

// --- no answer -----------------------------------------------------------------------------------------------------

// A request that the site did not answer, or not as a page expects, must say so where the reader looks.
function showOffline(event) {
  const target = event.detail.target;
  const message = document.getElementById("offline-message");
  if (!target || !message || target.hasAttribute("data-live")) return;
  if (!triesAgain(event)) target.replaceChildren(message.content.cloneNode(true));
  announce(target.textContent.trim());
}

document.addEventListener("htmx:sendError", showOffline);
document.addEventListener("htmx:timeout", showOffline);
document.addEventListener("htmx:responseError", (event) => {
  if (!event.detail.shouldSwap && !/^(400|401|409|413|429)$/.test(event.detail.xhr.status)) showOffline(event);
});
