// Starts the table of the page. Without scripts the same forms work by themselves.

import { countDown } from "./left.js";
import { RoomTable } from "./table.js";
import { watch } from "./watch.js";

const root = document.querySelector("[data-room-table]");
if (root instanceof HTMLElement) {
  const table = new RoomTable(root);
  table.begin();
  watch(table);
  countDown(() => table.lookAgain());
}
