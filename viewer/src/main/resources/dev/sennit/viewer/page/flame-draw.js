// Draws a flame graph on a canvas, its root on top: what is in sight, and wide enough to be seen.

import {token} from "./colours.js";
import {change} from "./flame-model.js";

export const ROW = 18;
const LEAST_TEXT = 24;
const LONGEST_LABEL = 400;
const LEVELS = 10;
const SHADES = 4;

/** Frames as OpenTelemetry tells them apart, by the colours that there are. */
const KINDS = {
  kernel: "kernel", native: "native", jvm: "jvm", interpreted: "interpreted", inlined: "inlined", cpp: "cpp",
  go: "cpp", rust: "cpp",
  cpython: "interpreted", v8js: "interpreted", ruby: "interpreted", php: "interpreted", perl: "interpreted",
  beam: "interpreted", dotnet: "jvm",
};

/** The token of a kind of frame. */
export function kindToken(kind) {
  return `--frame-${Object.hasOwn(KINDS, kind) ? KINDS[kind] : "other"}`;
}

/** What a canvas may show of a name: characters that hide or reorder others are spelled out. */
export function visible(name) {
  return name
    .slice(0, LONGEST_LABEL)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, each => `\\u{${each.codePointAt(0).toString(16)}}`);
}

/** Names from long to short: all, without the package, the method alone. */
export function labels(name) {
  const parts = name.split(".");
  const type = parts.findIndex(part => /^\p{Lu}/u.test(part));
  const short = type > 0 && type < parts.length - 1 ? parts.slice(type).join(".") : name;
  return [name, short, type >= 0 ? parts.at(-1) : short];
}

/** A colour between two others of the form #rrggbb. */
export function mixed(one, other, part) {
  const [a, b] = [one, other].map(colour => parseInt(colour.slice(1), 16));
  const channel = shift => {
    const [from, to] = [(a >> shift) & 255, (b >> shift) & 255];
    return Math.round(from + (to - from) * part);
  };
  return `rgb(${channel(16)} ${channel(8)} ${channel(0)})`;
}

export class Drawing {
  constructor(canvas, scroll) {
    this.canvas = canvas;
    this.scroll = scroll;
    this.pen = canvas.getContext("2d", {alpha: false});
    this.width = 0;
    this.height = 0;
  }

  /** Reads the colours, which are others in the dark, and prepares for a tree. */
  prepare(tree) {
    this.tree = tree;
    this.names = new Array(tree.frames.length);
    this.surface = token("--surface-raised");
    this.ink = token("--ink");
    this.frameInk = token("--frame-ink");
    this.root = token("--line");
    this.focus = token("--focus");
    this.font = `12px ${token("--font")}`;
    const shades = new Map();
    this.fills = tree.frames.map(([, , kind], frame) => {
      if (!shades.has(kind)) {
        const colour = token(kindToken(kind));
        shades.set(kind, Array.from({length: SHADES}, (_, i) => mixed(colour, "#ffffff", 0.06 * i)));
      }
      // Neighbours are told apart by a little.
      return shades.get(kind)[(Math.imul(frame + 1, 0x9e3779b1) >>> 16) % SHADES];
    });
    this.changes = changeColours();
  }

  /** Takes the size that the page gives; false if it has none. */
  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.scroll.clientWidth;
    this.height = this.scroll.clientHeight;
    const [width, height] = [Math.floor(this.width * ratio), Math.floor(this.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.width = `${this.width}px`;
      this.canvas.style.height = `${this.height}px`;
    }
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.font = this.font;
    this.pen.textBaseline = "middle";
    return this.width > 0 && this.height > 0;
  }

  /** Draws; the state names what is zoomed in on, selected and pointed at, and what a search has found. */
  draw(state) {
    if (!this.resize()) {
      return;
    }
    this.pen.globalAlpha = 1;
    this.pen.fillStyle = this.surface;
    this.pen.fillRect(0, 0, this.width, this.height);
    const {scrollTop} = this.scroll;
    const last = Math.min(this.tree.deepest, Math.floor((scrollTop + this.height) / ROW));
    for (let depth = Math.floor(scrollTop / ROW); depth <= last; depth++) {
      this.row(depth, depth * ROW - scrollTop, state);
    }
    this.pen.globalAlpha = 1;
    for (const node of [state.hovered, state.selected]) {
      const place = node >= 0 ? this.place(node, state.zoomed) : null;
      if (place) {
        this.pen.lineWidth = 2;
        this.pen.strokeStyle = node === state.selected ? this.focus : this.ink;
        this.pen.strokeRect(place[0] + 1, this.tree.depth[node] * ROW - scrollTop + 1, Math.max(1, place[1] - 3), ROW - 3);
      }
    }
  }

