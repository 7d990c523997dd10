// How many lines there are over time, by severity: a strip of bars and the sums as words. Dragging over the strip
// chooses a time, a click goes to one, a word chooses the least severity.

import {LitElement, html, nothing} from "lit";
import {token} from "./colours.js";
import {count, exactly} from "./format.js";
import {SEVERITIES, severityOf} from "./severity.js";

const HEIGHT = 44;
const DRAGGED = 4;

class SennitLogStrip extends LitElement {
  static properties = {counts: {attribute: false}, severity: {}, drag: {state: true}};

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.redraw = () => this.draw();
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", this.redraw);
    addEventListener("theme", this.redraw);
    addEventListener("resize", this.redraw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.dark.removeEventListener("change", this.redraw);
    removeEventListener("theme", this.redraw);
    removeEventListener("resize", this.redraw);
  }

  updated() {
    this.draw();
  }

  get sums() {
    const sums = new Map();
    for (const {severity, lines} of this.counts?.parts ?? []) {
      sums.set(severity, (sums.get(severity) ?? 0) + lines);
    }
    return sums;
  }

  draw() {
    const canvas = this.querySelector("canvas");
    const scale = devicePixelRatio;
    const width = canvas.clientWidth;
    canvas.width = width * scale;
    canvas.height = HEIGHT * scale;
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const {from, to, width: part, parts} = this.counts ?? {parts: []};
    if (parts.length === 0) {
      return;
    }
    const stacks = Map.groupBy(parts, each => each.start);
    const most = Math.max(...[...stacks.values()].map(stack => stack.reduce((sum, each) => sum + each.lines, 0)));
    const wide = Math.max(1, (part / (to - from)) * width - 1);
    for (const [start, stack] of stacks) {
      let bottom = HEIGHT;
      for (const {severity, lines} of stack.toReversed()) {
        const high = Math.max(1, (lines / most) * (HEIGHT - 2));
        context.fillStyle = token(severityOf(severity).token);
        context.fillRect(((start - from) / (to - from)) * width, bottom - high, wide, high);
        bottom -= high;
      }
    }
  }

  render() {
    const {sums} = this;
    const {from, to, parts} = this.counts ?? {parts: []};
    return html`
      <div class="log-strip" @pointerdown=${this.begin} @pointermove=${this.go} @pointerup=${this.end}
          @pointercancel=${() => (this.drag = undefined)} title="Drag to choose a time">
        <canvas aria-hidden="true"></canvas>
        ${this.drag
          ? html`<div class="log-chosen" .style=${`left: ${Math.min(...this.drag)}px; width: ${Math.abs(this.drag[1] - this.drag[0])}px`}></div>`
          : nothing}
      </div>
      <div class="log-sums">
        <span class="quiet">${parts.length > 0 ? exactly(from).slice(0, -4) : ""}</span>
        <span class="log-words">
          ${SEVERITIES.filter(({least}) => sums.has(least)).map(({least, word, token: colour}) => html`
            <button class="log-sum" aria-pressed=${this.severity === word} ?disabled=${least === 0}
                title=${least === 0 ? "Without a severity" : `Only ${word} and worse`} @click=${() => this.choose(word)}>
              <i class="log-dot" .style=${`background: var(${colour})`}></i>${word} ${count(sums.get(least))}
            </button>`)}
        </span>
        <span class="quiet">${parts.length > 0 ? exactly(to).slice(0, -4) : ""}</span>
      </div>`;
  }

  choose(word) {
    this.tell("severity", this.severity === word ? "" : word);
  }

  x(event) {
    const {left, width} = this.querySelector("canvas").getBoundingClientRect();
    return Math.max(0, Math.min(width, event.clientX - left));
  }

  begin(event) {
    if (this.counts && event.button === 0) {
      event.currentTarget.setPointerCapture(event.pointerId);
      this.drag = [this.x(event), this.x(event)];
    }
  }

  go(event) {
    if (this.drag) {
      this.drag = [this.drag[0], this.x(event)];
    }
  }

  end() {
    if (!this.drag) {
      return;
    }
    const {from, to} = this.counts;
    const width = this.querySelector("canvas").clientWidth;
    const [first, last] = this.drag.toSorted((a, b) => a - b).map(x => Math.round(from + (x / width) * (to - from)));
    const dragged = Math.abs(this.drag[1] - this.drag[0]) >= DRAGGED;
    this.drag = undefined;
    if (dragged && last > first) {
      this.tell("time", {from: first, to: last});
    } else {
      this.tell("moment", first);
    }
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail, bubbles: true}));
  }
}

customElements.define("sennit-log-strip", SennitLogStrip);
