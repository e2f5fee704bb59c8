// Shows that a form was sent if the answer takes seconds: it shows the form's `data-busy` text and blocks a second
// press. Without scripts, only the browser's own sign shows it.
for (const form of document.querySelectorAll("form[data-busy]")) {
  const words = document.querySelector(form.dataset.busy);
  form.addEventListener("submit", (event) => {
    if (!words.hidden) event.preventDefault();
    words.hidden = false;
    words.scrollIntoView({ block: "nearest" });
  });
  addEventListener("pageshow", () => {
    words.hidden = true;
  });
}
