// The spans of a trace over time, each in a row below the one that called it. Only what is in sight is drawn: names as
// elements, so that they can be read to people and selected, bars on a canvas.

import {LitElement, html, nothing, render} from "lit";
import {serviceColour} from "./colours.js";
import {count, duration} from "./format.js";
import {fit, hideHint, onColours, shortened, showHint} from "./tracecanvas.js";
import {cover, followDrag} from "./tracedrag.js";
import {drawAxis, drawBars, drawWhole, palette, scale} from "./tracedraw.js";

const LEAST = 1000;
const DRAWINGS = 2000;

class SennitWaterfall extends LitElement {
  static properties = {
    model: {attribute: false},
    selected: {type: Number},
    found: {attribute: false},
  };

  constructor() {
    super();
    this.selected = -1;
    this.pointed = -1;
    /** How long the script took to draw, in milliseconds, the last times. */
    this.drawings = [];
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.stopColours = onColours(() => this.recolour());
    this.observer = new ResizeObserver(() => this.recolour());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopColours();
    this.observer.disconnect();
    hideHint();
  }

  render() {
    return html`
      <div class="waterfall-head">
        <div class="waterfall-legend quiet">
          <span>Span</span>
          <span class="waterfall-signs" title="What the marks on the bars mean">
            <i class="sign-self"></i>self <i class="sign-path"></i>critical path
            <i class="sign-line"></i>log <i class="sign-event"></i>event
          </span>
        </div>
        <div class="waterfall-times">
          <div class="waterfall-whole" title="Drag to zoom in, double-click to see all"
              @pointerdown=${this.press} @dblclick=${this.reset}>
            <canvas class="whole"></canvas>
            <div class="shade before"></div><div class="shade after"></div>
          </div>
          <canvas class="axis" @pointerdown=${this.press} @dblclick=${this.reset}></canvas>
        </div>
      </div>
      <div class="waterfall-rows" role="tree" tabindex="0" aria-label="Spans" @scroll=${this.schedule}>
        <div class="waterfall-size">
          <div class="waterfall-window">
            <div class="waterfall-names" @click=${this.clickName} @pointermove=${this.pointName}
                @pointerleave=${this.leave}></div>
            <canvas class="bars" @pointerdown=${this.press} @dblclick=${this.reset} @wheel=${this.wheel}
                @pointermove=${this.point} @pointerleave=${this.leave}></canvas>
          </div>
        </div>
      </div>
      <div class="brush" hidden></div>`;
  }

  firstUpdated() {
    this.scroller = this.querySelector(".waterfall-rows");
    this.names = this.querySelector(".waterfall-names");
    this.bars = this.querySelector(".bars");
    this.brush = this.querySelector(".brush");
    this.observer.observe(this);
    this.observer.observe(this.scroller);
    this.shown ??= this.whole();
  }

  updated(changed) {
    if (changed.has("model")) {
      this.shown = this.whole();
      this.recolour();
    }
    this.schedule();
  }

  whole() {
    return {from: 0, to: Math.max(1, this.model.duration)};
  }

  isZoomed() {
    return this.shown.from > 0 || this.shown.to < this.whole().to;
  }

  /** Shows another part of the time; what lies outside of the trace is left out. */
  show(from, to) {
    const whole = this.whole();
    const width = Math.min(whole.to, Math.max(Math.min(LEAST, whole.to), to - from));
    const start = Math.min(Math.max(0, from), whole.to - width);
    this.shown = {from: start, to: start + width};
    this.schedule();
    this.dispatchEvent(new CustomEvent("shown"));
  }

  reset() {
    this.show(0, this.whole().to);
  }

  zoom(factor, share = 0.5) {
    const {from, to} = this.shown;
    const at = from + (to - from) * share;
    this.show(at - (at - from) * factor, at + (to - at) * factor);
  }

  /** Fits the time to a span, with a little room beside it. */
  fitTo(span) {
    const room = Math.max(LEAST, span.duration * 0.1);
    this.show(span.start - room, span.start + span.duration + room);
  }

  /** Scrolls no more than is needed to have a span in sight. */
  bringIntoSight(index) {
    const top = this.model.rowOf[index] * this.rowHeight();
    const {scrollTop, clientHeight} = this.scroller;
    if (top < scrollTop || top + this.rowHeight() > scrollTop + clientHeight) {
      this.scroller.scrollTop = top - clientHeight / 2;
    }
    this.schedule();
  }

  rowHeight() {
    this.row ??= 1.75 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    return this.row;
  }

