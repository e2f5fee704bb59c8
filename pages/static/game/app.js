// Starts the friendly game: reads the games that this device keeps, and listens to the browser's events. Nothing is
// ever sent to the site.

import { Games } from "./games.js";
import { Screen } from "./views/screen.js";
import { keepShell } from "../table/device/shell.js";
import { openStore } from "../table/device/store.js";
import { learn, speak } from "../table/words.js";

async function start() {
  learn(JSON.parse(document.getElementById("words")?.textContent ?? ""));
  const store = await openStore("topage-game");
  speak((await store.get("language")) ?? document.documentElement.lang);
  const games = new Games(store);
  await games.recall();
  const screen = new Screen(games);
  addEventListener("popstate", () => screen.step());
  addEventListener("hashchange", () => screen.step());
  addEventListener("keydown", (event) => screen.key(event));
  // Another tab may have changed the games in between.
  document.addEventListener("visibilitychange", () => document.hidden || screen.refresh());
  screen.step();
  await keepShell("/game/");
}

start();
