// A list of log lines of which only those are drawn that can be seen. Tells "older" and "newer" when one comes near an
// end of what is there, "selected" when another line is, and "end" when one leaves the end or comes back to it.

import {LitElement, html, nothing} from "lit";
import {classMap} from "lit/directives/class-map.js";
import {repeat} from "lit/directives/repeat.js";
import {serviceColour} from "./colours.js";
import {count, exactly} from "./format.js";
import {excerpt, marked} from "./highlight.js";
import {traceAddress} from "./log-detail.js";
import {severityOf} from "./severity.js";

const BEYOND = 8;
const NEAR = 40;

/** How a line found its span, in more words. */
const CORRELATIONS = {
  line: "the line has the ids itself",
  record: "by the record of the thread at the moment of the write",
  thread: "the thread serves this one request",
  process: "the process serves this one request",
  retroactive: "the request became known just after the line",
};

class SennitLogList extends LitElement {
  static properties = {model: {attribute: false}, version: {type: Number}, text: {}, selected: {state: true}};

  constructor() {
    super();
    this.expanded = new Map();
    this.row = 24;
    this.atEnd = true;
    this.anchored = null;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.resized = () => {
      this.measure();
      this.wasLength = undefined;
      this.requestUpdate();
    };
    addEventListener("resize", this.resized);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("resize", this.resized);
  }

  get scroller() {
    return this.querySelector(".log-scroll");
  }

  /** As high as the window leaves room for, and rows as the style has them. */
  measure() {
    const {scroller} = this;
    const top = scroller.getBoundingClientRect().top + scrollY;
    scroller.style.height = `${Math.max(320, innerHeight - top - 16)}px`;
    this.row = parseFloat(getComputedStyle(scroller).getPropertyValue("--log-row")) || 24;
  }

  /** What is above each of the opened lines, in order. */
  get openings() {
    return [...this.expanded.values()]
      .map(({line, height}) => ({index: this.model.place(line), line, height}))
      .filter(({index, line}) => this.model.at(index)?.seq === line.seq)
      .sort((one, other) => one.index - other.index);
  }

  top(index, openings = this.openings) {
    return openings.reduce((sum, each) => (each.index < index ? sum + each.height : sum), index * this.row);
  }

  indexAt(y, openings = this.openings) {
    let extra = 0;
    for (const {index, height} of openings) {
      const below = (index + 1) * this.row + extra;
      if (y < below) {
        break;
      }
      if (y < below + height) {
        return index;
      }
      extra += height;
    }
    return Math.min(Math.max(0, this.model.length - 1), Math.floor((y - extra) / this.row));
  }

  /** Remembers what is at the upper edge, before lines come or go above it. */
  keepPlace() {
    if (!this.scroller || this.model.length === 0) {
      return;
    }
    const {scrollTop} = this.scroller;
    const index = this.indexAt(scrollTop);
    this.anchored = {line: this.model.at(index), offset: scrollTop - this.top(index)};
  }

  show(index, {middle = false} = {}) {
    const {scroller} = this;
    const top = this.top(index);
    const height = scroller.clientHeight;
    const head = this.headHeight();
    if (middle) {
      scroller.scrollTop = top - height / 2;
    } else if (top < scroller.scrollTop) {
      scroller.scrollTop = top;
    } else if (top + this.row > scroller.scrollTop + height - head) {
      scroller.scrollTop = top + this.row - height + head;
    }
    this.requestUpdate();
  }

  headHeight() {
    return this.querySelector(".log-head")?.offsetHeight ?? 0;
  }

