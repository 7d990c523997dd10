// Traces: what to look for, a picture of how long they took and when, and a list. All of the search is in the address.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {count, moment} from "./format.js";
import {range} from "./range.js";
import {adjust, follow, go, parameters} from "./router.js";
import {shortened} from "./tracecanvas.js";
import {LIST_KEYS, keyOf, renderKeys} from "./tracekeys.js";
import "./tracelist.js";
import "./tracescatter.js";

const FIELDS = ["text", "service", "operation", "attribute", "min", "max", "status"];
const ID = /^\s*([0-9a-f]{32})\s*$/i;
const SOON = 200;
const USUAL = 200;
const MOST = 2000;

class SennitTraces extends LitElement {
  static properties = {
    traces: {state: true},
    points: {state: true},
    values: {state: true},
    failure: {state: true},
    loading: {state: true},
    help: {state: true},
  };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Traces · Sennit";
    this.unfollow = follow(path => path === "/traces" && this.load());
    this.onKey = event => this.key(event);
    addEventListener("keydown", this.onKey);
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.unfollow();
    removeEventListener("keydown", this.onKey);
    this.asking?.abort();
    clearTimeout(this.patience);
  }

  search() {
    const all = parameters();
    return {...Object.fromEntries(FIELDS.map(field => [field, all[field]])), ...range()};
  }

  async load() {
    this.asking?.abort();
    clearTimeout(this.patience);
    const {signal} = (this.asking = new AbortController());
    const search = this.search();
    const {sort, limit = USUAL} = parameters();
    this.requestUpdate();
    this.querySelector("sennit-range")?.requestUpdate();
    this.patience = setTimeout(() => (this.loading = true), SOON);
    try {
      const [traces, points] = await Promise.all([
        ask("traces", {...search, sort, limit}, {signal}),
        ask("trace-points", search, {signal}),
      ]);
      this.failure = undefined;
      Object.assign(this, {traces, points});
      this.values = await ask("trace-values", {service: search.service, ...range()}, {signal});
    } catch (error) {
      if (!signal.aborted) {
        this.failure = error.message;
      }
    } finally {
      if (!signal.aborted) {
        clearTimeout(this.patience);
        this.loading = false;
      }
    }
  }

  /** Looks for something else; an empty value leaves that condition out. */
  change(changes) {
    adjust({...changes, limit: ""});
    this.load();
  }

  changeField(event) {
    const {name, value} = event.target;
    const [, id] = (name === "text" && ID.exec(value)) || [];
    if (id) {
      go(`/traces/${id.toLowerCase()}`);
    } else if (value.trim() !== (parameters()[name] ?? "")) {
      this.change({[name]: value.trim()});
    }
  }

  key(event) {
    const key = keyOf(event);
    const list = this.querySelector("sennit-trace-list");
    const actions = {
      "/": () => this.querySelector("#text").focus(),
      j: () => list?.move(1),
      k: () => list?.move(-1),
      ArrowDown: () => list?.move(1),
      ArrowUp: () => list?.move(-1),
      "?": () => (this.help = !this.help),
      Escape: () => this.escape(event),
    };
    if (actions[key]) {
      event.preventDefault();
      actions[key]();
    }
  }

  escape({target}) {
    if (this.help) {
      this.help = false;
    } else if (!this.querySelector("sennit-trace-scatter")?.cancelDrag() && target.matches?.("input, select")) {
      target.blur();
    }
  }

  render() {
    return html`
      <div class="toolbar">
        <h1 class="fill">Traces</h1>
        ${this.loading ? html`<span class="quiet" role="status">Searching…</span>` : nothing}
        <sennit-range @range=${() => this.load()}></sennit-range>
        <button @click=${() => this.load()}>Refresh</button>
        <button aria-label="Keys" title="Keys ( ? )" @click=${() => (this.help = true)}>?</button>
      </div>
      ${this.renderForm()} ${this.renderChips()}
      ${this.failure ? html`<section class="panel trace-failure" role="alert">${this.failure}</section>` : nothing}
      ${this.traces ? this.renderFound() : nothing}
      ${this.help ? renderKeys(LIST_KEYS, () => (this.help = false)) : nothing}`;
  }

  renderForm() {
    const now = parameters();
    const field = (name, label, hint, list) => html`
      <label class="field ${name}"><span>${label}</span>
        <input id=${name} name=${name} type=${name === "text" ? "search" : "text"} placeholder=${hint}
          list=${list ?? nothing} .value=${now[name] ?? ""} autocomplete="off" spellcheck="false"
          @change=${this.changeField} @keydown=${this.fieldKey}></label>`;
    return html`
      <form class="panel trace-form" role="search" @submit=${event => event.preventDefault()}>
        ${field("text", "Search", "text or the id of a trace ( / )")}
        ${field("service", "Service", "any", "services")}
        ${field("operation", "Operation", "any", "operations")}
        ${field("attribute", "Attribute", "key=value", "attributes")}
        ${field("min", "Took from", "250ms")}
        ${field("max", "to", "1.5s")}
        <label class="field status"><span>Status</span>
          <select id="status" name="status" .value=${now.status ?? ""} @change=${this.changeField}>
            <option value="">any</option>
            <option value="error" ?selected=${now.status === "error"}>failed</option>
            <option value="ok" ?selected=${now.status === "ok"}>ok</option>
          </select></label>
        ${["services", "operations", "attributes"].map(list => html`
          <datalist id=${list}>${this.values?.[list].map(value => html`<option value=${value}></option>`)}</datalist>`)}
      </form>`;
  }

  /** A form without a button is not sent by Enter everywhere. */
  fieldKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.changeField(event);
    }
  }

  renderChips() {
    const now = parameters();
    const chips = FIELDS.filter(field => now[field]).map(field => [
      field === "min" ? `at least ${now.min}` : field === "max" ? `at most ${now.max}` : `${field}: ${now[field]}`,
      {[field]: ""},
    ]);
    if (now.from || now.to) {
      const [from, to] = [now.from, now.to].map(time => time && moment(time));
      chips.push([from && to ? `${from} to ${to}` : from ? `since ${from}` : `until ${to}`, {from: "", to: ""}]);
    }
    return chips.length === 0 ? nothing : html`
      <div class="chips" role="group" aria-label="Conditions">
        ${chips.map(([text, changes]) => html`
          <button class="chip" title="Leave this out" @click=${() => this.change(changes)}>
            <bdi>${shortened(text, 60)}</bdi> <span aria-hidden="true">×</span></button>`)}
        <button class="chip clear" id="clear"
          @click=${() => this.change(Object.assign({}, ...chips.map(([, changes]) => changes)))}>Clear all</button>
      </div>`;
  }

  renderFound() {
    const {traces, more} = this.traces;
    if (traces.length === 0) {
      const searched = FIELDS.some(field => parameters()[field]);
      return html`
        <section class="panel trace-empty">
          <h2>${searched ? "No trace meets all of these conditions" : "There are no traces of this time"}</h2>
          <p class="quiet">${searched
            ? "All conditions must hold for one and the same span. Leave one out, or look at a longer time."
            : html`Look at a longer time, or see in the <a href="/">overview</a> where to send some.`}</p>
        </section>`;
    }
    const {sort = "newest"} = parameters();
    return html`
      <section class="panel trace-picture">
        <sennit-trace-scatter .answer=${this.points} @restrict=${({detail}) => this.change(detail)}></sennit-trace-scatter>
      </section>
      <div class="toolbar trace-count">
        <span class="fill quiet" role="status">
          ${more ? `The ${sort === "slowest" ? "slowest" : "latest"} ${count(traces.length)} traces; there are more`
            : `${count(traces.length)} trace${traces.length === 1 ? "" : "s"}`}
          ${this.points.more ? ` · the picture has the latest ${count(this.points.points.length)}` : ""}
        </span>
        <div class="segments" role="group" aria-label="Order">
          ${["newest", "slowest"].map(each => html`
            <button id=${each} aria-pressed=${each === sort} @click=${() => this.change({sort: each === "newest" ? "" : each})}>
              ${each === "newest" ? "Newest" : "Slowest"}</button>`)}
        </div>
      </div>
      <sennit-trace-list .traces=${traces}></sennit-trace-list>
      ${more && traces.length < MOST ? html`
        <p class="trace-more"><button @click=${this.showMore}>Show more</button></p>` : nothing}`;
  }

  showMore() {
    adjust({limit: String(Math.min(MOST, this.traces.traces.length * 3))});
    this.load();
  }
}

customElements.define("sennit-traces", SennitTraces);