  recolour() {
    if (this.model && this.scroller) {
      this.colours = palette(this.model.services);
      drawWhole(fit(this.querySelector(".whole")), this.model, this.colours);
      this.schedule();
    }
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const begin = performance.now();
      this.draw();
      this.drawings.push(performance.now() - begin);
      if (this.drawings.length > DRAWINGS) {
        this.drawings.shift();
      }
    });
  }

  draw() {
    if (!this.isConnected || !this.colours) {
      return;
    }
    const rowHeight = this.rowHeight();
    const {scrollTop, clientHeight} = this.scroller;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight));
    const last = Math.min(this.model.rows.length, first + Math.ceil(clientHeight / rowHeight) + 1);
    const offset = scrollTop - first * rowHeight;
    this.view = {
      first, last, offset, rowHeight, shown: this.shown, selected: this.selected, pointed: this.pointed,
    };
    this.querySelector(".waterfall-size").style.height = `${this.model.rows.length * rowHeight}px`;
    this.querySelector(".waterfall-window").style.height = `${clientHeight}px`;
    this.names.style.transform = `translateY(${-offset}px)`;
    render(this.model.rows.slice(first, last).map(index => this.renderName(this.model.spans[index])), this.names);
    drawBars(fit(this.bars), this.model, this.view, this.colours);
    drawAxis(fit(this.querySelector(".axis")), this.shown, this.colours);
    const whole = this.whole().to;
    this.querySelector(".before").style.width = `${(100 * this.shown.from) / whole}%`;
    this.querySelector(".after").style.width = `${100 - (100 * this.shown.to) / whole}%`;
    this.scroller.setAttribute("aria-activedescendant", this.selected >= 0 ? `span-${this.selected}` : "");
  }

  renderName(span) {
    const {model} = this;
    const {index, depth} = span;
    const service = model.serviceOf(span);
    const folded = model.isFolded(index);
    const parent = model.hasChildren(index);
    const failures = folded && span.failuresBelow > 0;
    return html`
      <div class="waterfall-name ${this.found?.has(index) ? "found" : ""}" role="treeitem" id="span-${index}"
          data-index=${index} aria-level=${depth + 1} aria-selected=${index === this.selected}
          aria-expanded=${parent ? String(!folded) : nothing}
          .style=${`--depth: ${Math.min(depth, 14)}; --service: var(${serviceColour(service)})`}>
        <span class="fold" aria-hidden="true">${parent ? (folded ? "▸" : "▾") : ""}</span>
        ${depth > 14 ? html`<span class="quiet depth">${depth}</span>` : nothing}
        <span class="dot"></span>
        <bdi class="name" title=${shortened(span.name, 1000)}>${shortened(span.name, 200)}</bdi>
        <bdi class="quiet service">${shortened(service, 100)}</bdi>
        ${folded ? html`<span class="quiet hidden-spans">+${count(span.below)}</span>` : nothing}
        ${span.failed || failures ? html`<span class="failed" title=${span.failed ? "failed" : "failed below"}>
          ${span.failed ? "!" : "¡"}</span>` : nothing}
      </div>`;
  }

  clickName(event) {
    const name = event.target.closest("[data-index]");
    if (name) {
      const index = Number(name.dataset.index);
      this.tell(event.target.closest(".fold") && this.model.hasChildren(index) ? "fold" : "choose", index);
    }
  }

  tell(what, index) {
    this.dispatchEvent(new CustomEvent(what, {detail: index}));
  }

  pointName(event) {
    this.pointAt(Number(event.target.closest("[data-index]")?.dataset.index ?? -1));
  }

  pointAt(index) {
    if (index !== this.pointed) {
      this.pointed = index;
      this.schedule();
    }
  }

  leave() {
    hideHint();
    this.pointAt(-1);
  }

  spanAt(event) {
    const y = event.clientY - this.bars.getBoundingClientRect().top;
    const row = this.view.first + Math.floor((y + this.view.offset) / this.view.rowHeight);
    return this.model.spans[this.model.rows[row]];
  }

  point(event) {
    const span = this.spanAt(event);
    this.pointAt(span?.index ?? -1);
    if (!span || event.buttons > 0) {
      hideHint();
      return;
    }
    const row = this.model.rowOf[span.index];
    const x = scale(this.shown, this.bars.clientWidth);
    const near = ([, time]) => Math.abs(x(time) - event.offsetX) <= 5;
    const lines = (this.model.marks.lines.get(row) ?? []).filter(near);
    const events = (this.model.marks.events.get(row) ?? []).filter(near);
    showHint(event.clientX, event.clientY, [
      span.name,
      `${shortened(this.model.serviceOf(span), 60)} · ${duration(span.duration)}, itself ${duration(span.self)}`,
      this.model.onPath.has(span.index) ? "on the critical path" : "",
      lines.length > 0 ? `${count(lines.length)} log line${lines.length > 1 ? "s" : ""} at ${duration(lines[0][1])}` : "",
      ...events.slice(0, 3).map(([, time, name]) => `${shortened(name, 60)} at ${duration(time)}`),
    ]);
  }

  /** Plain turns of the wheel scroll; with Control they zoom, sideways or with Shift they move in time. */
  wheel(event) {
    const {from, to} = this.shown;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(1.002 ** event.deltaY, event.offsetX / this.bars.clientWidth);
    } else if ((event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) && this.isZoomed()) {
      event.preventDefault();
      const by = ((event.deltaX || event.deltaY) / this.bars.clientWidth) * (to - from);
      this.show(from + by, to + by);
    }
  }

  /** What is dragged over becomes all that is shown. */
  press(event) {
    if (event.button !== 0) {
      return;
    }
    const target = event.currentTarget;
    const box = target.getBoundingClientRect();
    const shown = target.classList.contains("waterfall-whole") ? this.whole() : this.shown;
    const time = ({x}) => shown.from + ((shown.to - shown.from) * (x - box.left)) / box.width;
    this.giveUp = followDrag(event, box, {
      moved: (from, to) => {
        hideHint();
        this.brush.hidden = false;
        cover(this.brush, {x: from.x, y: box.top}, {x: to.x, y: box.bottom});
      },
      dropped: (from, to) => this.show(Math.min(time(from), time(to)), Math.max(time(from), time(to))),
      clicked: each => {
        const span = target === this.bars ? this.spanAt(each) : undefined;
        if (span) {
          this.tell("choose", span.index);
        }
      },
      ended: () => (this.brush.hidden = true),
    });
  }

  /** Gives up what is being dragged; false if nothing is. */
  cancelDrag() {
    return this.giveUp?.() ?? false;
  }
}

customElements.define("sennit-waterfall", SennitWaterfall);
