// What waits for the director stands in the page's title too, and the arrows go from étui to étui in the grid. Sounds are
// clock.js's. Without scripts the page shows the same, and Tab goes through the grid.
{
  const title = document.title;

  const mark = () => {
    const rings = document.getElementById("desk-poll")?.dataset.rings.split(" ").filter(Boolean) ?? [];
    document.title = rings.length ? `(${rings.length}) ${title}` : title;
  };

  // The étui beside, or at the same place of the table's cell in the position above or below; where one position alone is
  // shown, of the table before or after.
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