  showEnd() {
    this.atEnd = true;
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  select(index, options) {
    if (this.model.length === 0) {
      return;
    }
    const bounded = Math.max(0, Math.min(this.model.length - 1, index));
    this.selected = this.model.at(bounded);
    this.show(bounded, options);
    this.tell("selected", this.selected);
  }

  move(by) {
    const from = this.selected ? this.model.place(this.selected) : this.indexAt(this.scroller.scrollTop) - by;
    this.select(from + by);
  }

  toggle(line) {
    this.keepPlace();
    if (!this.expanded.delete(line.seq)) {
      this.expanded.set(line.seq, {line, height: 0});
    }
    this.requestUpdate();
  }

  forget() {
    this.expanded.clear();
    this.selected = undefined;
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail, bubbles: true}));
  }

  scrolled() {
    const {scrollTop, clientHeight, scrollHeight} = this.scroller;
    const atEnd = scrollTop + clientHeight >= scrollHeight - this.row;
    if (atEnd !== this.atEnd) {
      this.atEnd = atEnd;
      this.tell("end", atEnd);
    }
    if (this.model.older && scrollTop < NEAR * this.row) {
      this.tell("older");
    } else if (this.model.newer && scrollHeight - scrollTop - clientHeight < NEAR * this.row) {
      this.tell("newer");
    }
    this.requestUpdate();
  }

  firstUpdated() {
    this.measure();
  }

  updated() {
    const {scroller} = this;
    let changed = false;
    for (const element of this.querySelectorAll(".log-open")) {
      const opened = this.expanded.get(Number(element.dataset.seq));
      if (opened && Math.abs(opened.height - element.offsetHeight) > 1) {
        opened.height = element.offsetHeight;
        changed = true;
      }
    }
    if (this.atEnd && !changed && this.wasLength !== this.model.length) {
      scroller.scrollTop = scroller.scrollHeight;
      this.anchored = null;
      changed = true;
    } else if (this.anchored && !changed) {
      const {line, offset} = this.anchored;
      this.anchored = null;
      const wanted = this.top(this.model.place(line)) + offset;
      if (Math.abs(wanted - scroller.scrollTop) >= 1) {
        scroller.scrollTop = wanted;
        changed = true;
      }
    }
    this.wasLength = this.model.length;
    if (changed) {
      this.requestUpdate();
    }
  }

  render() {
    const openings = this.openings;
    const {length} = this.model;
    const height = this.top(length, openings);
    const scrollTop = this.scroller?.scrollTop ?? 0;
    const seen = this.scroller?.clientHeight ?? 600;
    const first = Math.max(0, this.indexAt(scrollTop, openings) - BEYOND);
    const last = Math.min(length, this.indexAt(scrollTop + seen, openings) + BEYOND);
    const lines = this.model.all.slice(first, last);
    const render = (line, index) => this.renderRow(line, first + index);
    // To give elements to other lines is faster than to move them, but an opened line must keep its own.
    const rows = openings.some(({index}) => index >= first && index < last)
      ? repeat(lines, line => line.seq, render)
      : lines.map(render);
    return html`
      <div class="log-scroll" role="grid" aria-label="Log lines" tabindex="0" aria-rowcount=${length}
          aria-activedescendant=${this.selected ? "log-" + this.selected.seq : nothing} @scroll=${this.scrolled}>
        <div class="log-row log-head" role="row">
          ${["Time", "Severity", "Service", "Thread", "Line", "Trace"].map(name => html`
            <span role="columnheader">${name}</span>`)}
        </div>
        <div class="log-space" role="presentation" .style=${`height: ${height}px`}>
          <div class="log-window" role="presentation" .style=${`transform: translateY(${this.top(first, openings)}px)`}>${rows}</div>
        </div>
      </div>`;
  }

  renderRow(line, index) {
    const open = this.expanded.get(line.seq);
    const body = line.body ?? "";
    const {word} = severityOf(line.severity);
    const more = body.split("\n").length - 1;
    return html`
      <div id="log-${line.seq}" role="row" aria-rowindex=${index + 1} aria-expanded=${open !== undefined}
          aria-selected=${this.selected?.seq === line.seq}
          class=${classMap({"log-row": true, [word]: true, odd: index % 2 === 1})}
          @click=${event => this.clicked(event, index)}>
        <span role="gridcell" class="log-time">${(line.written ??= exactly(line.time))}</span>
        <span role="gridcell" class="log-severity">${word === "none" ? "–" : word}</span>
        <span role="gridcell" class="log-service" title=${line.service}>
          <i class="log-dot" .style=${`background: var(${serviceColour(line.service)})`}></i><bdi>${line.service}</bdi>
        </span>
        <span role="gridcell" class="log-thread" title=${line.thread ?? nothing}>
          <bdi>${line.thread ?? line.tid ?? ""}</bdi>
        </span>
        <span role="gridcell" class="log-body">
          <bdi>${marked(excerpt(body, this.text), this.text)}</bdi>
          ${more > 0 ? html`<span class="log-more">+${count(more)}${line.cut ? "…" : ""} ${more === 1 ? "line" : "lines"}</span>` : nothing}
        </span>
        <span role="gridcell" class="log-trace">
          ${line.trace
            ? html`<a class="code" href=${traceAddress(line)} title="To the trace ${line.trace}">${line.trace.slice(0, 8)}</a>`
            : nothing}
          ${line.correlation
            ? html`<span class="quiet" title=${CORRELATIONS[line.correlation] ?? line.correlation}>${line.correlation}</span>`
            : nothing}
        </span>
      </div>
      ${open
        ? html`<div class="log-open" data-seq=${line.seq}>
            <sennit-log-detail .opened=${open} .text=${this.text} @changed=${() => this.requestUpdate()}></sennit-log-detail>
          </div>`
        : nothing}`;
  }

  clicked(event, index) {
    // Who marks text to copy it does not want to open the line.
    if (!event.target.closest("a") && getSelection().isCollapsed) {
      this.selected = this.model.at(index);
      this.tell("selected", this.selected);
      this.toggle(this.selected);
    }
  }
}

customElements.define("sennit-log-list", SennitLogList);
