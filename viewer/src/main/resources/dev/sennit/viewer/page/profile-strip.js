// How much was sampled when. A range is dragged, or chosen with the arrow keys, and then looked at.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {token} from "./colours.js";
import {exactly, moment} from "./format.js";
import {said} from "./flame-words.js";

const LEAST_DRAG = 4;
const SHORT = 10_000;

class SennitProfileStrip extends LitElement {
  static properties = {
    query: {attribute: false},
    unit: {attribute: false},
    answer: {state: true},
    failure: {state: true},
    chosen: {state: true},
    pointed: {state: true},
  };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.recolour = () => this.draw();
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", this.recolour);
    addEventListener("theme", this.recolour);
    this.sizes = new ResizeObserver(this.recolour);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.dark.removeEventListener("change", this.recolour);
    removeEventListener("theme", this.recolour);
    this.sizes.disconnect();
    this.loading?.abort();
    this.loaded = undefined;
  }

  firstUpdated() {
    this.canvas = this.querySelector("canvas");
    this.sizes.observe(this.canvas);
  }

  updated() {
    const wanted = JSON.stringify(this.query);
    if (wanted !== this.loaded) {
      this.loaded = wanted;
      this.load();
    }
    this.draw();
  }

  async load() {
    this.loading?.abort();
    const loading = (this.loading = new AbortController());
    try {
      const answer = await ask("profile-times", this.query, {signal: loading.signal});
      this.answer = answer;
      this.chosen = undefined;
      this.failure = undefined;
    } catch (failure) {
      if (!loading.signal.aborted) {
        this.failure = failure.message;
      }
    }
  }

  render() {
    const {answer} = this;
    const length = answer ? answer.step * answer.totals.length : 0;
    const time = length < SHORT ? exactly : moment;
    return html`
      ${this.failure ? html`<p class="flame-failure" role="alert">${this.failure}</p>` : nothing}
      <canvas tabindex="0" role="application" aria-roledescription="chart over time"
        aria-label="Samples over time. The arrow keys choose a range, with Shift a longer one; Enter looks at it."
        title="Drag to look at a range, with Shift to compare with it"
        @pointerdown=${this.press} @pointermove=${this.move} @pointerup=${this.release}
        @pointercancel=${() => (this.chosen = undefined)} @pointerleave=${() => (this.pointed = undefined)}
        @keydown=${this.key}></canvas>
      <div class="strip-scale quiet">
        <span>${answer ? time(answer.from) : nothing}</span>
        <span role="status">${this.told()}</span>
        <span>${answer ? time(answer.from + length) : nothing}</span>
      </div>`;
  }

  /** What is chosen or pointed at, in words. */
  told() {
    const place = this.chosen ?? (this.pointed === undefined ? undefined : [this.pointed, this.pointed]);
    if (!place || !this.answer) {
      return nothing;
    }
    const [from, to] = this.rangeOf(place);
    const sum = this.answer.totals.slice(place[0], place[1] + 1).reduce((one, other) => one + other, 0);
    return `${exactly(from)} to ${exactly(to)}: ${said(sum, this.unit)}`;
  }

  rangeOf([first, last]) {
    const {from, step} = this.answer;
    return [from + first * step, from + (last + 1) * step];
  }

  draw() {
    const {canvas, answer} = this;
    if (!canvas || !answer) {
      return;
    }
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.floor(width * ratio);
    canvas.height = Math.floor(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const most = Math.max(1, ...answer.totals);
    const part = width / answer.totals.length;
    if (this.chosen) {
      pen.fillStyle = token("--accent-soft");
      pen.fillRect(this.chosen[0] * part, 0, (this.chosen[1] + 1 - this.chosen[0]) * part, height);
    }
    pen.fillStyle = token("--line");
    pen.fillRect(0, height - 1, width, 1);
    const [plain, accent] = [token("--ink-soft"), token("--accent")];
    answer.totals.forEach((total, i) => {
      if (total > 0) {
        const tall = Math.max(2, (total / most) * (height - 4));
        const isChosen = this.chosen ? i >= this.chosen[0] && i <= this.chosen[1] : i === this.pointed;
        pen.fillStyle = isChosen ? accent : plain;
        pen.fillRect(i * part, height - 1 - tall, Math.max(1, part - 1), tall);
      }
    });
  }

  placeOf(event) {
    const area = this.canvas.getBoundingClientRect();
    const share = (event.clientX - area.left) / area.width;
    return Math.max(0, Math.min(this.answer.totals.length - 1, Math.floor(share * this.answer.totals.length)));
  }

  press(event) {
    if (this.answer && event.button === 0) {
      this.canvas.setPointerCapture(event.pointerId);
      this.start = {place: this.placeOf(event), x: event.clientX};
    }
  }

  move(event) {
    if (!this.answer) {
      return;
    }
    const place = this.placeOf(event);
    this.pointed = place;
    if (this.start && Math.abs(event.clientX - this.start.x) >= LEAST_DRAG) {
      this.chosen = [Math.min(place, this.start.place), Math.max(place, this.start.place)];
    }
  }

  release(event) {
    const dragged = this.start && Math.abs(event.clientX - this.start.x) >= LEAST_DRAG;
    this.start = undefined;
    if (dragged && this.chosen) {
      this.choose(event.shiftKey);
    } else {
      this.chosen = undefined;
    }
  }

  key(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    const last = (this.answer?.totals.length ?? 0) - 1;
    if (step && last >= 0) {
      event.preventDefault();
      const within = place => Math.max(0, Math.min(last, place));
      const [first, end] = this.chosen ?? (step > 0 ? [-1, -1] : [last + 1, last + 1]);
      this.chosen = event.shiftKey && this.chosen ? [first, within(Math.max(first, end + step))] : [within(first + step), within(first + step)];
    } else if (event.key === "Enter" && this.chosen) {
      event.preventDefault();
      this.choose(event.shiftKey);
    } else if (event.key === "Escape" && this.chosen) {
      event.preventDefault();
      this.chosen = undefined;
    }
  }

  /** Tells "chosen" with the range, in whole milliseconds, and whether it is to compare with. */
  choose(other) {
    const [from, to] = this.rangeOf(this.chosen);
    const detail = {from: Math.floor(from), to: Math.max(Math.floor(from) + 1, Math.ceil(to)), other};
    this.dispatchEvent(new CustomEvent("chosen", {detail}));
  }
}

customElements.define("sennit-profile-strip", SennitProfileStrip);
