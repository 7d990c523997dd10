// Flame graphs of what was sampled: chosen by type, service, time, trace, span and thread, and compared.

import {LitElement, html, nothing} from "lit";
import {address, ask} from "./api.js";
import {visible} from "./flame-draw.js";
import {said} from "./flame-words.js";
import {asText, differences, inWords, otherQuery, renderChoice} from "./profile-compare.js";
import {range} from "./range.js";
import {addressWith, adjust, follow, go, parameters} from "./router.js";
import "./flame.js";
import "./profile-strip.js";

const FILTERS = ["service", "trace", "span", "name", "thread"];
const TYPES = {
  cpu: "CPU", "cpu-time": "CPU time", wall: "Wall clock", native: "Native code", "alloc-samples": "Allocations",
  allocated_space: "Allocations", "alloc-tlab": "Allocation buffers", live: "Live objects", nativemem: "Native memory",
  "lock-contention": "Lock waiting", lock_delay: "Lock waiting", park: "Parking", sleep: "Sleep", socket: "Sockets",
  file: "Files", pinned: "Pinned threads", trace: "Traced methods",
};
const FORMATS = [["html", "HTML, one file"], ["pprof", "pprof"], ["speedscope", "speedscope"], ["collapsed", "Collapsed stacks"]];
const NOTHING = {names: [], more: false};

/** The first choice of who did not choose: processor time if there is any, else what has most samples. */
function usualType(types) {
  return (types.find(({type}) => type === "cpu") ?? [...types].sort((one, other) => other.samples - one.samples)[0])?.type;
}

class SennitProfiles extends LitElement {
  static properties = {
    asked: {state: true},
    types: {state: true},
    services: {state: true},
    names: {state: true},
    threads: {state: true},
    failure: {state: true},
    comparing: {state: true},
  };

  constructor() {
    super();
    this.asked = parameters();
    this.services = NOTHING;
    this.names = NOTHING;
    this.threads = NOTHING;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Profiles · Sennit";
    this.unfollow = follow(() => this.read());
    this.read();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.unfollow();
    this.loading?.abort();
  }

  /** Takes what the address says, and asks what can be chosen there. */
  read() {
    if (location.pathname !== "/profiles") {
      return;
    }
    this.asked = parameters();
    this.querySelector("sennit-range")?.requestUpdate();
    const wanted = JSON.stringify(this.selection());
    if (wanted !== this.loaded) {
      this.loaded = wanted;
      this.load();
    }
  }

  async load() {
    this.loading?.abort();
    const loading = (this.loading = new AbortController());
    const options = {signal: loading.signal};
    try {
      const {types} = await ask("profile-types", this.selection(), options);
      this.types = types;
      this.failure = undefined;
      const query = this.query();
      [this.services, this.names, this.threads] = query.type
        ? await Promise.all(["profile-services", "profile-spans", "threads"].map(each => ask(each, query, options)))
        : [NOTHING, NOTHING, NOTHING];
    } catch (failure) {
      if (!loading.signal.aborted) {
        this.failure = failure.message;
      }
    }
  }

  /** A trace is looked for at all times unless one is chosen. */
  isTimeless() {
    const {trace, last, from, to} = this.asked;
    return Boolean(trace && !last && !from && !to);
  }

  /** What is chosen but for the type. */
  selection() {
    return {
      ...Object.fromEntries(FILTERS.map(each => [each, this.asked[each]])),
      ...(this.isTimeless() ? {} : range()),
    };
  }

  /** Asks for all of it again. */
  refresh() {
    this.load();
    this.querySelectorAll("sennit-flame, sennit-profile-strip").forEach(each => each.load());
  }

  query() {
    const {type} = this.asked;
    return {type: type || usualType(this.types ?? []), ...this.selection()};
  }

  choose(changes, options) {
    go(addressWith("/profiles", {...this.asked, ...changes}), options);
  }

  render() {
    const query = this.query();
    const different = differences(this.asked.compare);
    const known = this.types?.find(({type}) => type === query.type);
    return html`
      <div class="toolbar profiles-choice">
        <h1>Profiles</h1>
        ${this.renderTypes(query)}
        ${this.renderNames("service", "Service", this.services, "all services")}
        ${this.renderNames("name", "Span", this.names, "all spans, and none")}
        ${this.renderNames("thread", "Thread", this.threads, "all threads")}
        ${this.isTimeless() ? nothing : html`<sennit-range @range=${() => this.read()}></sennit-range>`}
      </div>
      ${this.renderChips(different, query.type && known ? this.renderExport(query) : nothing)}
      ${this.failure ? html`<p class="flame-failure" role="alert">${this.failure}</p>` : nothing}
      ${this.types && !known && !different ? this.renderNothing(query) : nothing}
      ${query.type && (known || different) ? html`
        <section class="panel profiles-strip" aria-label="Over time">
          <sennit-profile-strip .query=${query} .unit=${known?.unit} @chosen=${this.chooseRange}></sennit-profile-strip>
        </section>
        <section class="panel" aria-label="Flame graph">
          <sennit-flame .query=${query} .other=${different ? otherQuery(query, different) : undefined}
            .text=${this.asked.search ?? ""} .reverse=${this.asked.reverse === "1"}
            .form=${this.asked.form === "table" ? "table" : "graph"} @flame=${this.keep}></sennit-flame>
        </section>` : nothing}`;
  }

