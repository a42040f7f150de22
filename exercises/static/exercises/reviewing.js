// Reading answers by keyboard. Without this script the form and its links do the same.
const form = document.querySelector("[data-review]");

function isTyping(target) {
  return target.matches("textarea, select, input:not([type=radio]):not([type=checkbox])");
}

function toggle(number) {
  const input = form.querySelector(`[data-criterion="${number}"]`);
  if (!input) return;
  input.value = input.value === input.max ? "0" : input.max;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = `${input.labels[0].textContent.trim()}: ${input.value}`;
}

function follow(mark) {
  const link = document.querySelector(mark);
  if (link) link.click();
}

const KEYS = {
  j: () => follow("[data-after]"),
  k: () => follow("[data-before]"),
  c: () => form.querySelector("[data-comment]").focus(),
};

function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  if (event.key === "Escape" && isTyping(event.target)) {
    event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (/^[1-9]$/.test(event.key)) {
    event.preventDefault();
    toggle(event.key);
  } else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

if (form) document.addEventListener("keydown", onKey);
