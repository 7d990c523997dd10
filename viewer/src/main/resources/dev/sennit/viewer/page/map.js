// Who calls whom. Services are buttons, so that they can be reached by keys; the calls between them are drawn behind.

import {LitElement, html, svg, nothing} from "lit";
import {arrange, spread} from "./layers.js";
import {serviceColour} from "./colours.js";
import {count, duration, percent, rate} from "./format.js";
import {addressWith, go} from "./router.js";

const WIDTH = 184;
const HEIGHT = 46;
const SPACE = 18;
const SELF = 30;
const MARGIN = 6;
const GAPS = [80, 200];
const ARROW = 8;
const LABEL = 19;

// With more links than these, a label is shown only for those that are pointed at.
const LABELLED = 24;

// A share that failed is seen, however small.
const LEAST_SHARE = 4;

/** Nodes and links of the calls. What has spans of its own is one node, however its callers name it. */
export function graph(services, edges) {
  const seen = new Set([...services.map(({service}) => service), ...edges.flatMap(edge =>
    edge.seen ? [edge.caller, edge.callee] : [edge.caller])]);
  const links = new Map();
  for (const edge of edges) {
    const known = links.get(JSON.stringify([edge.caller, edge.callee]));
    links.set(JSON.stringify([edge.caller, edge.callee]), {
      from: edge.caller,
      to: edge.callee,
      calls: edge.calls + (known?.calls ?? 0),
      errors: edge.errors + (known?.errors ?? 0),
      p99: Math.max(edge.p99, known?.p99 ?? 0),
    });
  }
  return {seen, links: [...links.values()]};
}

class SennitMap extends LitElement {
  static properties = {
    services: {attribute: false},
    edges: {attribute: false},
    seconds: {attribute: false},
    times: {attribute: false},
    selected: {attribute: false},
    available: {state: true},
    hovered: {state: true},
    entry: {state: true},
  };

