// The keys of a flame graph.

import {firstFrom} from "./flame-draw.js";

export const KEYS = [
  ["click, Enter", "zoom in"],
  ["Escape, double click", "show all again"],
  ["arrow keys", "walk from frame to frame"],
  ["/", "search: text, or /a regular expression/"],
  ["n, N", "next and previous match"],
  ["r or i", "reverse: the innermost frames first, then their callers"],
  ["t", "table or graph"],
];

/** To what calls the selected frame, to the largest that it calls, or to its neighbours. */
function walk(flame, inwards, sideways) {
  const {tree} = flame;
  const at = flame.selected;
  let to = at;
  if (at < 0) {
    to = flame.zoomed;
  } else if (inwards < 0) {
    to = Math.max(0, tree.parent[at]);
  } else if (inwards > 0) {
    for (let child = at + 1; child < tree.end[at]; child = tree.end[child]) {
      to = to === at || tree.width[child] > tree.width[to] ? child : to;
    }
  } else if (tree.depth[at] > tree.depth[flame.zoomed]) {
    const depth = tree.depth[at];
    const place = firstFrom(tree, depth, at) + sideways;
    const neighbour = tree.rowNodes[place];
    const inRow = place >= tree.rowStarts[depth] && place < tree.rowStarts[depth + 1];
    to = inRow && neighbour >= flame.zoomed && neighbour < tree.end[flame.zoomed] ? neighbour : at;
  }
  flame.selected = to;
  flame.reveal(to);
}

/** Does what a key stands for. */
export function press(flame, event) {
  const typing = event.target.closest?.("input, select, textarea");
  if (!flame.tree || event.defaultPrevented || typing || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const actions = {
    "Escape": () => flame.reset(),
    "/": () => flame.querySelector(".flame-search").select(),
    "n": () => flame.next(1),
    "N": () => flame.next(-1),
    "r": () => flame.tell({reverse: !flame.reverse}),
    "i": () => flame.tell({reverse: !flame.reverse}),
    "t": () => flame.tell({form: flame.form === "table" ? "graph" : "table"}),
    ...(event.target === flame.drawing.canvas && {
      "Enter": () => flame.zoom(Math.max(0, flame.selected)),
      "ArrowUp": () => walk(flame, -1, 0),
      "ArrowDown": () => walk(flame, 1, 0),
      "ArrowLeft": () => walk(flame, 0, -1),
      "ArrowRight": () => walk(flame, 0, 1),
    }),
  };
  if (Object.hasOwn(actions, event.key)) {
    event.preventDefault();
    flame.timed("zoom", actions[event.key]);
  }
}
