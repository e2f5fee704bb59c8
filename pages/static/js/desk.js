// Shows in the title of the desk's page how many things wait for the director, and lets the arrow keys move between the
// links of the grid. clock.js makes the sounds. Without scripts, the page shows the same, and Tab moves in the grid.
{
  const title = document.title;

  const mark = () => {
    const rings = document.getElementById("desk-poll")?.dataset.rings.split(" ").filter(Boolean) ?? [];
    document.title = rings.length ? `(${rings.length}) ${title}` : title;
  };

  // Return the next link in the direction of the key. Up and down lead to the cell of the same table in the next
  // position. If only one position is shown, they lead to the previous or next table.
  const neighbour = (link, key) => {
    const all = [...document.querySelectorAll("#grid a[href]")].filter((each) => each.offsetParent);
    if (key === "ArrowRight") return all[all.indexOf(link) + 1];
    if (key === "ArrowLeft") return all[all.indexOf(link) - 1];
    const cell = link.closest("td");
    const step = key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling";
    const above = cell.parentElement[step]?.cells[cell.cellIndex];
    return (above?.offsetParent ? above : cell[step])?.querySelector("a[href]");
  };

  mark();
  document.addEventListener("htmx:afterSettle", mark);
  document.addEventListener("keydown", (event) => {
    const link = event.target.closest?.("#grid a[href]");
    if (!link || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    neighbour(link, event.key)?.focus();
  });
}
