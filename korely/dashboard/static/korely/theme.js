// The chosen theme, before anything is painted; without a choice the system's.
"use strict";
{
  let chosen = null;
  try { chosen = localStorage.getItem("korely-theme"); } catch { /* storage is switched off */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
