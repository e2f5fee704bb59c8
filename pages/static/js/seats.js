// Lets a director drag a name in the seating plan onto another seat. It fills in the form that moves a player, and
// sends it. Without this script, the director presses on a name and uses the form.

const form = document.getElementById("move");
let dragged = "";

function seatUnder(event) {
  return event.target.closest("td[data-line]");
}

function mark(seat) {
  for (const cell of document.querySelectorAll(".is-target")) {
    cell.classList.toggle("is-target", cell === seat);
  }
  seat?.classList.add("is-target");
}

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("a[data-player]")?.dataset.player ?? "";
});

document.addEventListener("dragover", (event) => {
  const seat = seatUnder(event);
  mark(dragged ? seat : null);
  if (dragged && seat) {
    event.preventDefault();
  }
});

document.addEventListener("dragend", () => {
  dragged = "";
  mark(null);
});

document.addEventListener("drop", (event) => {
  const seat = seatUnder(event);
  if (!dragged || !seat || !form) {
    return;
  }
  event.preventDefault();
  form.elements.player.value = dragged;
  form.elements.number.value = seat.dataset.number;
  form.elements.line.value = seat.dataset.line;
  form.requestSubmit(form.querySelector("button[value=move]"));
});
