// The clock of a quiz. The server keeps the time: this only shows it, and speaks at a few moments.

const SPOKEN_SECONDS = [1800, 600, 300, 60, 0];
const SAVE_SECONDS = 3;

const clock = document.querySelector("[data-clock]");

function worded(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function speak(sentence) {
  document.dispatchEvent(new CustomEvent("announce", { detail: sentence }));
}

function follow() {
  const ends = Date.parse(clock.dataset.ends);
  const ahead = Date.now() - Date.parse(clock.dataset.now); // of the server's clock, and what loading took
  const shown = clock.querySelector("[data-clock-left]");
  let before = Infinity;

  const tick = () => {
    const left = Math.max(Math.ceil((ends - Date.now() + ahead) / 1000), 0);
    shown.textContent = left ? `${clock.dataset.leftWord} ${worded(left)}.` : clock.dataset.overWord;
    const passed = SPOKEN_SECONDS.find((threshold) => before !== Infinity && before > threshold && left <= threshold);
    if (passed !== undefined) speak(shown.textContent);
    if (before > SAVE_SECONDS && left <= SAVE_SECONDS && left > 0) document.dispatchEvent(new Event("clock-ending"));
    before = left;
    if (left) window.setTimeout(tick, 500);
  };
  tick();
}

if (clock) follow();
