// Shows in the title of the desk's page how many things wait for the director, and lets the arrow keys move between the
// étuis of the grid. clock.js makes the sounds. Without scripts, the page shows the same, and Tab moves in the grid.
{
  const title = document.title;

  const mark = () => {
    const rings = document.getElementById("desk-poll")?.dataset.rings.split(" ").filter(Boolean) ?? [];
    document.title = rings.length ? `(${rings.length}) ${title}` : title;
  };

  // Return the next étui in the direction of the key. Up and down lead to the étui at the same place in the cell of the
  // same table in the next position. If only one position is shown, they lead to the previous or next table.
  const neighbour = (chip, key) => {
    const all = [...document.querySelectorAll("#grid a.chip")].filter((each) => each.offsetParent);
    if (key === "ArrowRight") return all[all.indexOf(chip) + 1];
    if (key === "ArrowLeft") return all[all.indexOf(chip) - 1];
    const cell = chip.closest("td");
    const step = key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling";
    const above = cell.parentElement[step]?.cells[cell.cellIndex];
    const other = above?.offsetParent ? above : cell[step];
    const chips = [...(other?.querySelectorAll("a.chip") ?? [])];
    return chips[Math.min([...cell.querySelectorAll("a.chip")].indexOf(chip), chips.length - 1)];
  };

  mark();
  document.addEventListener("htmx:afterSettle", mark);
  document.addEventListener("keydown", (event) => {
    const chip = event.target.closest?.("#grid a.chip");
    if (!chip || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    neighbour(chip, event.key)?.focus();
  });
}
