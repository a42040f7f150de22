// Runs before the first paint: a chosen theme must not flash in from the other one.
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
document.documentElement.classList.add("js");
