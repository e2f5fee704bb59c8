// Counts clocks down to their end and then up. Makes a sound at the end of a clock, and when `data-rings` of an element
// has a new name.
//
// A clock uses the server's time: data-now is the time when the page was made, data-ends is the end of the clock.
// Browsers allow sounds only after somebody has pressed something on the page: this is the button [data-sound], and the
// tab remembers it. Each ring also sends the event "topage:rung" with its kind, even if no sound is possible.
const KEY = "topage-sound";
const KNOWN = "topage-rung";
const RINGS = {
  end: { tone: 880, length: 0.7, times: 3 },
  last: { tone: 587, length: 0.45, times: 2 },
  call: { tone: 1047, length: 0.15, times: 4 },
};
const behind = new WeakMap(); // by clock: the milliseconds by which this device's time is behind the server's
const left = new WeakMap(); // by clock: the seconds that were left one second ago
const known = new Set(JSON.parse(sessionStorage.getItem(KNOWN) ?? "[]"));
let audio = null;

const kindOf = (name) => (name.startsWith("last-") ? "last" : "call");

function ring(kind) {
  document.dispatchEvent(new CustomEvent("topage:rung", { detail: kind }));
  if (!audio || audio.state !== "running") return;
  const { tone, length, times } = RINGS[kind];
  for (let time = 0; time < times; time += 1) {
    const begins = audio.currentTime + time * length * 1.5;
    const [source, volume] = [audio.createOscillator(), audio.createGain()];
    source.type = "triangle";
    source.frequency.value = tone;
    volume.gain.setValueAtTime(0.0001, begins);
    volume.gain.exponentialRampToValueAtTime(0.8, begins + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.0001, begins + length);
    source.connect(volume).connect(audio.destination);
    source.start(begins);
    source.stop(begins + length);
  }
}

function tick() {
  for (const clock of document.querySelectorAll("[data-clock][data-ends]")) {
    if (!behind.has(clock)) behind.set(clock, Date.parse(clock.dataset.now) - Date.now());
    const now = Date.now() + behind.get(clock);
    const until = (Date.parse(clock.dataset.ends) - now) / 1000;
    const seconds = Math.max(0, Math.ceil(until));
    const overtime = Math.max(0, Math.floor(-until));
    const figure = clock.querySelector("[data-clock-figure]");
    const shown = overtime || seconds;
    const text = `${overtime ? "+" : ""}${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
    if (figure.textContent !== text) figure.textContent = text;
    clock.classList.toggle("clock-over", !seconds);
    clock.querySelector("[data-clock-over]").hidden = seconds > 0;
    const note = clock.querySelector("[data-clock-until]");
    if (note) note.hidden = !seconds;
    if (!seconds && left.get(clock) > 0) ring("end");
    left.set(clock, seconds);
  }
}

// Names that have rung are remembered for all pages of a tab. So a call that came while a page was loading still rings,
// but an old last call does not ring again.
function listen(kinds) {
  const elements = [...document.querySelectorAll("[data-rings]")];
  const names = elements.flatMap((element) => element.dataset.rings.split(" ")).filter((name) => name && !known.has(name));
  names.forEach((name) => known.add(name));
  sessionStorage.setItem(KNOWN, JSON.stringify([...known]));
  [...new Set(names.map(kindOf))].filter((kind) => kinds.includes(kind)).forEach(ring);
}

function showSound() {
  const sounds = audio?.state === "running";
  for (const button of document.querySelectorAll("[data-sound]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(sounds));
    button.querySelector("[data-sound-on]").hidden = !sounds;
    button.querySelector("[data-sound-off]").hidden = sounds;
  }
}

async function turnOn() {
  audio ??= new AudioContext();
  audio.onstatechange = showSound;
  await audio.resume();
  showSound();
}

async function turnOff() {
  await audio.suspend();
  showSound();
}

document.addEventListener("click", async (event) => {
  if (!event.target.closest("[data-sound]")) return;
  const on = audio?.state !== "running";
  sessionStorage.setItem(KEY, on ? "on" : "off");
  await (on ? turnOn() : turnOff());
  if (on) ring("call");
});

if (sessionStorage.getItem(KEY) === "on") {
  turnOn();
  document.addEventListener("pointerdown", turnOn, { once: true });
  document.addEventListener("keydown", turnOn, { once: true });
}

// When a part of the page is replaced, keep what was unfolded in it, and the time that was left.
let unfolded = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  unfolded = [...event.target.querySelectorAll("details[open][id]")].map((details) => details.id);
  const clock = event.target.querySelector("[data-clock][data-ends]");
  if (clock) left.set(document, left.get(clock));
});
document.addEventListener("htmx:afterSettle", () => {
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  unfolded = [];
  const clock = document.querySelector("[data-clock][data-ends]");
  if (clock && !left.has(clock) && left.has(document)) left.set(clock, left.get(document));
  tick();
  listen(["last", "call"]);
  showSound();
});

setTimeout(() => listen(["call"]), 300); // after the sound has been switched on again
showSound();
tick();
setInterval(tick, 500);
