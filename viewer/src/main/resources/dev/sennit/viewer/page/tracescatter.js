// Traces as points: when they were and how long they took. A rectangle that is dragged leaves what is inside of it.

import {LitElement, html} from "lit";
import {token} from "./colours.js";
import {count, duration, exactly} from "./format.js";
import {addressWith, go} from "./router.js";
import {fit, hideHint, onColours, showHint, ticks} from "./tracecanvas.js";
import {cover, followDrag} from "./tracedrag.js";

const LEFT = 56;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 22;
const NEAR = 10;
/** Where the longest is that many times the shortest, equal distances are equal factors. */
const WIDE = 20;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800];

class SennitTraceScatter extends LitElement {
  static properties = {answer: {attribute: false}};

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.stopColours = onColours(() => this.draw());
    this.observer = new ResizeObserver(() => this.draw());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopColours();
    this.observer.disconnect();
    hideHint();
  }

  render() {
    const {points} = this.answer;
    const failed = points.filter(point => point.failed).length;
    return html`
      <canvas role="img" aria-label="${count(points.length)} traces by time and duration, ${count(failed)} of them failed"
        @pointermove=${this.point} @pointerleave=${hideHint} @pointerdown=${this.press}></canvas>
      <div class="brush" hidden></div>`;
  }

  firstUpdated() {
    this.canvas = this.querySelector("canvas");
    this.brush = this.querySelector(".brush");
    this.observer.observe(this.canvas);
  }

  updated() {
    this.measure();
    this.draw();
  }

  /** What lies where: times from left to right, durations from below, mostly by their logarithms. */
  measure() {
    const {points, from, to} = this.answer;
    const starts = points.map(({start}) => start);
    const durations = points.map(each => Math.max(1000, each.duration));
    const first = starts.reduce((a, b) => Math.min(a, b), Infinity);
    const last = starts.reduce((a, b) => Math.max(a, b), 0);
    this.from = from > 0 ? from : first - 1000;
    this.to = Math.max(Math.min(to, Math.max(last, Date.now())), this.from + 1, last + 1);
    const least = durations.reduce((a, b) => Math.min(a, b), Infinity);
    const most = durations.reduce((a, b) => Math.max(a, b), 0);
    this.logarithmic = most / least > WIDE;
    this.low = this.logarithmic ? least / 1.3 : 0;
    this.high = this.logarithmic ? most * 1.3 : most * 1.1;
  }

  height(value) {
    return this.logarithmic
      ? Math.log(value / this.low) / Math.log(this.high / this.low)
      : (value - this.low) / (this.high - this.low);
  }

  value(height) {
    return this.logarithmic
      ? this.low * (this.high / this.low) ** height
      : this.low + (this.high - this.low) * height;
  }

  draw() {
    if (!this.canvas || !this.answer) {
      return;
    }
    const {context, width, height} = fit(this.canvas);
    const x = time => LEFT + ((time - this.from) / (this.to - this.from)) * (width - LEFT - RIGHT);
    const y = value => height - BOTTOM - this.height(value) * (height - TOP - BOTTOM);
    const [ink, line, accent, bad] = ["--ink-soft", "--line", "--accent", "--bad"].map(token);
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    context.fillStyle = ink;
    context.strokeStyle = line;
    context.textBaseline = "middle";
    context.textAlign = "right";
    let above = Infinity;
    for (const value of this.marks()) {
      const at = Math.round(y(value)) + 0.5;
      if (at > TOP - 4 && at < above - 18) {
        context.fillText(value === 0 ? "0" : duration(value), LEFT - 8, at);
        stroke(context, LEFT, at, width - RIGHT, at);
        above = at;
      }
    }
    this.drawTimes(context, x, width, height);
    this.placed = this.answer.points.map(point => ({point, x: x(point.start), y: y(Math.max(1000, point.duration))}));
    context.fillStyle = accent;
    context.globalAlpha = 0.55;
    for (const each of this.placed) {
      if (!each.point.failed) {
        context.fillRect(each.x - 2, each.y - 2, 4, 4);
      }
    }
    context.globalAlpha = 1;
    context.strokeStyle = bad;
    context.lineWidth = 1.75;
    for (const each of this.placed) {
      if (each.point.failed) {
        stroke(context, each.x - 3.5, each.y - 3.5, each.x + 3.5, each.y + 3.5);
        stroke(context, each.x - 3.5, each.y + 3.5, each.x + 3.5, each.y - 3.5);
      }
    }
    context.lineWidth = 1;
  }

  marks() {
    if (!this.logarithmic) {
      return ticks(this.low, this.high, 4);
    }
    const list = [];
    for (let power = Math.floor(Math.log10(this.low)); power <= Math.log10(this.high); power++) {
      list.push(...[1, 2, 5].map(each => each * 10 ** power));
    }
    return list.filter(value => value >= this.low && value <= this.high);
  }

  drawTimes(context, x, width, height) {
    const seconds = (this.to - this.from) / 1000;
    const room = Math.max(1, (width - LEFT - RIGHT) / 90);
    const step = 1000 * (STEPS.find(each => seconds / each <= room) ?? STEPS.at(-1));
    const zone = new Date(this.from).getTimezoneOffset() * 60_000;
    context.textAlign = "center";
    for (let at = Math.ceil((this.from - zone) / step) * step + zone; at <= this.to; at += step) {
      const date = new Date(at);
      const label = step >= 86_400_000 ? date.toLocaleDateString("en-CA")
        : date.toLocaleTimeString("en-GB").slice(0, step >= 60_000 ? 5 : 8);
      if (x(at) > LEFT + 20 && x(at) < width - 24) {
        context.fillText(label, x(at), height - BOTTOM / 2 + 2);
      }
      stroke(context, Math.round(x(at)) + 0.5, height - BOTTOM, Math.round(x(at)) + 0.5, height - BOTTOM + 4);
    }
  }

  nearest(event) {
    let best;
    let least = NEAR * NEAR;
    for (const each of this.placed ?? []) {
      const distance = (each.x - event.offsetX) ** 2 + (each.y - event.offsetY) ** 2;
      if (distance <= least) {
        least = distance;
        best = each.point;
      }
    }
    return best;
  }

  point(event) {
    const point = event.buttons > 0 ? undefined : this.nearest(event);
    this.canvas.classList.toggle("pointing", point !== undefined);
    if (point) {
      showHint(event.clientX, event.clientY, [
        duration(point.duration) + (point.failed ? ", failed" : ""),
        exactly(point.start),
        `trace ${point.trace.slice(0, 8)}…`,
      ]);
    } else {
      hideHint();
    }
  }

  press(event) {
    if (event.button !== 0) {
      return;
    }
    const box = this.canvas.getBoundingClientRect();
    const time = x => this.from
      + ((Math.max(x, box.left + LEFT) - box.left - LEFT) / (box.width - LEFT - RIGHT)) * (this.to - this.from);
    const took = y => this.value((box.bottom - BOTTOM - y) / (box.height - TOP - BOTTOM));
    this.giveUp = followDrag(event, box, {
      moved: (from, to) => {
        hideHint();
        this.brush.hidden = false;
        cover(this.brush, from, to);
      },
      dropped: (a, b) => this.dispatchEvent(new CustomEvent("restrict", {
        detail: {
          from: String(Math.floor(time(Math.min(a.x, b.x)))),
          to: String(Math.ceil(time(Math.max(a.x, b.x)) + 1)),
          min: inAddress(Math.max(0, took(Math.max(a.y, b.y)))),
          max: inAddress(took(Math.min(a.y, b.y))),
        },
      })),
      clicked: each => {
        const point = this.nearest(each);
        if (point) {
          go(addressWith(`/traces/${point.trace}`, {span: point.span}));
        }
      },
      ended: () => (this.brush.hidden = true),
    });
  }

  /** Gives up the rectangle that is being dragged; false if there is none. */
  cancelDrag() {
    return this.giveUp?.() ?? false;
  }
}

function stroke(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

/** A duration as people write it, to three digits. */
function inAddress(nanos) {
  const [scale, unit] = [[1e9, "s"], [1e6, "ms"], [1e3, "us"]].find(([each]) => nanos >= each) ?? [1, "ns"];
  return `${Number((nanos / scale).toPrecision(3))}${unit}`;
}

customElements.define("sennit-trace-scatter", SennitTraceScatter);
