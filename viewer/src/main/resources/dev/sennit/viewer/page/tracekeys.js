// Keys of the views of traces, and the list of them that "?" shows.

import {html} from "lit";

export const KEYS = [
  ["↑ ↓", "the span above or below"],
  ["← →", "fold, or to its parent; unfold"],
  ["[ ]", "fold all, unfold all"],
  ["f", "fit the time to the span, or to the trace"],
  ["+ −", "zoom in, zoom out"],
  ["/", "find in the trace"],
  ["n N", "the next that was found, the one before"],
  ["Esc", "give up, see all of the time, leave the span"],
  ["drag", "zoom into that time; double-click for all of it"],
  ["Ctrl wheel", "zoom; Shift moves in time"],
  ["?", "these keys"],
];

export const LIST_KEYS = [
  ["j k ↑ ↓", "the trace below or above"],
  ["Enter", "open the trace"],
  ["/", "search"],
  ["drag", "in the picture: only that time and duration"],
  ["Esc", "give up dragging, leave a field"],
  ["?", "these keys"],
];

/** The key of an event, unless it belongs to something that is typed into or has keys of its own. */
export function keyOf(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
    return undefined;
  }
  const own = event.target.closest?.("input, select, textarea, sennit-span, sennit-flame, [role=tab]");
  return own && event.key !== "Escape" ? undefined : event.key;
}

export function renderKeys(keys, close) {
  return html`
    <div class="trace-keys panel" role="dialog" aria-label="Keys">
      <div class="toolbar"><h2 class="fill">Keys</h2><button @click=${close}>Close</button></div>
      <dl>${keys.map(([key, meaning]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${meaning}</dd></div>`)}</dl>
    </div>`;
}
