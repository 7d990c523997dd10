// Text with what was searched in it.

import {html} from "lit";

function pattern(wanted) {
  return new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
}

/** All of a text, with marks. */
export function marked(text, wanted) {
  if (!wanted) {
    return text;
  }
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(pattern(wanted))) {
    parts.push(text.slice(end, match.index), html`<mark>${match[0]}</mark>`);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

const LENGTH = 400;
const BEFORE = 30;

/** As much of a text as one line shows: its first line, or the part in which something was found. */
export function excerpt(text, wanted) {
  const first = text.split("\n", 1)[0];
  const found = wanted ? text.search(pattern(wanted)) : -1;
  if (found < 0 || found + wanted.length <= Math.min(first.length, LENGTH / 2)) {
    return first.slice(0, LENGTH);
  }
  return "… " + text.slice(Math.max(0, found - BEFORE), found + LENGTH).replace(/\s+/g, " ");
}
