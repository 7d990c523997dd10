// Where to send telemetry, and how much of it has come.

import {LitElement, html, nothing} from "lit";
import {bytes, count} from "./format.js";
import {listen} from "./live.js";

const NAMES = {traces: "Spans", logs: "Log records", profiles: "Profiles", metrics: "Metrics (not kept)"};

/** Tells "connected" with whether there is a connection. Whoever has nothing yet is shown how to begin. */
class SennitReceiver extends LitElement {
  static properties = {empty: {attribute: false}, receiver: {state: true}, copied: {state: true}};

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.stop = listen("receiver", {
      counters: receiver => (this.receiver = receiver),
      connected: connected => this.dispatchEvent(new CustomEvent("connected", {detail: connected})),
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  render() {
    if (!this.receiver) {
      return nothing;
    }
    const spans = this.receiver.signals.find(({signal}) => signal === "traces")?.accepted ?? 0;
    return html`
      ${this.empty ? this.renderBeginning() : nothing}
      <details class="panel receiver" ?open=${this.empty}>
        <summary>
          <h2>Send telemetry here</h2>
          <span class="quiet">${count(spans)} spans received since the start</span>
        </summary>
        <div class="ways">${this.renderAddresses()}</div>
        ${this.renderCounters()}
      </details>`;
  }

  renderBeginning() {
    return html`
      <section class="panel beginning">
        <h2>No spans in this time</h2>
        <p>Choose a longer time above, or let something come. Run any program as it is, with no change to it:</p>
        ${this.renderLine("sennit run -- COMMAND")}
        <p>Or, where a program has an OpenTelemetry SDK, let it send to the address below. This page shows what comes,
          by itself.</p>
      </section>`;
  }

  renderAddresses() {
    const {http, grpc} = this.receiver;
    const ways = [
      ["OTLP over HTTP", "OTEL_EXPORTER_OTLP_ENDPOINT=" + http, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"],
      ["OTLP over gRPC", "OTEL_EXPORTER_OTLP_ENDPOINT=" + grpc, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"],
    ];
    return ways.map(([name, ...lines]) => html`
      <section>
        <h3>${name}</h3>
        ${lines.map(line => this.renderLine(line))}
      </section>`);
  }

  renderLine(line) {
    return html`
      <div class="copy">
        <code>${line}</code>
        <button @click=${() => this.copy(line)} aria-label="Copy ${line}">
          ${this.copied === line ? "Copied" : "Copy"}
        </button>
      </div>`;
  }

  renderCounters() {
    return html`
      <div class="scroll" tabindex="0" role="region" aria-label="Received">
        <table id="received">
          <thead>
            <tr>
              <th scope="col">Received</th>
              <th scope="col" class="number">Accepted</th>
              <th scope="col" class="number">Rejected</th>
              <th scope="col" class="number">Requests</th>
              <th scope="col" class="number">Malformed</th>
              <th scope="col" class="number">Refused</th>
              <th scope="col" class="number">Size</th>
            </tr>
          </thead>
          <tbody>
            ${this.receiver.signals.map(each => html`
              <tr id=${each.signal}>
                <th scope="row">${NAMES[each.signal] ?? each.signal}</th>
                <td class="number">${count(each.accepted)}</td>
                <td class="number">${count(each.rejected)}</td>
                <td class="number">${count(each.requests)}</td>
                <td class="number">${count(each.malformed)}</td>
                <td class="number">${count(each.refused)}</td>
                <td class="number">${bytes(each.bytes)}</td>
              </tr>`)}
          </tbody>
        </table>
      </div>`;
  }

  async copy(line) {
    await navigator.clipboard.writeText(line);
    this.copied = line;
  }
}

customElements.define("sennit-receiver", SennitReceiver);
