// A flame graph of samples that a query names, or of two of them in comparison; as a picture and as a table.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {percent} from "./format.js";
import {Drawing, ROW, visible} from "./flame-draw.js";
import {press} from "./flame-keys.js";
import {compared, reversed, run, treeOf} from "./flame-model.js";
import {kindsOf, renderBar, renderFoot, renderPath, renderTip} from "./flame-parts.js";
import {byFrame, found, largest} from "./flame-search.js";
import {renderTable, rowsOf} from "./flame-table.js";
import {quantity, said} from "./flame-words.js";

const BLINK = 200;
const KEPT_TIMES = 500;

class SennitFlame extends LitElement {
  static properties = {
    query: {attribute: false},
    other: {attribute: false},
    compact: {type: Boolean, reflect: true},
    text: {attribute: false},
    reverse: {attribute: false},
    form: {attribute: false},
    order: {state: true},
    tree: {state: true},
    search: {state: true},
    match: {state: true},
    rows: {state: true},
    zoomed: {state: true},
    selected: {state: true},
    hovered: {state: true},
    failure: {state: true},
    wrong: {state: true},
    slow: {state: true},
  };

  constructor() {
    super();
    this.text = "";
    this.reverse = false;
    this.form = "graph";
    this.order = "self";
    this.match = -1;
    this.zoomed = 0;
    this.selected = -1;
    this.hovered = -1;
    // How long the parts of the work took, in milliseconds, for whoever wants to know that none took long.
    this.times = {build: [], search: [], draw: [], zoom: []};
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.recolour = () => this.tree && (this.drawing.prepare(this.tree), this.redraw(), this.requestUpdate());
    this.keys = event => press(this, event);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", this.recolour);
    addEventListener("theme", this.recolour);
    (this.compact ? this : window).addEventListener("keydown", this.keys);
    this.sizes = new ResizeObserver(() => this.redraw());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.dark.removeEventListener("change", this.recolour);
    removeEventListener("theme", this.recolour);
    removeEventListener("keydown", this.keys);
    this.removeEventListener("keydown", this.keys);
    this.sizes.disconnect();
    this.loading?.abort();
    this.loaded = undefined;
  }

  firstUpdated() {
    const scroll = this.querySelector(".flame-scroll");
    this.drawing = new Drawing(this.querySelector("canvas"), scroll);
    this.sizes.observe(scroll);
  }

  updated(changed) {
    const wanted = JSON.stringify([this.query, this.other]);
    if (wanted !== this.loaded) {
      this.loaded = wanted;
      this.load();
    } else if (this.forward) {
      if (changed.has("reverse")) {
        this.show();
      } else if (changed.has("text")) {
        this.find();
      }
      if (this.form === "table" && (changed.has("form") || changed.has("order"))) {
        this.list();
      }
    }
    if (["tree", "search", "zoomed", "selected", "hovered", "form"].some(each => changed.has(each))) {
      this.redraw();
    }
  }

  async load() {
    this.loading?.abort();
    const loading = (this.loading = new AbortController());
    const options = {signal: loading.signal, took: this.took("build")};
    this.failure = undefined;
    const patience = setTimeout(() => (this.slow = true), BLINK);
    try {
      const queries = [this.query, this.other].filter(each => each?.type);
      const answers = await Promise.all(queries.map(each => ask("flame", each, options)));
      const trees = [];
      for (const answer of answers) {
        trees.push(await run(treeOf(answer), options));
      }
      if (trees.length > 0) {
        const forward = trees.length > 1 ? await run(compared(...trees), options) : trees[0];
        const sums = await run(byFrame(forward), options);
        const [self] = sums.selves;
        const [hottest] = await run(largest(self.length, frame => self[frame], 1), options);
        const backward = this.reverse ? await run(reversed(forward), options) : undefined;
        const kinds = kindsOf(forward, sums);
        // All at once, for a page may be drawn between any two of these.
        Object.assign(this, {answers, forward, backward, sums, hottest, kinds, rows: undefined});
        this.turnTo(backward ?? forward);
        await this.show();
      }
    } catch (failure) {
      if (!loading.signal.aborted) {
        this.failure = failure.message;
      }
    } finally {
      clearTimeout(patience);
      if (this.loading === loading) {
        this.slow = false;
      }
    }
  }

  /** Shows the tree in the direction that is wanted. */
  async show() {
    const {forward} = this;
    if (this.reverse && !this.backward) {
      const backward = await run(reversed(forward), {took: this.took("build")});
      if (forward !== this.forward) {
        return;
      }
      this.backward = backward;
    }
    this.turnTo(this.reverse ? this.backward : forward);
    await this.find();
  }

  turnTo(tree) {
    this.drawing.prepare(tree);
    Object.assign(this, {tree, zoomed: 0, selected: -1, hovered: -1, search: undefined});
  }

  async find() {
    this.finding?.abort();
    const finding = (this.finding = new AbortController());
    const {tree} = this;
    this.wrong = undefined;
    try {
      const search = this.text === ""
        ? undefined
        : await run(found(tree, this.text), {signal: finding.signal, took: this.took("search")});
      if (tree === this.tree && !finding.signal.aborted) {
        this.search = search;
        this.match = -1;
        await this.list();
      }
    } catch (failure) {
      if (!finding.signal.aborted) {
        this.search = undefined;
        this.wrong = failure.message;
      }
    }
  }

