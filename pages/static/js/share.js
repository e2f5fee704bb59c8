// Shares a line of text and the page's address: by the device's own menu, else by a copy, else as text to select.
//
//   <p data-sharing><button data-share="text" hidden>  the button; this script shows it
//     <span data-shared hidden>                        says that the line was copied
//     <input data-share-line readonly hidden>          shows the line if the browser does not allow a copy
for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-share]");
  if (!button) return;
  const url = document.querySelector("link[rel=canonical]")?.href ?? location.href;
  const text = button.dataset.share;
  if (navigator.share) {
    try {
      await navigator.share({ text, url });
      return;
    } catch (error) {
      if (error.name === "AbortError") return; // the reader has closed the menu
    }
  }
  const here = button.closest("[data-sharing]");
  try {
    await navigator.clipboard.writeText(`${text} ${url}`);
    here.querySelector("[data-shared]").hidden = false;
  } catch {
    const line = here.querySelector("[data-share-line]");
    line.value = `${text} ${url}`;
    line.hidden = false;
    line.select();
  }
});
