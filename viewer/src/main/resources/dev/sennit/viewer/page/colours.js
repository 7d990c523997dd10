// One colour for each service, in the order in which they are met, the same in every view of this window.

const COLOURS = 8;
const KEY = "sennit-services";
const met = new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));

/** The name of a token of tokens.css. */
export function serviceColour(name) {
  if (!met.has(name)) {
    met.set(name, `--service-${(met.size % COLOURS) + 1}`);
    // Names come from strangers; a few are enough to tell them apart by colour.
    sessionStorage.setItem(KEY, JSON.stringify([...met].slice(0, 200)));
  }
  return met.get(name);
}

/** The value of a token, for drawing. */
export function token(name) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const both = /^light-dark\((.+),(.+)\)$/.exec(value);
  return both ? both[isDark() ? 2 : 1].trim() : value;
}

function isDark() {
  const {theme} = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
