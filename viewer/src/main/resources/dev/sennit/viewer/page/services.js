// The services with their rates, errors and latencies, and what one of them does.

import {LitElement, html, nothing} from "lit";
import {repeat} from "lit/directives/repeat.js";
import {ask} from "./api.js";
import {serviceColour} from "./colours.js";
import {count, duration, moment, percent, rate} from "./format.js";
import {graph} from "./map.js";
import {addressWith} from "./router.js";
import {most, spark} from "./spark.js";

const CHARTS = [
  {name: "Rate", kind: "rate", absent: 0, value: (each, seconds) => each.requests / seconds, show: rate},
  {name: "Errors", kind: "errors", absent: 0, value: each => each.errors / each.requests, show: y => percent(y, 1)},
  {name: "p99", kind: "latency", value: each => each.p99, show: duration},
];

export const ORDERS = {
  name: () => 0,
  rate: each => -each.requests,
  errors: each => -each.errors / Math.max(1, each.requests),
  p50: each => -each.p50,
  p95: each => -each.p95,
  p99: each => -each.p99,
};

/** How many seconds a rate is about: from when the first request came, or the whole would be diluted by the time before. */
export function secondsOf(overview) {
  return Math.max(1, (overview.to - overview.since) / 1000);
}

function chart(index, overview, service) {
  const {name, kind, absent, value, show} = CHARTS[index];
  const highest = show(most(overview, service.buckets, value));
  return spark(overview, service.buckets, {label: `${name} over time, at most ${highest}`, kind, absent, value});
}

function latency(nanos, requests) {
  return requests > 0 ? duration(nanos) : "–";
}

function failure(errors, all) {
  return html`<span class=${errors > 0 ? "failed" : nothing}>${all > 0 ? percent(errors, all) : "–"}</span>`;
}

// What is longer does not fit into an address.
const LONGEST = 3000;

/** Whether a question can be asked about these names. */
export function canBeAsked(...names) {
  return encodeURIComponent(names.join("")).length <= LONGEST;
}

function links(service, times) {
  return !canBeAsked(service) ? nothing : [["Traces", "/traces"], ["Profiles", "/profiles"], ["Logs", "/logs"]].map(([name, path]) => html`
    <a href=${addressWith(path, {...times, service})} aria-label="${name} of ${service}">${name}</a>`);
}

class SennitServices extends LitElement {
  static properties = {
    overview: {attribute: false},
    times: {attribute: false},
    order: {attribute: false},
    selected: {attribute: false},
  };

  createRenderRoot() {
    return this;
  }

  render() {
    const weight = ORDERS[this.order] ?? ORDERS.name;
    const rows = [...this.overview.services].sort((a, b) =>
      weight(a) - weight(b) || (a.service < b.service ? -1 : 1));
    return html`
      <div class="scroll services" tabindex="0" role="region" aria-label="Services">
        <table>
          <thead>
            <tr>
              ${this.renderHead("name", "Service")}
              ${this.renderHead("rate", "Rate", 2)}
              ${this.renderHead("errors", "Errors", 2)}
              <th scope="col" class="two">Latency</th>
              ${this.renderHead("p50", "p50")}
              ${this.renderHead("p95", "p95")}
              ${this.renderHead("p99", "p99")}
              <th scope="col"></th>
            </tr>
          </thead>
          <tbody>${repeat(rows, each => each.service, each => this.renderRow(each))}</tbody>
        </table>
      </div>
      ${this.overview.more
        ? html`<p class="quiet">The first ${count(rows.length)} services, those with the most spans.</p>` : nothing}`;
  }

  renderHead(order, name, columns = 1) {
    const chosen = (this.order ?? "name") === order;
    return html`
      <th scope="col" colspan=${columns} class=${order === "name" ? nothing : columns > 1 ? "two" : "number"}
          aria-sort=${chosen ? (order === "name" ? "ascending" : "descending") : nothing}>
        <button class="plain" @click=${() => this.tell("order", order)}>${name}${chosen
          ? html`<span aria-hidden="true"> ${order === "name" ? "↑" : "↓"}</span>` : nothing}</button>
      </th>`;
  }

  renderRow(each) {
    const {service, requests, errors} = each;
    return html`
      <tr aria-selected=${this.selected === service} @click=${event => this.choose(event, service)}>
        <th scope="row" .style=${`--own: var(${serviceColour(service)})`}>
          <button class="plain service" title=${service}><bdi>${service}</bdi></button>
        </th>
        <td class="chart">${chart(0, this.overview, each)}</td>
        <td class="number" data-name="rate">${rate(requests / secondsOf(this.overview))}</td>
        <td class="chart">${chart(1, this.overview, each)}</td>
        <td class="number" data-name="errors">${failure(errors, requests)}</td>
        <td class="chart">${chart(2, this.overview, each)}</td>
        <td class="number" data-name="p50">${latency(each.p50, requests)}</td>
        <td class="number" data-name="p95">${latency(each.p95, requests)}</td>
        <td class="number" data-name="p99">${latency(each.p99, requests)}</td>
        <td class="links">${links(service, this.times)}</td>
      </tr>`;
  }

  choose(event, service) {
    if (!event.target.closest("a")) {
      this.tell("choose", service);
    }
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail}));
  }
}

