// Buttons that copy a text of the page. They are hidden where there is no script; the text is there to be selected.

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  throw new Error("no clipboard without a secure connection");
}

function select(element) {
  if (element instanceof HTMLInputElement) element.select();
  else window.getSelection().selectAllChildren(element);
}

async function onClick(event) {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = button.closest("[data-copied-from]").querySelector("[data-copied]");
  const words = button.querySelector("[data-copy-word]");
  try {
    await copy(source instanceof HTMLInputElement ? source.value : source.textContent);
    words.textContent = button.dataset.done;
  } catch {
    select(source);
    words.textContent = button.dataset.selected;
  }
  document.dispatchEvent(new CustomEvent("announce", { detail: words.textContent }));
}

function arrived(root) {
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", onClick);
document.addEventListener("htmx:load", (event) => arrived(event.detail.elt));
