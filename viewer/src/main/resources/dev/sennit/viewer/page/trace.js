// One trace: what took how long, and beside a span all that is known of it.

import {LitElement, html, nothing} from "lit";
import {address, ask} from "./api.js";
import {count} from "./format.js";
import {adjust, follow, parameters} from "./router.js";
import {shortened} from "./tracecanvas.js";
import {renderHead} from "./tracehead.js";
import {KEYS, keyOf, renderKeys} from "./tracekeys.js";
import {TraceModel} from "./tracemodel.js";
import "./spanpanel.js";
import "./tracestatistics.js";
import "./waterfall.js";

const SOON = 200;
const BETWEEN_KEYS = 100;

class SennitTrace extends LitElement {
  static properties = {
    trace: {},
    model: {state: true},
    failure: {state: true},
    loading: {state: true},
    selected: {state: true},
    view: {state: true},
    text: {state: true},
    found: {state: true},
    finding: {state: true},
    help: {state: true},
    zoomed: {state: true},
    copied: {state: true},
  };

  constructor() {
    super();
    this.selected = -1;
    this.found = [];
    this.text = "";
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.unfollow = follow(() => this.readAddress());
    this.onKey = event => this.key(event);
    addEventListener("keydown", this.onKey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.unfollow();
    removeEventListener("keydown", this.onKey);
    this.asking?.abort();
    this.searching?.abort();
    clearTimeout(this.patience);
  }

  willUpdate(changed) {
    if (changed.has("trace")) {
      this.load();
    }
  }

  get waterfall() {
    return this.querySelector("sennit-waterfall");
  }

  async load() {
    this.asking?.abort();
    const {signal} = (this.asking = new AbortController());
    document.title = `Trace ${this.trace.slice(0, 8)} · Sennit`;
    this.model = this.failure = undefined;
    this.selected = -1;
    this.found = [];
    this.text = "";
    this.patience = setTimeout(() => (this.loading = true), SOON);
    try {
      const answer = await ask(`traces/${encodeURIComponent(this.trace)}`, {}, {signal});
      this.model = new TraceModel(answer);
      const [root] = this.model.spans;
      document.title = `${shortened(root.name, 60)} · Sennit`;
      this.readAddress();
    } catch (error) {
      if (!signal.aborted) {
        this.failure = error.message;
      }
    } finally {
      if (!signal.aborted) {
        clearTimeout(this.patience);
        this.loading = false;
      }
    }
  }

  readAddress() {
    const {span, view, find = ""} = parameters();
    this.view = view === "statistics" ? view : "waterfall";
    if (this.model) {
      const index = this.model.place(span?.toLowerCase());
      if (index !== this.selected) {
        this.choose(index, {tell: false});
      }
      if (find !== this.text) {
        this.find(find);
      }
    }
  }

  /** Selects a span, or none. It stands in the address, but there is nothing to go back to. */
  async choose(index, {tell = true} = {}) {
    this.selected = index;
    if (tell) {
      adjust({span: index < 0 ? "" : this.model.spans[index].id, tab: index < 0 ? "" : parameters().tab});
    }
    if (index >= 0) {
      this.model.reveal(index);
    }
    await this.updateComplete;
    this.waterfall?.requestUpdate();
    await this.waterfall?.updateComplete;
    if (index >= 0) {
      this.waterfall?.bringIntoSight(index);
    }
  }

  fold(index, folded) {
    this.model.fold(index, folded);
    this.waterfall.schedule();
  }

  foldAll(folded) {
    this.model.foldAll(folded);
    if (this.selected >= 0) {
      this.waterfall.bringIntoSight(this.selected);
    }
    this.waterfall.schedule();
  }

  async find(text) {
    this.searching?.abort();
    const {signal} = (this.searching = new AbortController());
    this.text = text;
    adjust({find: text});
    if (text.trim() === "") {
      this.found = [];
      this.finding = false;
      return;
    }
    this.finding = true;
    try {
      await new Promise(done => setTimeout(done, BETWEEN_KEYS));
      signal.throwIfAborted();
      const {spans} = await ask(`traces/${this.trace}/find`, {text: text.trim()}, {signal});
      this.found = spans.map(id => this.model.place(id)).filter(index => index >= 0).sort((a, b) => a - b);
      this.finding = false;
    } catch (error) {
      if (!signal.aborted) {
        this.found = [];
        this.finding = false;
      }
    }
  }

  /** To the next of what was found, or to the one before. */
  step(by) {
    if (this.found.length > 0) {
      const at = by > 0
        ? this.found.find(index => index > this.selected) ?? this.found[0]
        : this.found.findLast(index => index < this.selected) ?? this.found.at(-1);
      this.choose(at);
    }
  }

  move(by) {
    const {rows, rowOf} = this.model;
    const row = this.selected < 0 ? (by > 0 ? 0 : rows.length - 1) : rowOf[this.selected] + by;
    this.choose(rows[Math.min(Math.max(row, 0), rows.length - 1)]);
  }

  key(event) {
    const key = keyOf(event);
    if (!key || !this.model || (this.view !== "waterfall" && !["?", "Escape"].includes(key))) {
      return;
    }
    const span = this.model.spans[this.selected];
    const actions = {
      ArrowDown: () => this.move(1),
      ArrowUp: () => this.move(-1),
      ArrowRight: () => span && (this.model.isFolded(span.index) ? this.fold(span.index, false) : this.move(1)),
      ArrowLeft: () => span && (this.model.hasChildren(span.index) && !this.model.isFolded(span.index)
        ? this.fold(span.index, true)
        : span.parent >= 0 && this.choose(span.parent)),
      "[": () => this.foldAll(true),
      "]": () => this.foldAll(false),
      f: () => (span ? this.waterfall.fitTo(span) : this.waterfall.reset()),
      "+": () => this.waterfall.zoom(0.5),
      "-": () => this.waterfall.zoom(2),
      "/": () => this.querySelector("#find").focus(),
      n: () => this.step(1),
      N: () => this.step(-1),
      "?": () => (this.help = !this.help),
      Escape: () => this.escape(event),
    };
    if (actions[key]) {
      event.preventDefault();
      actions[key]();
    }
  }

  /** Leaves the innermost of what one is in. */
  escape({target}) {
    if (this.help) {
      this.help = false;
    } else if (this.waterfall?.cancelDrag()) {
      return;
    } else if (target.id === "find") {
      this.find("");
      target.blur();
    } else if (this.waterfall?.isZoomed()) {
      this.waterfall.reset();
    } else if (this.selected >= 0) {
      this.choose(-1);
    }
  }

  render() {
    if (this.failure) {
      return html`
        <div class="toolbar"><h1 class="fill">Trace</h1></div>
        <section class="panel" role="alert"><p>${this.failure}</p><a href="/traces">To the traces</a></section>`;
    }
    if (!this.model) {
      return this.loading ? html`<p class="quiet" role="status">Loading the trace…</p>` : nothing;
    }
    return html`${renderHead(this.model, this.copied, () => this.copyId())} ${this.renderTools()}
      ${this.view === "statistics"
        ? html`<sennit-trace-statistics .model=${this.model} @operation=${this.showOperation}></sennit-trace-statistics>`
        : this.renderBody()}
      ${this.help ? renderKeys(KEYS, () => (this.help = false)) : nothing}`;
  }

  renderTools() {
    const at = this.found.indexOf(this.selected);
    return html`
      <div class="toolbar trace-tools">
        <div class="segments" role="group" aria-label="What to show">
          ${["waterfall", "statistics"].map(view => html`
            <button aria-pressed=${this.view === view} @click=${() => this.chooseView(view)}>
              ${view === "waterfall" ? "Waterfall" : "Statistics"}</button>`)}
        </div>
        ${this.view !== "waterfall" ? nothing : html`
          <div class="trace-find" role="search">
            <input id="find" type="search" placeholder="Find in this trace ( / )" aria-label="Find in this trace"
              .value=${this.text} @input=${event => (this.search = this.find(event.target.value))} @keydown=${this.findKey}>
            ${this.text.trim() === "" ? nothing : html`
              <span class="quiet" role="status">${this.finding ? "…" : this.found.length === 0 ? "none"
                : `${at < 0 ? "" : count(at + 1) + " of "}${count(this.found.length)}`}</span>
              <button aria-label="The one before" @click=${() => this.step(-1)}>↑</button>
              <button aria-label="The next" @click=${() => this.step(1)}>↓</button>`}
          </div>
          <div class="segments" role="group" aria-label="Fold">
            <button title="Fold all ( [ )" @click=${() => this.foldAll(true)}>Fold</button>
            <button title="Unfold all ( ] )" @click=${() => this.foldAll(false)}>Unfold</button>
          </div>
          ${this.zoomed ? html`<button id="all-time" @click=${() => this.waterfall.reset()}>All of the time</button>` : nothing}`}
        <span class="fill"></span>
        <a class="button" href=${address(`traces/${this.model.id}/export`)} download>OTLP JSON</a>
        <button aria-label="Keys" title="Keys ( ? )" @click=${() => (this.help = true)}>?</button>
      </div>`;
  }

  renderBody() {
    const span = this.model.spans[this.selected];
    return html`
      <div class="trace-body ${span ? "with-span" : ""}">
        <sennit-waterfall class="panel" .model=${this.model} .selected=${this.selected} .found=${new Set(this.found)}
          @choose=${({detail}) => this.choose(detail)}
          @fold=${({detail}) => this.fold(detail, !this.model.isFolded(detail))}
          @shown=${() => (this.zoomed = this.waterfall.isZoomed())}></sennit-waterfall>
        ${span ? html`
          <sennit-span class="panel" .model=${this.model} .span=${span} @leave=${() => this.choose(-1)}></sennit-span>`
          : nothing}
      </div>`;
  }

  chooseView(view) {
    this.view = view;
    adjust({view: view === "waterfall" ? "" : view});
  }

  showOperation({detail}) {
    this.chooseView("waterfall");
    this.find(detail);
  }

  async findKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      await this.search;
      this.step(event.shiftKey ? -1 : 1);
    }
  }

  async copyId() {
    await navigator.clipboard.writeText(this.model.id);
    this.copied = true;
    setTimeout(() => (this.copied = false), 1500);
  }
}

customElements.define("sennit-trace", SennitTrace);
