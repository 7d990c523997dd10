// What a trace spent its time on, by service and operation.

import {LitElement, html} from "lit";
import {serviceColour} from "./colours.js";
import {count, duration, percent} from "./format.js";
import {shortened} from "./tracecanvas.js";

const COLUMNS = [
  ["service", "Service"], ["name", "Operation"], ["count", "Spans"], ["failed", "Failed"],
  ["total", "Total"], ["average", "Average"], ["self", "Self"], ["share", "Share of self"],
];
const TEXT = new Set(["service", "name"]);
const MOST = 1000;

/** One line for each service and operation; total counts what overlaps more than once, self does not. */
export function statisticsOf(model) {
  const lines = new Map();
  let all = 0;
  for (const span of model.spans) {
    const service = model.serviceOf(span);
    const key = JSON.stringify([service, span.name]);
    const line = lines.get(key) ?? {service, name: span.name, count: 0, failed: 0, total: 0, self: 0};
    line.count++;
    line.failed += span.failed ? 1 : 0;
    line.total += span.duration;
    line.self += span.self;
    all += span.self;
    lines.set(key, line);
  }
  return [...lines.values()].map(line => ({
    ...line, average: line.total / line.count, share: all > 0 ? line.self / all : 0,
  }));
}

class SennitTraceStatistics extends LitElement {
  static properties = {model: {attribute: false}, by: {state: true}, down: {state: true}};

  constructor() {
    super();
    this.by = "self";
    this.down = true;
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (changed.has("model")) {
      this.lines = statisticsOf(this.model);
    }
    const {by} = this;
    this.lines.sort((a, b) => (TEXT.has(by) ? a[by].localeCompare(b[by]) : a[by] - b[by]) * (this.down ? -1 : 1));
  }

  render() {
    const shown = this.lines.slice(0, MOST);
    return html`
      <section class="panel">
        <div class="scroll" tabindex="0" role="region" aria-label="Statistics">
          <table id="statistics">
            <thead><tr>${COLUMNS.map(([key, name]) => html`
              <th scope="col" class=${TEXT.has(key) ? "" : "number"}
                  aria-sort=${key !== this.by ? "none" : this.down ? "descending" : "ascending"}>
                <button class="plain" @click=${() => this.sort(key)}>
                  ${name}${key === this.by ? (this.down ? " ↓" : " ↑") : ""}</button>
              </th>`)}</tr></thead>
            <tbody>${shown.map(line => html`
              <tr>
                <td><span class="trace-service"><i class="dot" .style=${`background: var(${serviceColour(line.service)})`}></i>
                  <bdi>${shortened(line.service, 60)}</bdi></span></td>
                <td><button class="plain link" title="Show these spans" @click=${() => this.showOperation(line.name)}>
                  <bdi>${shortened(line.name, 100)}</bdi></button></td>
                <td class="number">${count(line.count)}</td>
                <td class="number ${line.failed > 0 ? "bad" : ""}">${line.failed > 0 ? count(line.failed) : "–"}</td>
                <td class="number">${duration(line.total)}</td>
                <td class="number">${duration(line.average)}</td>
                <td class="number">${duration(line.self)}</td>
                <td class="number"><span class="share"><span class="meter"><i
                  .style=${`width: ${100 * line.share}%`}></i></span>${percent(line.share, 1)}</span></td>
              </tr>`)}</tbody>
          </table>
        </div>
        ${this.lines.length > MOST ? html`<p class="quiet">The first ${count(MOST)} of ${count(this.lines.length)}.</p>` : ""}
      </section>`;
  }

  sort(key) {
    this.down = key === this.by ? !this.down : !TEXT.has(key);
    this.by = key;
  }

  showOperation(name) {
    this.dispatchEvent(new CustomEvent("operation", {detail: name}));
  }
}

customElements.define("sennit-trace-statistics", SennitTraceStatistics);
