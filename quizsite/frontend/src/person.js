// Browsers are shared. What a page keeps of what was typed belongs to who is signed in: no other person gets to see it,
// and at signing out it goes. How wide a column is, or which theme was chosen, says nothing of anybody, and stays.

const WRITTEN = /^(?:draft|answer):/;
const { person: here = "", viewing } = document.documentElement.dataset;

function forget(isForgotten) {
  for (const key of Object.keys(localStorage)) {
    if (WRITTEN.test(key) && isForgotten(key)) localStorage.removeItem(key);
  }
}

// Another page of this browser has somebody else by now: nothing of this one may be sent in their name.
export function isSomebodyElse() {
  return Boolean(here) && (localStorage.getItem("person") ?? here) !== here;
}

if (here) {
  // Staff who see a course as its preview student come back to what they have typed as themselves.
  if (viewing === undefined) {
    localStorage.setItem("person", here);
    forget((key) => key.split(":", 2)[1] !== here);
  }
} else if (localStorage.getItem("signing-out")) {
  // Only now: until the site has answered, what it may not have saved must not be gone.
  forget(() => true);
}
localStorage.removeItem("signing-out");

document.addEventListener("submit", (event) => {
  if (event.target.matches?.("form[data-sign-out]")) localStorage.setItem("signing-out", "1");
});
