// One process that publishes who it is, and which of its threads are in which span. Of many threads only those are
// drawn that can be seen.

import {LitElement, html, nothing} from "lit";
import {count, duration} from "./format.js";
import {serviceColour} from "./colours.js";
import {addressWith, parameters} from "./router.js";

const AROUND = 4;
const SHOWN = 8;
const SHOWN_ALONE = 20;
const narrow = matchMedia("(max-width: 45rem)");

/** How long, as far as ten looks in a second can tell. */
function passed(millis) {
  return millis < 60e3 ? `${(Math.max(0, millis) / 1000).toFixed(1)} s` : duration(millis * 1e6);
}

class SennitProcess extends LitElement {
  static properties = {
    process: {attribute: false},
    reading: {attribute: false},
    threads: {attribute: false},
    now: {attribute: false},
    alone: {attribute: false},
    visible: {state: true},
    top: {state: true},
  };

  constructor() {
    super();
    this.visible = true;
    this.top = 0;
    this.tallest = 0;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.observer = new IntersectionObserver(([entry]) => (this.visible = entry.isIntersecting), {rootMargin: "200px"});
    this.observer.observe(this);
    this.resize = () => this.requestUpdate();
    narrow.addEventListener("change", this.resize);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer.disconnect();
    narrow.removeEventListener("change", this.resize);
  }

  shouldUpdate(changed) {
    return this.visible || changed.has("visible") || changed.has("process");
  }

  render() {
    const {pid, service, instance, storage, stopped, resource, attributes} = this.process;
    const {inSpans, others, problem} = this.reading;
    return html`
      <article class="panel process" .style=${`--own: var(${serviceColour(service ?? "")})`}>
        <div class="who">
          <h2><a href=${addressWith("/processes", {...parameters(), pid})} title="Only this process"
            ><bdi>${service ?? "(no name)"}</bdi></a></h2>
          <span>pid ${pid}</span>
          <code class="quiet" title="service.instance.id"><bdi>${instance ?? ""}</bdi></code>
          <span class="fill"></span>
          <span class="quiet">${count(inSpans)} threads in spans, ${count(others)} in none</span>
          ${storage ? html`<span class="badge" title="How it keeps the records of its threads">${storage}</span>` : nothing}
        </div>
        ${problem ? html`<p class="quiet problem">${problem}</p>` : this.renderThreads(inSpans)}
        ${stopped ? html`<p class="quiet problem">Its threads stop for some microseconds to be read, so they are read once
          a second at most.</p>` : nothing}
        <details ?open=${this.alone}>
          <summary>Published context</summary>
          ${[["Resource", resource], ["Attributes", attributes]].map(([name, entries]) => this.renderEntries(name, entries))}
        </details>
      </article>`;
  }

  renderEntries(name, entries) {
    const lines = Object.entries(entries);
    return lines.length === 0 ? nothing : html`
      <h3>${name}</h3>
      <dl>${lines.map(([key, value]) => html`<div><dt><bdi>${key}</bdi></dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`;
  }

  renderThreads(inSpans) {
    const row = narrow.matches ? 52 : 28;
    const all = this.threads;
    // The place below does not move each time that a span ends.
    this.tallest = Math.max(this.tallest, Math.min(all.length, this.alone ? SHOWN_ALONE : SHOWN));
    const first = Math.max(0, Math.min(Math.floor(this.top / row), all.length - this.tallest) - AROUND);
    const shown = all.slice(first, first + this.tallest + 2 * AROUND);
    return html`
      ${this.tallest > 0 ? html`
        <div class="thread heads" aria-hidden="true">
          <span>Tid</span><span>Thread</span><span class="number">In span</span><span>Trace</span><span>Span</span>
          <span>Attributes</span>
        </div>` : nothing}
      <div class="threads" role="table" aria-label="Threads in spans" aria-rowcount=${all.length} tabindex="0"
           .style=${`height: ${this.tallest * row + 2}px`} @scroll=${event => (this.top = event.target.scrollTop)}>
        <div class="all" .style=${`height: ${all.length * row}px`}>
          ${shown.map((each, i) => this.renderThread(each, (first + i) * row, row))}
        </div>
      </div>
      ${inSpans > this.reading.threads.length
        ? html`<p class="quiet problem">The first ${count(this.reading.threads.length)} of ${count(inSpans)} threads that
            are in spans.</p>` : nothing}
      ${all.length === 0 ? html`<p class="quiet problem">No thread is in a span now${all === this.reading.threads
        ? "" : ", or none that the filter lets pass"}.</p>` : nothing}`;
  }

  renderThread({tid, name, trace, span, since, attributes}, top, height) {
    const text = Object.entries(attributes).map(([key, value]) => `${key}=${value}`).join(" ");
    return html`
      <div class="thread row" role="row" .style=${`top: ${top}px; height: ${height}px`}>
        <span role="cell" class="tid">${tid}</span>
        <span role="cell" class="name" title=${name}><bdi>${name}</bdi></span>
        <span role="cell" class="time number" title="Seen in this span for so long">${passed(this.now - since)}</span>
        <a role="cell" class="trace code" href="/traces/${trace}" title="Trace ${trace}">${trace}</a>
        <span role="cell" class="span code" title="Span ${span}">${span}</span>
        <span role="cell" class="attributes" title=${text}><bdi>${text}</bdi></span>
      </div>`;
  }
}

customElements.define("sennit-process", SennitProcess);
