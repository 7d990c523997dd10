// Where to send telemetry, and how much of it has come.

import {LitElement, html, nothing} from "lit";
import {bytes, count} from "./format.js";
import {listen} from "./live.js";

const NAMES = {traces: "Spans", logs: "Log records", profiles: "Profiles", metrics: "Metrics (not kept)"};

class SennitOverview extends LitElement {
  static properties = {receiver: {state: true}, connected: {state: true}, copied: {state: true}};

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Overview · Sennit";
    this.stop = listen("receiver", {
      counters: receiver => (this.receiver = receiver),
      connected: connected => (this.connected = connected),
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  render() {
    return html`
      <div class="toolbar">
        <h1 class="fill">Overview</h1>
        <span role="status" class="badge ${this.connected ? "good" : "warning"}">
          ${this.connected ? "live" : "connecting"}
        </span>
      </div>
      ${this.receiver ? [this.renderAddresses(), this.renderCounters()] : nothing}`;
  }

  renderAddresses() {
    const {http, grpc} = this.receiver;
    const ways = [
      ["OTLP over HTTP", "OTEL_EXPORTER_OTLP_ENDPOINT=" + http, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"],
      ["OTLP over gRPC", "OTEL_EXPORTER_OTLP_ENDPOINT=" + grpc, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"],
    ];
    return html`
      <div class="panels">
        ${ways.map(([name, ...lines]) => html`
          <section class="panel">
            <h2>${name}</h2>
            ${lines.map(line => html`
              <div class="copy">
                <code>${line}</code>
                <button @click=${() => this.copy(line)} aria-label="Copy ${line}">
                  ${this.copied === line ? "Copied" : "Copy"}
                </button>
              </div>`)}
          </section>`)}
      </div>`;
  }

  renderCounters() {
    return html`
      <section class="panel">
        <h2>Received</h2>
        <div class="scroll" tabindex="0" role="region" aria-label="Received">
          <table id="received">
            <thead>
              <tr>
                <th scope="col"></th>
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
        </div>
      </section>`;
  }

  async copy(line) {
    await navigator.clipboard.writeText(line);
    this.copied = line;
  }
}

customElements.define("sennit-overview", SennitOverview);