/** What one service does, and with whom. Tells "close". */
class SennitService extends LitElement {
  static properties = {
    name: {attribute: false},
    overview: {attribute: false},
    edges: {attribute: false},
    times: {attribute: false},
    span: {attribute: false},
    operations: {state: true},
    error: {state: true},
  };

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.asking?.abort();
  }

  willUpdate(changed) {
    if (changed.has("name")) {
      this.operations = undefined;
      this.error = undefined;
    }
    if (changed.has("name") || changed.has("overview")) {
      this.load();
    }
  }

  async load() {
    this.asking?.abort();
    if (!canBeAsked(this.name)) {
      this.operations = {operations: []};
      this.error = "The name of this service is too long to ask for what it does.";
      return;
    }
    const asking = (this.asking = new AbortController());
    try {
      const answer = await ask("operations", {...this.span, service: this.name}, {signal: asking.signal});
      this.operations = answer;
      this.error = undefined;
    } catch (error) {
      if (!asking.signal.aborted) {
        this.error = error.message;
      }
    }
  }

  render() {
    const {seen, links: all} = graph(this.overview.services, this.edges);
    const service = this.overview.services.find(each => each.service === this.name);
    const own = seen.has(this.name);
    return html`
      <aside class="drawer" aria-label="Service ${this.name}" @keydown=${this.key}
             .style=${`--own: var(${own ? serviceColour(this.name) : "--ink-soft"})`}>
        <div class="toolbar">
          <h2 class="fill" tabindex="-1"><bdi>${this.name}</bdi></h2>
          <button @click=${this.close} title="Escape closes, too">Close</button>
        </div>
        ${own
          ? html`<p class="links">${links(this.name, this.times)}</p>`
          : html`<p class="quiet">Seen only from outside: it has no spans of its own.</p>`}
        ${service ? this.renderCharts(service) : nothing}
        ${this.error ? html`<p role="alert" class="failed">${this.error}</p>` : nothing}
        ${own ? this.renderOperations() : nothing}
        ${this.renderCalls("Called by", all.filter(({to}) => to === this.name), "from")}
        ${this.renderCalls("Calls", all.filter(({from}) => from === this.name), "to")}
      </aside>`;
  }

  renderCharts(service) {
    return html`
      <div class="charts">
        ${CHARTS.map(({name, value, show}, i) => html`
          <figure>
            <figcaption>${name} <span class="quiet">at most ${show(most(this.overview, service.buckets, value))}</span>
            </figcaption>
            ${chart(i, this.overview, service)}
          </figure>`)}
      </div>
      <p class="quiet ends"><span>${moment(this.overview.from)}</span><span>${moment(this.overview.to)}</span></p>`;
  }

  renderOperations() {
    if (!this.operations) {
      return html`<p class="quiet waiting">Loading…</p>`;
    }
    const {operations, more} = this.operations;
    const longest = Math.max(1, ...operations.map(({total}) => total));
    return html`
      <h3>Operations</h3>
      ${operations.length === 0 ? html`<p class="quiet">None in this time.</p>` : html`
        <div class="scroll" tabindex="0" role="region" aria-label="Operations">
          <table class="operations">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" class="number">Spans</th>
                <th scope="col" class="number">Errors</th>
                <th scope="col" class="number">p50</th>
                <th scope="col" class="number">p95</th>
                <th scope="col" class="number">p99</th>
              </tr>
            </thead>
            <tbody>
              ${operations.map(each => html`
                <tr>
                  <th scope="row" title="${each.name}, ${each.kind.toLowerCase()}, ${duration(each.total)} in total">
                    <a href=${this.address(each.name)}
                      ><bdi>${each.name}</bdi></a>
                    <span class="total" .style=${`width: ${(100 * each.total) / longest}%`}></span>
                  </th>
                  <td class="number">${count(each.spans)}</td>
                  <td class="number">${failure(each.errors, each.spans)}</td>
                  <td class="number">${duration(each.p50)}</td>
                  <td class="number">${duration(each.p95)}</td>
                  <td class="number">${duration(each.p99)}</td>
                </tr>`)}
            </tbody>
          </table>
        </div>`}
      ${more ? html`<p class="quiet">The first ${count(operations.length)}, the most frequent ones.</p>` : nothing}`;
  }

  address(operation) {
    return addressWith("/traces", {
      ...this.times,
      service: this.name,
      operation: canBeAsked(this.name, operation) ? operation : undefined,
    });
  }

  renderCalls(title, calls, end) {
    return calls.length === 0 ? nothing : html`
      <h3>${title}</h3>
      <table class="calls">
        <tbody>
          ${calls.map(each => html`
            <tr>
              <th scope="row">
                <button class="plain service" title=${each[end]} @click=${() => this.choose(each[end])}
                  ><bdi>${each[end]}</bdi></button>
              </th>
              <td class="number">${rate(each.calls / secondsOf(this.overview))}</td>
              <td class="number">${failure(each.errors, each.calls)}</td>
              <td class="number">${duration(each.p99)}</td>
            </tr>`)}
        </tbody>
      </table>`;
  }

  choose(name) {
    this.dispatchEvent(new CustomEvent("choose", {detail: name}));
  }

  key(event) {
    if (event.key === "Escape") {
      this.close();
    }
  }

  close() {
    this.dispatchEvent(new CustomEvent("choose"));
  }
}

customElements.define("sennit-services", SennitServices);
customElements.define("sennit-service", SennitService);