  constructor() {
    super();
    this.available = 0;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.observer = new ResizeObserver(([entry]) => (this.available = Math.floor(entry.contentRect.width)));
    this.observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  willUpdate(changed) {
    if (changed.has("services") || changed.has("edges")) {
      const {seen, links} = graph(this.services, this.edges);
      const names = [...new Set(links.flatMap(({from, to}) => [from, to]))].sort();
      this.seen = seen;
      this.links = links;
      this.alone = [...seen].filter(name => !names.includes(name)).sort();
      // Traffic changes all the time; who calls whom seldom does, and then everything stays where it was.
      const shape = JSON.stringify([names, links.map(({from, to}) => [from, to]).sort()]);
      if (shape !== this.shape) {
        this.shape = shape;
        const sorted = [...links].sort((a, b) => (a.from + "\0" + a.to < b.from + "\0" + b.to ? -1 : 1));
        const selves = new Set(links.filter(({from, to}) => from === to).map(({from}) => from));
        this.plan = arrange(names, sorted, {
          height: name => HEIGHT + (selves.has(name) ? 2 * SELF : 0),
          space: SPACE,
        });
      }
    }
  }

  render() {
    if (this.links.length === 0) {
      return html`<p class="quiet">No service has called another in this time.</p>`;
    }
    const {layers, height, nodes} = this.plan;
    const gap = Math.min(GAPS[1], Math.max(GAPS[0], (this.available - 2 - layers * WIDTH) / Math.max(1, layers - 1)));
    const left = layer => layer * (WIDTH + gap);
    const size = {width: layers * WIDTH + (layers - 1) * gap + 2, height: height + 2 * MARGIN};
    const lines = this.lines(left, gap);
    return html`
      <div class="scroll map ${this.links.length > LABELLED ? "crowded" : ""}" role="group" aria-label="Service map" @keydown=${this.move}>
        <div class="canvas" .style=${`width: ${size.width}px; height: ${size.height}px`}>
          <svg width=${size.width} height=${size.height} aria-hidden="true">
            ${lines.map(line => this.renderLine(line))}
          </svg>
          ${lines.map(line => this.renderLabel(line))}
          ${[...nodes].map(([name, {layer, middle}]) => this.renderNode(name, left(layer), middle))}
        </div>
      </div>
      ${this.alone.length > 0 ? html`
        <p class="alone"><span class="quiet">Without calls between:</span>
          ${this.alone.map(name => html`<button @click=${() => this.choose(name)}><bdi>${name}</bdi></button>`)}
        </p>` : nothing}
      <p class="quiet hint">Each with its rate, the share that failed and its p99. Thicker lines have more traffic, and
        are red for the share that failed; what is dashed has no spans of its own. Arrow keys move, Enter opens.</p>`;
  }

  /** The way of each link on the screen. */
  lines(left, gap) {
    const most = Math.max(...this.links.map(({calls}) => calls));
    const thick = this.links.length > LABELLED ? 3 : 5;
    const now = new Map(this.links.map(link => [JSON.stringify([link.from, link.to]), link]));
    const ends = this.ends();
    const lines = this.plan.ways.map(({link: {from, to}, way, back}, index) => {
      const link = now.get(JSON.stringify([from, to]));
      const points = way.flatMap(({layer, middle}, i) => {
        const y = middle + MARGIN + (i === 0 ? ends.start[index] : i === way.length - 1 ? ends.end[index] : 0);
        const sides = [{x: left(layer), y}, {x: left(layer) + WIDTH, y}];
        return i === 0 ? [sides[1]] : i === way.length - 1 ? [sides[0]] : sides;
      });
      const between = points.length - 2;
      return {
        link, points, back,
        width: 1.25 + thick * Math.sqrt(link.calls / most),
        middle: {x: points[between].x + gap / 2, y: (points[between].y + points[between + 1].y) / 2},
      };
    });
    for (const link of this.links.filter(({from, to}) => from === to)) {
      const {layer, middle} = this.plan.nodes.get(link.from);
      lines.push({
        link, self: true, width: 1.25 + thick * Math.sqrt(link.calls / most),
        points: [{x: left(layer) + WIDTH / 2, y: middle + MARGIN - HEIGHT / 2}],
        middle: {x: left(layer) + WIDTH / 2, y: middle + MARGIN - HEIGHT / 2 - 22},
      });
    }
    this.separate(lines);
    return lines;
  }

  /** Links of one side of a node begin beside each other, in the order of where they go. */
  ends() {
    const start = [];
    const end = [];
    const sides = new Map();
    this.plan.ways.forEach(({way}, index) => {
      for (const [target, at, next] of [[start, way[0], way[1]], [end, way.at(-1), way.at(-2)]]) {
        const key = `${at.layer} ${at.middle} ${target === start}`;
        sides.set(key, [...(sides.get(key) ?? []), {target, index, next: next.middle}]);
      }
    });
    for (const side of sides.values()) {
      const step = Math.min(9, (HEIGHT - 14) / side.length);
      side.sort((a, b) => a.next - b.next || a.index - b.index);
      side.forEach(({target, index}, i) => (target[index] = (i - (side.length - 1) / 2) * step));
    }
    return {start, end};
  }

  /** Labels between the same two layers do not cover each other. */
  separate(lines) {
    const columns = Map.groupBy(lines, ({middle}) => Math.round(middle.x));
    for (const column of columns.values()) {
      column.sort((a, b) => a.middle.y - b.middle.y);
      spread(column.map(({middle}) => middle.y), column.map((_, i) => i * LABEL))
        .forEach((y, i) => (column[i].middle.y = Math.max(LABEL / 2, y)));
    }
  }

  emphasis({from, to}) {
    const about = this.hovered ?? this.selected;
    return about === undefined ? "" : about === from || about === to ? "about" : "dim";
  }

  renderLine({link, points, width, back, self}) {
    const path = self ? loop(points[0]) : curve(points, back);
    const share = link.errors > 0 ? Math.max(LEAST_SHARE, (100 * link.errors) / link.calls) : 0;
    const tip = self ? {x: points[0].x + 16, y: points[0].y} : back ? points[0] : points.at(-1);
    return svg`
      <g class="call ${this.emphasis(link)}" @click=${() => go(this.address(link))}>
        <title>${this.describe(link)}</title>
        <path class="hit" d=${path}></path>
        <path class="line" d=${path} stroke-width=${width}></path>
        ${share > 0
          ? svg`<path class="line failed" d=${path} stroke-width=${width} pathLength="100"
              stroke-dasharray="${share} 100"></path>`
          : nothing}
        <path class="arrow ${share >= 100 ? "failed" : ""}" d=${arrow(tip, width, self ? "down" : back ? "left" : "right")}></path>
      </g>`;
  }

  renderLabel({link, middle}) {
    const emphasis = this.emphasis(link);
    if (emphasis === "dim" || (emphasis === "" && this.links.length > LABELLED)) {
      return nothing;
    }
    return html`
      <a class="rate" tabindex="-1" href=${this.address(link)} title=${this.describe(link)}
         .style=${`left: ${middle.x}px; top: ${middle.y}px`}>
        ${rate(link.calls / this.seconds)}${link.errors > 0
          ? html` <span class="failed">${percent(link.errors, link.calls)}</span>` : nothing}
      </a>`;
  }

  renderNode(name, x, y) {
    const own = this.services.find(({service}) => service === name);
    const seen = this.seen.has(name);
    const calls = this.links.filter(({to}) => to === name).reduce((sum, each) => sum + each.calls, 0);
    const errors = own ? own.errors : this.links.filter(({to}) => to === name).reduce((sum, {errors}) => sum + errors, 0);
    const all = own ? own.requests : calls;
    const about = this.hovered ?? this.selected;
    const near = about === undefined || about === name
      || this.links.some(({from, to}) => (from === about && to === name) || (to === about && from === name));
    return html`
      <button class="node ${seen ? "" : "outside"} ${near ? "" : "dim"}" data-name=${name}
              aria-pressed=${this.selected === name} tabindex=${name === this.entrance() ? 0 : -1} title=${name}
              .style=${`left: ${x}px; top: ${y + MARGIN - HEIGHT / 2}px; --own: var(${seen ? serviceColour(name) : "--ink-soft"})`}
              @click=${() => this.choose(name)} @focus=${() => (this.entry = name)}
              @mouseenter=${() => (this.hovered = name)} @mouseleave=${() => (this.hovered = undefined)}>
        <bdi class="name">${name}</bdi>
        <span class="figures">${rate(all / this.seconds)}${errors > 0
          ? html` · <span class="failed">${percent(errors, all)}</span>` : nothing}${own?.requests > 0
          ? html` · ${duration(own.p99)}` : nothing}</span>
      </button>`;
  }

  /** The one node that the tab key stops at; from there the arrows lead on. */
  entrance() {
    const {nodes} = this.plan;
    return [this.entry, this.selected].find(name => nodes.has(name)) ?? nodes.keys().next().value;
  }

  describe({from, to, calls, errors, p99}) {
    return `${from} → ${to}: ${count(calls)} calls, ${count(errors)} failed, p99 ${duration(p99)}`;
  }

  address({from, to}) {
    return addressWith("/traces", {...this.times, service: this.seen.has(to) ? to : from});
  }

  choose(name) {
    this.dispatchEvent(new CustomEvent("choose", {detail: name}));
  }

  move(event) {
    const name = event.target.dataset?.name;
    const at = this.plan.nodes.get(name);
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!at || !step) {
      return;
    }
    event.preventDefault();
    const joined = other => this.links.some(({from, to}) =>
      (from === name && to === other) || (to === name && from === other));
    const [next] = [...this.plan.nodes]
      .filter(([, {layer, middle}]) => step[0] !== 0
        ? Math.sign(layer - at.layer) === step[0]
        : layer === at.layer && Math.sign(middle - at.middle) === step[1])
      .map(([other, {layer, middle}]) => ({
        other,
        far: Math.abs(layer - at.layer) * 1e6 + Math.abs(middle - at.middle) + (step[0] !== 0 && !joined(other) ? 1e5 : 0),
      }))
      .sort((a, b) => a.far - b.far);
    if (next) {
      [...this.querySelectorAll(".node")].find(node => node.dataset.name === next.other).focus();
    }
  }
}

/** Level where it leaves and arrives, and where it passes a layer. From the caller, until where the arrow begins. */
function curve(points, back) {
  const way = (back ? points.toReversed() : points).map(point => ({...point}));
  way.at(-1).x += back ? ARROW : -ARROW;
  return way.map(({x, y}, i) => {
    const middle = i > 0 ? (way[i - 1].x + x) / 2 : 0;
    return i === 0 ? `M${x} ${y}` : i % 2 === 0 ? `H${x}` : `C${middle} ${way[i - 1].y} ${middle} ${y} ${x} ${y}`;
  }).join("");
}

function loop({x, y}) {
  return `M${x - 16} ${y}C${x - 24} ${y - 26} ${x + 24} ${y - 26} ${x + 16} ${y - ARROW}`;
}

function arrow({x, y}, width, to) {
  const half = 3 + width / 2;
  return to === "down" ? `M${x} ${y}l${-half} ${-ARROW}h${2 * half}Z`
    : to === "left" ? `M${x} ${y}l${ARROW} ${-half}v${2 * half}Z`
    : `M${x} ${y}l${-ARROW} ${-half}v${2 * half}Z`;
}

customElements.define("sennit-map", SennitMap);