  async list() {
    const {forward} = this;
    if (this.form === "table") {
      const rows = await run(rowsOf(this, {order: this.order}), {took: this.took("search")});
      this.rows = forward === this.forward ? rows : this.rows;
    }
  }

  took(kind) {
    const times = this.times[kind];
    return milliseconds => {
      times.push(milliseconds);
      times.length > KEPT_TIMES && times.shift();
    };
  }

  timed(kind, action) {
    const begin = performance.now();
    action();
    this.took(kind)(performance.now() - begin);
  }

  redraw() {
    if (this.tree && !this.due) {
      this.due = requestAnimationFrame(() => {
        this.due = undefined;
        if (this.tree && this.form === "graph") {
          this.timed("draw", () => this.drawing.draw({
            zoomed: this.zoomed,
            selected: this.selected,
            hovered: this.hovered,
            search: this.search,
            rootLabel: `all: ${quantity(this, 0)}`,
          }));
        }
      });
    }
  }

  render() {
    const rows = this.tree ? this.tree.deepest + 1 : 0;
    const empty = this.tree && this.tree.totals.every(total => !(total[0] > 0));
    const table = this.form === "table";
    return html`
      ${renderBar(this)}
      ${this.failure ? html`<p class="flame-failure" role="alert">${this.failure}</p>` : nothing}
      ${empty ? html`<p class="flame-empty quiet">There are no samples here.</p>` : nothing}
      ${this.tree && !empty && !table ? renderPath(this) : nothing}
      <div class="flame-scroll ${this.slow ? "flame-old" : ""}" ?hidden=${table || empty || !this.tree}
        @scroll=${() => { this.hovered = -1; this.redraw(); }}>
        <div class="flame-space" .style=${`height: ${rows * ROW}px`}>
          <canvas tabindex="0" role="application" aria-roledescription="flame graph" aria-label=${this.label()}
            @mousemove=${this.point} @mouseleave=${() => (this.hovered = -1)}
            @click=${event => this.timed("zoom", () => this.zoomAt(event))}
            @dblclick=${() => this.reset()}></canvas>
        </div>
      </div>
      ${this.tree && !empty && table ? renderTable(this) : nothing}
      ${this.tree && !empty ? renderFoot(this) : nothing}
      ${renderTip(this)}`;
  }

  /** In words, for who does not see it. */
  label() {
    if (!this.tree || !this.answers) {
      return "Flame graph";
    }
    const {type, unit} = this.answers[0];
    const {forward, hottest, sums} = this;
    const most = hottest === undefined
      ? ""
      : `; most in ${visible(forward.frames[hottest][0])} itself: ${percent(sums.selves[0][hottest], forward.totals[0][0])}`;
    return `Flame graph of ${visible(type)}: ${said(forward.totals[0][0], unit)}${most}. The table has the same.`;
  }

  name(node) {
    return node === 0 ? "all" : this.tree.frames[this.tree.frame[node]][0];
  }

  /** Changes what is looked at, and tells it to whoever keeps it. */
  tell(changes) {
    Object.assign(this, changes);
    const {text, reverse, form} = this;
    this.dispatchEvent(new CustomEvent("flame", {bubbles: true, detail: {text, reverse, form}}));
  }

  point(event) {
    const area = event.target.getBoundingClientRect();
    this.pointer = {x: event.clientX, y: event.clientY};
    this.hovered = this.drawing.at(event.clientX - area.left, event.clientY - area.top, this.zoomed);
    this.requestUpdate();
  }

  zoomAt(event) {
    const area = event.target.getBoundingClientRect();
    const node = this.drawing.at(event.clientX - area.left, event.clientY - area.top, this.zoomed);
    if (node >= 0) {
      this.zoom(node);
    }
  }

  zoom(node) {
    this.zoomed = this.tree.width[node] > 0 ? node : 0;
    this.selected = node;
    this.reveal(node);
  }

  reset() {
    this.zoomed = 0;
    this.selected = -1;
    this.hovered = -1;
  }

  reveal(node) {
    const {scroll} = this.drawing;
    const top = this.tree.depth[node] * ROW;
    if (top < scroll.scrollTop + ROW) {
      scroll.scrollTop = top - ROW;
    } else if (top + 2 * ROW > scroll.scrollTop + scroll.clientHeight) {
      scroll.scrollTop = top + 2 * ROW - scroll.clientHeight;
    }
  }

  next(step) {
    const nodes = this.search?.nodes ?? [];
    if (nodes.length > 0) {
      this.match = this.match < 0 ? (step > 0 ? 0 : nodes.length - 1) : (this.match + step + nodes.length) % nodes.length;
      this.timed("zoom", () => this.zoom(nodes[this.match]));
      this.form === "graph" || this.tell({form: "graph"});
    }
  }

  /** Shows where a frame of the table is in the graph. */
  async showFrame(frame) {
    const name = this.forward.frames[frame][0];
    this.tell({text: /^\/.+\/$/s.test(name) ? name.slice(1) : name, form: "graph"});
    await this.updateComplete;
    await this.find();
    this.next(1);
  }

  searchKey(event) {
    if (event.key === "Enter") {
      this.next(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.tell({text: ""});
      this.drawing.canvas.focus();
    }
  }

}

customElements.define("sennit-flame", SennitFlame);
