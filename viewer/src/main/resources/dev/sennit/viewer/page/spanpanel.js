// All that is known of a span, its flame graph and its log lines, in a panel beside the others.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {serviceColour} from "./colours.js";
import {duration, exactly, percent} from "./format.js";
import {addressWith, adjust, parameters} from "./router.js";
import {shortened} from "./tracecanvas.js";
import "./spanflame.js";

const TABS = [["details", "Details"], ["flame", "Flame graph"], ["lines", "Log lines"]];
const LONG = 300;

class SennitSpan extends LitElement {
  static properties = {
    model: {attribute: false},
    span: {attribute: false},
    detail: {state: true},
    failure: {state: true},
    tab: {state: true},
    opened: {state: true},
  };

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.asking?.abort();
  }

  willUpdate(changed) {
    if (changed.has("span")) {
      const {tab} = parameters();
      this.tab = TABS.some(([key]) => key === tab) ? tab : "details";
      this.load();
    }
  }

  async load() {
    this.asking?.abort();
    const {signal} = (this.asking = new AbortController());
    this.failure = undefined;
    this.opened = new Set();
    try {
      this.detail = await ask(`traces/${this.model.id}/spans/${this.span.id}`, {}, {signal});
    } catch (error) {
      if (!signal.aborted) {
        this.failure = error.message;
      }
    }
  }

  render() {
    const {span, model} = this;
    const service = model.serviceOf(span);
    return html`
      <div class="span-head">
        <h2><bdi>${shortened(span.name, 500)}</bdi></h2>
        <button aria-label="Close" title="Close ( Esc )" @click=${() => this.dispatchEvent(new CustomEvent("leave"))}>×</button>
      </div>
      <p class="trace-facts">
        <span class="trace-service"><i class="dot" .style=${`background: var(${serviceColour(service)})`}></i>
          <bdi>${shortened(service, 100)}</bdi></span>
        <strong>${duration(span.duration)}</strong>
        ${span.failed ? html`<span class="badge bad">failed</span>` : nothing}
      </p>
      <div role="tablist" aria-label="Of the span">
        ${TABS.map(([key, name]) => html`
          <button role="tab" id="tab-${key}" aria-selected=${key === this.tab} aria-controls="span-tab"
              tabindex=${key === this.tab ? 0 : -1} @click=${() => this.choose(key)} @keydown=${this.tabKey}>
            ${name}${key === "lines" && this.detail?.id === span.id && this.detail.lines.length > 0
              ? html` <span class="quiet">${this.detail.lines.length}${this.detail.moreLines ? "+" : ""}</span>` : nothing}
          </button>`)}
      </div>
      <div id="span-tab" role="tabpanel" aria-labelledby="tab-${this.tab}" tabindex="0">${this.renderTab()}</div>`;
  }

  renderTab() {
    if (this.tab === "flame") {
      return html`<sennit-span-flame .trace=${this.model.id} .span=${this.span.id}></sennit-span-flame>`;
    }
    if (this.failure) {
      return html`<p role="alert">${this.failure}</p>`;
    }
    if (this.detail?.id !== this.span.id) {
      return html`<p class="quiet" aria-busy="true">&nbsp;</p>`;
    }
    return this.tab === "lines" ? this.renderLines() : this.renderDetails();
  }

  renderDetails() {
    const {span, detail, model} = this;
    const facts = [
      ["Kind", detail.kind.toLowerCase()],
      ["Status", detail.status.toLowerCase()],
      ["Message", detail.message],
      ["Started", `${exactly(detail.start)}, ${duration(span.start)} into the trace`],
      ["Took", duration(span.duration)],
      ["Itself", `${duration(span.self)}, ${percent(span.self, span.duration)}`],
      ["Critical path", this.onPath()],
      ["Calls", `${model.children[span.index].length} directly, ${span.below} in all`],
      ["Scope", detail.scope],
      ["Trace state", detail.traceState],
      ["Span", detail.id],
      ["Parent", detail.parent],
    ];
    return html`
      ${model.remarks(span).map(remark => html`<p class="warning">${remark}</p>`)}
      ${this.renderList("", facts.filter(([, value]) => value).map(([key, value]) => ({key, value})), "fact")}
      ${this.renderList("Attributes", detail.attributes)}
      ${detail.events.length === 0 ? nothing : html`
        <h3>Events</h3>
        ${detail.events.map((event, index) => html`
          <div class="span-event">
            <p><span class="number quiet">+${duration(event.after)}</span> ${this.renderValue(`event-${index}`, event.name)}</p>
            ${this.renderList("", event.attributes, `event-${index}`)}
          </div>`)}`}
      ${detail.links.length === 0 ? nothing : html`
        <h3>Links</h3>
        ${detail.links.map((link, index) => html`
          <div class="span-event">
            <p><a class="code" href=${addressWith(`/traces/${link.trace}`, {span: link.span})}>${link.trace} ${link.span}</a></p>
            ${this.renderList("", link.attributes, `link-${index}`)}
          </div>`)}`}
      ${this.renderList("Resource", detail.resource ?? [])}`;
  }

  onPath() {
    const time = this.model.path
      .filter(([index]) => index === this.span.index)
      .reduce((sum, [, from, to]) => sum + to - from, 0);
    return time > 0 ? `${duration(time)}, ${percent(time, this.model.duration)} of the trace` : "";
  }

  renderList(title, list, prefix = title) {
    return list.length === 0 ? nothing : html`
      ${title ? html`<h3>${title}</h3>` : nothing}
      <dl class="span-list">
        ${list.map(({key, value}, index) => html`
          <div>
            <dt><bdi title=${shortened(key, LONG)}>${shortened(key, 100)}</bdi></dt>
            <dd>${this.renderValue(`${prefix}-${index}`, value)}</dd>
          </div>`)}
      </dl>`;
  }

  /** What is long is shown in part until somebody asks for the rest. */
  renderValue(place, value) {
    if (value.length <= LONG || this.opened.has(place)) {
      return html`<bdi>${value}</bdi>`;
    }
    return html`<bdi>${shortened(value, LONG)}</bdi>
      <button class="plain link" @click=${() => (this.opened = new Set([...this.opened, place]))}>
        all ${value.length} characters</button>`;
  }

  renderLines() {
    const {lines, moreLines} = this.detail;
    const trace = this.model.id;
    return html`
      <p class="span-links"><a href=${addressWith("/logs", {trace})}>All lines of the trace</a></p>
      ${lines.length === 0 ? html`<p class="quiet">This span wrote no log lines that are known to be of it.</p>` : html`
        <ol class="span-lines">
          ${lines.map(line => html`
            <li>
              <a class="number" href=${addressWith("/logs", {trace, at: Math.floor(line.time)})}
                title="Show it among the others">${exactly(line.time)}</a>
              <span class="severity ${line.severity >= 17 ? "bad" : line.severity >= 13 ? "warning" : "quiet"}">
                ${shortened(line.severityText ?? "", 12)}</span>
              <span class="body code">${this.renderValue(`line-${line.seq}`, line.body ?? "")}</span>
            </li>`)}
        </ol>`}
      ${moreLines ? html`<p class="quiet">The first ${lines.length} lines.</p>` : nothing}`;
  }

  choose(tab) {
    this.tab = tab;
    adjust({tab: tab === "details" ? "" : tab});
  }

  tabKey(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (by) {
      const at = TABS.findIndex(([key]) => key === this.tab);
      this.choose(TABS[(at + by + TABS.length) % TABS.length][0]);
      this.updateComplete.then(() => this.querySelector(`#tab-${this.tab}`).focus());
    }
  }
}

customElements.define("sennit-span", SennitSpan);