  renderTypes({type}) {
    const types = this.types ?? [];
    const known = types.some(each => each.type === type);
    return html`
      <label class="quiet">Type
        <select id="type" @change=${event => this.choose({type: event.target.value})}>
          ${type && !known ? html`<option value=${type} selected>${visible(TYPES[type] ?? type)}</option>` : nothing}
          ${types.map(each => html`
            <option value=${each.type} ?selected=${each.type === type}>
              ${visible(TYPES[each.type] ?? each.type)} · ${said(each.total, each.unit)}</option>`)}
        </select>
      </label>`;
  }

  renderNames(key, label, {names, more}, all) {
    const chosen = this.asked[key];
    return html`
      <label class="quiet">${label}
        <select id=${key} @change=${event => this.choose({[key]: event.target.value})}>
          <option value="" ?selected=${!chosen}>${all}</option>
          ${chosen && !names.includes(chosen) ? html`<option value=${chosen} selected>${short(chosen)}</option>` : nothing}
          ${names.map(name => html`<option value=${name} ?selected=${name === chosen}>${short(name)}</option>`)}
          ${more ? html`<option disabled>the first ${names.length}</option>` : nothing}
        </select>
      </label>`;
  }

  renderExport(query) {
    return html`
      <details class="profiles-menu" @keydown=${closeAtEscape}>
        <summary>Export</summary>
        <div>
          ${FORMATS.map(([format, name]) => html`
            <a download href=${address("flame/export", {format, ...query})} data-format=${format}>${name}</a>`)}
        </div>
      </details>`;
  }

  renderChips(different, more) {
    const {trace, span} = this.asked;
    return html`
      <div class="toolbar profiles-chips">
        ${trace ? html`
          <span class="profiles-chip" id="chip-trace">trace <a href="/traces/${trace}" class="code" title=${trace}>${trace.slice(0, 8)}…</a>
            <button aria-label="Not only this trace" @click=${() => this.choose({trace: "", span: ""})}>×</button></span>` : nothing}
        ${span ? html`
          <span class="profiles-chip" id="chip-span">span
            <a href=${addressWith(`/traces/${trace ?? ""}`, {span})} class="code" title=${span}>${span.slice(0, 8)}…</a>
            <button aria-label="Not only this span" @click=${() => this.choose({span: ""})}>×</button></span>` : nothing}
        ${this.asked.from || this.asked.to ? html`
          <span class="profiles-chip" id="chip-time">a part of time
            <button aria-label="Not only this time" @click=${() => this.choose({from: "", to: ""})}>×</button></span>` : nothing}
        ${different ? html`
          <span class="profiles-chip" id="chip-compare">compared with ${short(inWords(different))}
            <button aria-label="Compare no longer" @click=${() => this.choose({compare: ""})}>×</button></span>` : nothing}
        <span class="fill"></span>
        <button id="refresh" @click=${this.refresh}>Refresh</button>
        <button id="compare" aria-expanded=${Boolean(this.comparing)} @click=${() => (this.comparing = !this.comparing)}>
          Compare with …</button>
        ${more}
      </div>
      ${this.comparing ? html`
        <section class="panel" aria-label="Compare with">
          ${renderChoice({query: this.query(), services: this.services.names, compare: chosen => this.compare(chosen)})}
        </section>` : nothing}`;
  }

  renderNothing({type}) {
    const others = this.types.map(each => TYPES[each.type] ?? each.type);
    return html`
      <section class="panel profiles-nothing">
        <h2>${type ? `No samples of ${visible(TYPES[type] ?? type)}` : "No samples"} here</h2>
        ${others.length > 0
          ? html`<p>There are samples of ${visible(others.join(", "))}: choose one of them as the type.</p>`
          : html`
            <p>Choose a longer time, or remove what is chosen.</p>
            <p class="quiet">Samples come from JVMs with Sennit's agent (<code>sennit profile PID</code>), and from everything
              that sends OTLP profiles.</p>`}
      </section>`;
  }

  compare(different) {
    this.comparing = false;
    this.choose({compare: asText(different)});
  }

  chooseRange({detail: {from, to, other}}) {
    if (other) {
      this.compare({from, to});
    } else {
      this.choose({from, to, last: ""});
    }
  }

  /** How the graph is looked at is adjusted, not gone to. */
  keep({detail: {text, reverse, form}}) {
    adjust({search: text, reverse: reverse ? "1" : "", form: form === "table" ? form : ""});
    this.asked = parameters();
  }
}

/** A name from a stranger where there is little room. */
function short(name) {
  const text = visible(name);
  return text.length > 60 ? text.slice(0, 59) + "…" : text;
}

function closeAtEscape(event) {
  if (event.key === "Escape") {
    event.currentTarget.open = false;
    event.stopPropagation();
  }
}

customElements.define("sennit-profiles", SennitProfiles);
