// Tells that a form is being worked on, where the answer takes seconds: shows the words that the form names, and takes
// no second press. Without scripts the browser's own sign has to do.
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
