// Copies a link or a code that somebody hands out. If the browser offers no clipboard (on a site without https, as in a
// hall), try `execCommand`; if this fails too, leave the text selected. Without this script the buttons are hidden.
const said = (button) => button.parentElement.querySelector("[data-copied]");

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const text = source.value ?? source.textContent.trim();
  if (source.select) source.select();
  else getSelection().selectAllChildren(source);
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copied = document.execCommand("copy");
  }
  said(button).textContent = copied ? button.dataset.done : button.dataset.by;
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