  row(depth, y, state) {
    const {tree} = this;
    if (depth <= tree.depth[state.zoomed]) {
      const node = ancestor(tree, state.zoomed, depth);
      this.box(node, 0, this.width, y, state, node === state.zoomed ? 1 : 0.6);
      return;
    }
    const left = tree.x[state.zoomed];
    const scale = this.width / tree.width[state.zoomed];
    const stop = firstFrom(tree, depth, tree.end[state.zoomed]);
    for (let i = firstFrom(tree, depth, state.zoomed); i < stop;) {
      const node = tree.rowNodes[i];
      const start = (tree.x[node] - left) * scale;
      const width = tree.width[node] * scale;
      if (width >= 1) {
        this.box(node, start, width, y, state, 1);
        i++;
        continue;
      }
      // Those too small to be seen share a pixel, if together they fill half of it.
      const pixel = Math.floor(start);
      const next = firstBehind(tree, i + 1, stop, left + (pixel + 1) / scale);
      const reach = (tree.x[tree.rowNodes[next - 1]] - left) * scale + tree.width[tree.rowNodes[next - 1]] * scale;
      if (reach - start >= 0.5) {
        this.pen.globalAlpha = this.alpha(node, state);
        this.pen.fillStyle = this.fill(node);
        this.pen.fillRect(pixel, y, 1, ROW - 1);
      }
      i = next;
    }
  }

  box(node, start, width, y, state, alpha) {
    const {pen} = this;
    pen.globalAlpha = alpha * this.alpha(node, state);
    pen.fillStyle = this.fill(node);
    pen.fillRect(start, y, width > 3 ? width - 1 : Math.max(1, width), ROW - 1);
    if (width > LEAST_TEXT) {
      pen.fillStyle = node === 0 || this.tree.totals.length > 1 ? this.ink : this.frameInk;
      pen.fillText(this.label(node, width - 8, state), start + 4, y + ROW / 2);
    }
  }

  fill(node) {
    const {tree} = this;
    if (node === 0) {
      return this.root;
    }
    return tree.totals.length > 1
      ? this.changes[Math.round(change(tree, node) * LEVELS) + LEVELS]
      : this.fills[tree.frame[node]];
  }

  /** What a search did not find stands back. */
  alpha(node, {search}) {
    return search && (node === 0 || !search.frames[this.tree.frame[node]]) ? 0.3 : 1;
  }

  /** As much of a name as there is room for: rather the method alone than a part of all. */
  label(node, room, {rootLabel}) {
    if (node === 0) {
      return rootLabel;
    }
    const frame = this.tree.frame[node];
    const known = (this.names[frame] ??= labels(visible(this.tree.frames[frame][0]))
      .map(text => ({text, width: this.pen.measureText(text).width})));
    for (const {text, width} of known) {
      if (width <= room) {
        return text;
      }
    }
    const {text, width} = known.at(-1);
    const length = Math.floor((text.length * (room - 10)) / width);
    return length < 2 ? "" : text.slice(0, length) + "…";
  }

  /** Where a node begins and how wide it is, in pixels; null if it is out of sight. */
  place(node, zoomed) {
    const {tree} = this;
    if (tree.depth[node] <= tree.depth[zoomed]) {
      return ancestor(tree, zoomed, tree.depth[node]) === node ? [0, this.width] : null;
    }
    const scale = this.width / tree.width[zoomed];
    return node >= zoomed && node < tree.end[zoomed]
      ? [(tree.x[node] - tree.x[zoomed]) * scale, tree.width[node] * scale]
      : null;
  }

  /** The node at a place of the canvas, -1 if there is none. */
  at(x, y, zoomed) {
    const {tree} = this;
    const depth = Math.floor((y + this.scroll.scrollTop) / ROW);
    if (depth < 0 || depth > tree.deepest || !(tree.width[0] > 0)) {
      return -1;
    }
    if (depth <= tree.depth[zoomed]) {
      return ancestor(tree, zoomed, depth);
    }
    const place = tree.x[zoomed] + (x / this.width) * tree.width[zoomed];
    const stop = firstFrom(tree, depth, tree.end[zoomed]);
    const i = firstBehind(tree, firstFrom(tree, depth, zoomed), stop, place);
    return i < stop && tree.x[tree.rowNodes[i]] <= place ? tree.rowNodes[i] : -1;
  }
}

/** From all blue, less, over neither to all red, more. */
export function changeColours() {
  const [base, same, more, less] = ["--surface-sunken", "--line", "--bad", "--accent"].map(token);
  return Array.from({length: 2 * LEVELS + 1}, (_, i) => {
    const level = i - LEVELS;
    return level === 0 ? same : mixed(base, level > 0 ? more : less, 0.1 + (0.4 * Math.abs(level)) / LEVELS);
  });
}

function ancestor(tree, node, depth) {
  let at = node;
  while (tree.depth[at] > depth) {
    at = tree.parent[at];
  }
  return at;
}

/** Where in the rows the first node of a depth stands whose number is not smaller. */
export function firstFrom(tree, depth, node) {
  let low = tree.rowStarts[depth];
  for (let high = tree.rowStarts[depth + 1]; low < high;) {
    const middle = (low + high) >> 1;
    if (tree.rowNodes[middle] >= node) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** The first of a part of a row that ends behind a place. */
function firstBehind(tree, from, to, place) {
  let low = from;
  for (let high = to; low < high;) {
    const middle = (low + high) >> 1;
    const node = tree.rowNodes[middle];
    if (tree.x[node] + tree.width[node] > place) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
