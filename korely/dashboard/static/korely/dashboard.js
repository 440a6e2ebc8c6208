// What pages do on top of working without scripts: copy buttons, the theme, menus that close.
"use strict";

function say(button, text) {
  const before = button.dataset.label ?? button.textContent;
  button.dataset.label = before;
  button.textContent = text;
  setTimeout(() => { button.textContent = before; }, 2000);
}

async function copy(button) {
  const source = document.querySelector(button.dataset.copy);
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    say(button, "Copied");
  } catch {
    // No clipboard without HTTPS: select the text, so that the keyboard copies it.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    say(button, "Selected: press Ctrl+C");
  }
}

function turnTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("korely-theme", root.dataset.theme); } catch { /* for this page only */ }
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.copy) copy(button);
  if (button?.hasAttribute("data-theme-turn")) turnTheme();
  closeMenus(event.target.closest("details.menu"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details.menu[open]");
  closeMenus();
  open?.querySelector("summary").focus();
});

// Buttons that only work with scripts are there only with scripts.
for (const button of document.querySelectorAll("[data-copy][hidden], [data-theme-turn][hidden]")) {
  button.hidden = false;
}
document.addEventListener("htmx:afterSettle", (event) => {
  for (const button of event.target.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
});
