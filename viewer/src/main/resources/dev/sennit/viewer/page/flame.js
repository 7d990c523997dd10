// A flame graph of samples that a query names, or of two of them in comparison; as a picture and as a table.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {count, percent} from "./format.js";
import {addressWith} from "./router.js";
import {byFrame, compared, found, largest, reversed, run, treeOf} from "./flame-model.js";
import {Drawing, ROW, firstFrom, kindToken, labels, visible} from "./flame-draw.js";
import {renderTable, rowsOf} from "./flame-table.js";
import {describe, quantity, said} from "./flame-words.js";

const BLINK = 200;
const SHOWN_PATH = 6;
const KEPT_TIMES = 500;
const KEYS = [
  ["click, Enter", "zoom in"],
  ["Escape, double click", "show all again"],
  ["arrow keys", "walk from frame to frame"],
  ["/", "search: text, or /a regular expression/"],
  ["n, N", "next and previous match"],
  ["r or i", "reverse: the innermost frames first, then their callers"],
  ["t", "table or graph"],
];

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
    this.keys = event => this.key(event);
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
        // All at once, for a page may be drawn between any two of these.
        Object.assign(this, {answers, forward, backward, sums, hottest, rows: undefined});
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
    this.tree = this.reverse ? this.backward : forward;
    this.zoomed = 0;
    this.selected = -1;
    this.hovered = -1;
    this.search = undefined;
    this.drawing.prepare(this.tree);
    await this.find();
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
      ${this.renderBar()}
      ${this.failure ? html`<p class="flame-failure" role="alert">${this.failure}</p>` : nothing}
      ${empty ? html`<p class="flame-empty quiet">There are no samples here.</p>` : nothing}
      ${this.tree && !empty && !table ? this.renderPath() : nothing}
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
      ${this.tree && !empty ? this.renderFoot() : nothing}
      ${this.renderTip()}`;
  }

  renderBar() {
    return html`
      <div class="toolbar flame-bar">
        <input type="search" class="flame-search" placeholder="Search frames" spellcheck="false" autocomplete="off"
          aria-label="Search frames by text, or by /a regular expression/" title="Text, or /a regular expression/; n and N go from match to match"
          .value=${this.text} @input=${event => this.tell({text: event.target.value})}
          @keydown=${this.searchKey}>
        <span class="flame-found" role="status">${this.renderFound()}</span>
        <span class="fill"></span>
        ${this.slow ? html`<span class="quiet" role="status">Loading…</span>` : nothing}
        <button class="flame-reset" ?hidden=${this.zoomed === 0 || this.form === "table"} @click=${() => this.reset()}>Show all</button>
        <button class="flame-reverse" aria-pressed=${this.reverse} title="The innermost frames first, then their callers (r)"
          @click=${() => this.tell({reverse: !this.reverse})}>Reverse</button>
        <span class="flame-forms" role="group" aria-label="Form">
          ${[["graph", "Graph"], ["table", "Table"]].map(([form, name]) => html`
            <button class="flame-${form}" aria-pressed=${this.form === form} @click=${() => this.tell({form})}>${name}</button>`)}
        </span>
        ${this.compact
          ? html`<a href=${addressWith("/profiles", this.query ?? {})}>Open in Profiles</a>`
          : html`
            <details class="flame-help">
              <summary aria-label="Keys" title="Keys">?</summary>
              <dl>${KEYS.map(([key, what]) => html`<dt>${key}</dt><dd>${what}</dd>`)}</dl>
            </details>`}
      </div>`;
  }

  renderFound() {
    if (this.wrong) {
      return html`<span class="flame-wrong">${this.wrong}</span>`;
    }
    if (!this.search) {
      return nothing;
    }
    const {nodes, shares} = this.search;
    const told = shares.map(share => percent(share, 1)).join(" and ");
    return nodes.length === 0
      ? html`<span class="quiet">nothing found</span>`
      : html`
        <span>${told} in ${this.match < 0 ? nothing : html`${count(this.match + 1)} of `}${count(nodes.length)}
          ${nodes.length === 1 ? "place" : "places"}</span>
        <button class="flame-previous" aria-label="Previous match" title="Previous match (N)" @click=${() => this.next(-1)}>‹</button>
        <button class="flame-next" aria-label="Next match" title="Next match (n)" @click=${() => this.next(1)}>›</button>`;
  }

  renderPath() {
    const path = [];
    for (let at = this.zoomed; at >= 0; at = this.tree.parent[at]) {
      path.unshift(at);
    }
    const first = Math.max(1, path.length - SHOWN_PATH);
    return html`
      <nav class="flame-path" aria-label="From the root to what is zoomed in on" ?hidden=${this.zoomed === 0}>
        <button @click=${() => this.zoom(0)}>all</button>
        ${first > 1 ? "› …" : nothing}
        ${path.slice(first).map(node => html` › <button title=${visible(this.name(node))} @click=${() => this.zoom(node)}>${labels(visible(this.name(node)))[1]}</button>`)}
      </nav>`;
  }

  renderFoot() {
    const cut = this.answers.some(answer => answer.more);
    const shown = this.tree.totals.map((total, i) => percent(total[0], this.answers[i].total)).join(" and ");
    return html`
      <div class="flame-foot">
        <p class="flame-said" role="status">${this.selected >= 0 ? describe(this, this.selected).join(" · ") : nothing}</p>
        ${cut ? html`<p class="flame-cut quiet">Only the largest stacks are shown: ${shown} of all.</p>` : nothing}
        ${this.tree.totals.length > 1 ? this.renderChanges() : this.renderKinds()}
      </div>`;
  }

  renderKinds() {
    const sums = new Map();
    this.forward.frames.forEach(([, , kind], frame) => {
      sums.set(kind, (sums.get(kind) ?? 0) + this.sums.selves[0][frame]);
    });
    const kinds = [...sums].sort(([, one], [, other]) => other - one).slice(0, 8);
    return html`
      <ul class="flame-legend" aria-label="Colours, with what was measured in such frames themselves">
        ${kinds.map(([kind, sum]) => html`
          <li><i .style=${`background: var(${kindToken(kind)})`}></i><bdi>${visible(kind ?? "other")}</bdi>
            <span class="quiet">${percent(sum, this.forward.totals[0][0])}</span></li>`)}
      </ul>`;
  }

  renderChanges() {
    return html`
      <ul class="flame-legend" aria-label="Colours">
        <li><i class="flame-more"></i>more here</li>
        <li><i class="flame-less"></i>less here</li>
        <li class="quiet">than in the other, in shares of the total</li>
      </ul>`;
  }

  renderTip() {
    if (this.hovered < 0 || !this.pointer) {
      return html`<div class="flame-tip" hidden></div>`;
    }
    const {x, y} = this.pointer;
    const across = x > innerWidth / 2 ? `right: ${innerWidth - x + 12}px` : `left: ${x + 12}px`;
    const along = y > innerHeight / 2 ? `bottom: ${innerHeight - y + 14}px` : `top: ${y + 14}px`;
    const [name, ...lines] = describe(this, this.hovered);
    return html`
      <div class="flame-tip" .style=${`${across}; ${along}`}>
        <strong>${name}</strong>${lines.map(line => html`<span>${line}</span>`)}
      </div>`;
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

  /** To what calls the selected frame, to the largest that it calls, or to its neighbours. */
  walk(inwards, sideways) {
    const {tree} = this;
    const at = this.selected;
    let to = at;
    if (at < 0) {
      to = this.zoomed;
    } else if (inwards < 0) {
      to = Math.max(0, tree.parent[at]);
    } else if (inwards > 0) {
      for (let child = at + 1; child < tree.end[at]; child = tree.end[child]) {
        to = to === at || tree.width[child] > tree.width[to] ? child : to;
      }
    } else if (tree.depth[at] > tree.depth[this.zoomed]) {
      const depth = tree.depth[at];
      const place = firstFrom(tree, depth, at) + sideways;
      const neighbour = tree.rowNodes[place];
      const inRow = place >= tree.rowStarts[depth] && place < tree.rowStarts[depth + 1];
      to = inRow && neighbour >= this.zoomed && neighbour < tree.end[this.zoomed] ? neighbour : at;
    }
    this.selected = to;
    this.reveal(to);
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

  key(event) {
    const typing = event.target.closest?.("input, select, textarea");
    if (!this.tree || event.defaultPrevented || typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const actions = {
      "Escape": () => this.reset(),
      "/": () => this.querySelector(".flame-search").select(),
      "n": () => this.next(1),
      "N": () => this.next(-1),
      "r": () => this.tell({reverse: !this.reverse}),
      "i": () => this.tell({reverse: !this.reverse}),
      "t": () => this.tell({form: this.form === "table" ? "graph" : "table"}),
      ...(event.target === this.drawing.canvas && {
        "Enter": () => this.zoom(Math.max(0, this.selected)),
        "ArrowUp": () => this.walk(-1, 0),
        "ArrowDown": () => this.walk(1, 0),
        "ArrowLeft": () => this.walk(0, -1),
        "ArrowRight": () => this.walk(0, 1),
      }),
    };
    if (Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      this.timed("zoom", actions[event.key]);
    }
  }
}

customElements.define("sennit-flame", SennitFlame);
