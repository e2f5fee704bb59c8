// Shares a line of text with the page's address: by what the device shares with, else as a copy, else as text to copy.
//
//   <p data-sharing><button data-share="text" hidden>  is seen where this script runs
//     <span data-shared hidden>                        says that the line is copied
//     <input data-share-line readonly hidden>          holds the line where nothing may be copied
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
      if (error.name === "AbortError") return; // the reader has thought better of it
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
