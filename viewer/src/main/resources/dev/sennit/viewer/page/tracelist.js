// A list of traces, of which only the lines in sight are elements.

import {LitElement, html, nothing} from "lit";
import {repeat} from "lit/directives/repeat.js";
import {serviceColour} from "./colours.js";
import {count, duration, exactly} from "./format.js";
import {shortened} from "./tracecanvas.js";

const BEYOND = 10;
const AGES = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], [1000, "s"]];

/** How long ago, in the largest unit that fits. */
function ago(millis) {
  const passed = Date.now() - millis;
  const [scale, unit] = AGES.find(([each]) => passed >= each) ?? [];
  return unit ? `${Math.floor(passed / scale)} ${unit} ago` : "now";
}

class SennitTraceList extends LitElement {
  static properties = {traces: {attribute: false}, current: {state: true}, first: {state: true}, last: {state: true}};

  constructor() {
    super();
    this.current = -1;
    this.first = 0;
    this.last = 50;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.onScroll = () => (this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.look();
    }));
    addEventListener("scroll", this.onScroll, {passive: true});
    addEventListener("resize", this.onScroll);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("scroll", this.onScroll);
    removeEventListener("resize", this.onScroll);
  }

  willUpdate(changed) {
    if (changed.has("traces")) {
      this.current = -1;
      this.longest = Math.max(...this.traces.map(({duration: each}) => each), 1);
    }
  }

  updated(changed) {
    if (changed.has("traces")) {
      this.look();
    }
  }

  lineHeight() {
    return this.querySelector(".trace-line")?.getBoundingClientRect().height || 40;
  }

  look() {
    const height = (this.height = this.lineHeight());
    const above = -this.querySelector("ol").getBoundingClientRect().top;
    this.first = Math.max(0, Math.min(Math.floor(above / height) - BEYOND, this.traces.length - 1));
    this.last = Math.min(this.traces.length, Math.ceil((above + innerHeight) / height) + BEYOND);
    this.last = Math.max(this.last, this.first + 2 * BEYOND);
  }

  /** Goes up or down in the list; Enter then follows the link, as everywhere. */
  async move(by) {
    this.current = Math.min(Math.max(0, this.current + by), this.traces.length - 1);
    const top = this.querySelector("ol").getBoundingClientRect().top + this.current * (this.height ?? 40);
    if (top < 0 || top + this.height > innerHeight) {
      scrollBy(0, top - innerHeight / 2);
      this.look();
    }
    await this.updateComplete;
    this.querySelector(`[data-trace="${this.current}"]`)?.focus();
  }

  render() {
    const {traces, first, height = 40} = this;
    const last = Math.min(this.last, traces.length);
    return html`
      <div class="trace-lines panel">
        <div class="trace-titles quiet" aria-hidden="true">
          <span>Trace</span><span class="took">Took</span><span class="number">Spans</span>
          <span>Services</span><span class="number">When</span>
        </div>
        <ol @focusin=${event => (this.current = Number(event.target.dataset.trace))}>
          <li aria-hidden="true" .style=${`height: ${first * height}px`}></li>
          ${repeat(traces.slice(first, last), ({id}) => id, (trace, index) => this.renderLine(trace, first + index))}
          <li aria-hidden="true" .style=${`height: ${(traces.length - last) * height}px`}></li>
        </ol>
      </div>`;
  }

  renderLine(trace, place) {
    const {traces} = this;
    const colour = `var(${serviceColour(trace.service)})`;
    return html`
      <li aria-setsize=${traces.length} aria-posinset=${place + 1}>
        <a class="trace-line" href="/traces/${trace.id}" data-trace=${place} .style=${`--service: ${colour}`}>
          <span class="root"><i class="dot"></i><bdi class="service">${shortened(trace.service, 100)}</bdi>
            <bdi class="name">${shortened(trace.name, 200)}</bdi>
            ${trace.errors > 0 ? html`<span class="badge bad">${count(trace.errors)} failed</span>` : nothing}</span>
          <span class="took"><span class="meter"><i
            .style=${`width: ${Math.max(0.5, (100 * trace.duration) / this.longest)}%`}></i></span>
            <span class="number">${duration(trace.duration)}</span></span>
          <span class="number spans">${count(trace.spans)}<span class="unit"> span${trace.spans === 1 ? "" : "s"}</span></span>
          <span class="services" title=${shortened(trace.services.join(", "), 500)}>
            ${trace.services.slice(0, 8).map(name => html`<i class="dot"
              .style=${`background: var(${serviceColour(name)})`}></i>`)}
            <span class="quiet">${count(trace.services.length)}</span></span>
          <time class="number quiet" title=${exactly(trace.start)}>${ago(trace.start)}</time>
        </a>
      </li>`;
  }
}

customElements.define("sennit-trace-list", SennitTraceList);
