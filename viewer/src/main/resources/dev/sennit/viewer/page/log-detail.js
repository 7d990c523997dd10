// One log line with all that it has.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {marked} from "./highlight.js";
import {addressWith} from "./router.js";

/** Where the trace of a line is shown, at its span. */
export function traceAddress({trace, span}) {
  return addressWith("/traces/" + trace, {span});
}

/** What was asked for is kept with the opened line, for the element comes and goes with scrolling. */
class SennitLogDetail extends LitElement {
  static properties = {opened: {attribute: false}, text: {}, copied: {state: true}};

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.asking?.abort();
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.opened) {
      this.load();
    }
  }

  willUpdate(changed) {
    if (changed.has("opened")) {
      this.copied = false;
      this.load();
    }
  }

  async load() {
    const {opened} = this;
    this.asking?.abort();
    if (opened.whole || opened.error) {
      return;
    }
    this.asking = new AbortController();
    const {signal} = this.asking;
    try {
      opened.whole = await ask("logs/" + opened.line.seq, {}, {signal});
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      opened.error = error.message;
    }
    this.requestUpdate();
  }

  updated() {
    this.dispatchEvent(new CustomEvent("changed"));
  }

  render() {
    const line = {...this.opened.line, ...this.opened.whole};
    const at = Math.floor(line.time);
    const fields = [
      ["time", line.nanos ? new Date(at).toISOString().slice(0, -4) + line.nanos.slice(-9) + " UTC" : nothing],
      ["severity", line.word ?? (line.severity > 0 ? line.severity : nothing)],
      ["event", line.event ?? nothing],
      ["logger", line.scope ?? nothing],
      ["process", line.pid ?? nothing],
      ["thread", [line.thread, line.tid].filter(each => each !== undefined).join(" · ") || nothing],
      ["trace", line.trace ?? nothing],
      ["span", line.span ?? nothing],
    ].filter(([, value]) => value !== nothing);
    return html`
      <div class="toolbar">
        <button @click=${this.copy}>${this.copied ? "Copied" : "Copy"}</button>
        ${line.trace
          ? html`
            <a href=${traceAddress(line)}>Trace</a>
            <a href=${addressWith("/logs", {trace: line.trace, at, line: line.seq})}>All lines of the trace</a>`
          : nothing}
        <a href=${addressWith("/logs", {service: line.service, from: at - 60_000, to: at + 60_000, at, line: line.seq})}>
          The minute around it</a>
      </div>
      ${this.opened.error ? html`<p class="bad" role="alert">${this.opened.error}</p>` : nothing}
      <pre class="log-whole" dir="auto" tabindex="0">${marked(line.body ?? "", this.text)}</pre>
      <dl class="log-fields">
        ${fields.map(([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`)}
        ${Object.entries(line.attributes ?? {}).map(([key, value]) => this.renderAttribute(key, value))}
      </dl>`;
  }

  renderAttribute(key, value) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const short = key.length + text.length < 1000;
    return html`
      <dt class="code"><bdi>${key}</bdi></dt>
      <dd class="code">
        ${short
          ? html`<a href=${addressWith("/logs", {attribute: `${key}=${text}`})} title="Lines that have the same"><bdi>${marked(text, this.text)}</bdi></a>`
          : html`<bdi>${marked(text, this.text)}</bdi>`}
      </dd>`;
  }

  async copy() {
    await copyBody(this.opened.line);
    this.copied = true;
  }
}

/** Puts the whole body into the clipboard, also if the list has only its beginning. */
export async function copyBody(line) {
  const {body} = line.cut ? await ask("logs/" + line.seq) : line;
  await navigator.clipboard.writeText(body ?? "");
}

customElements.define("sennit-log-detail", SennitLogDetail);
