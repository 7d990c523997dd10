// Light, dark, or as the system has it; kept in this browser.

const KEY = "sennit-theme";

export const THEMES = ["system", "light", "dark"];

/** The choice that was made here, if any. */
export function theme() {
  const kept = localStorage.getItem(KEY);
  return THEMES.includes(kept) ? kept : "system";
}

export function choose(name) {
  if (name === "system") {
    localStorage.removeItem(KEY);
  } else {
    localStorage.setItem(KEY, name);
  }
  apply();
}

function apply() {
  const name = theme();
  if (name === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = name;
  }
}

apply();
