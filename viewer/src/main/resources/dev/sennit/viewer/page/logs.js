// Log lines: searched, followed as they are written, and from each to its trace.

import {LitElement, html, nothing} from "lit";
import {address, ask} from "./api.js";
import {count} from "./format.js";
import {copyBody, traceAddress} from "./log-detail.js";
import {LogLines} from "./log-lines.js";
import {LogTail} from "./log-tail.js";
import {range} from "./range.js";
import {adjust, follow, go, parameters} from "./router.js";
import {SEVERITIES} from "./severity.js";
import "./log-list.js";
import "./log-strip.js";

const FILTERS = ["service", "severity", "text", "thread", "attribute", "trace", "span"];
const TYPING_MILLIS = 250;
const COUNTS_MILLIS = 5000;
const KEYS = [
  ["/", "search"],
  ["j, k", "next and previous line"],
  ["Enter", "open or close the line"],
  ["y", "copy the body"],
  ["t", "go to the trace of the line"],
  ["Space", "follow new lines; pause, and resume"],
  ["g, G", "to the first and the last line that are here"],
  ["?", "this help"],
];

class SennitLogs extends LitElement {
  static properties = {
    version: {state: true},
    counts: {state: true},
    loading: {state: true},
    error: {state: true},
    note: {state: true},
    tail: {state: true},
  };

  constructor() {
    super();
    this.model = new LogLines();
    this.version = 0;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Logs · Sennit";
    this.unfollow = follow(path => path === "/logs" && this.open());
    this.pressed = event => this.key(event);
    document.addEventListener("keydown", this.pressed);
    this.counting = setInterval(() => this.tail && !this.tail.paused && !document.hidden && this.loadCounts(), COUNTS_MILLIS);
    this.updateComplete.then(() => this.open());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.unfollow();
    document.removeEventListener("keydown", this.pressed);
    clearInterval(this.counting);
    clearTimeout(this.typing);
    this.stopTail();
    this.asking?.abort();
    this.askingCounts?.abort();
  }

  get list() {
    return this.querySelector("sennit-log-list");
  }

  /** As the server takes it. Lines of a trace are those of all times, unless one is chosen. */
  get filter() {
    const all = parameters();
    const chosen = Object.fromEntries(FILTERS.map(name => [name, all[name]]));
    return all.trace && !all.from && !all.to && !all.last ? chosen : {...chosen, ...range()};
  }

  /** Shows what the address says, from the beginning. */
  async open() {
    this.stopTail();
    this.loadCounts();
    this.requestUpdate();
    this.querySelector("sennit-range").requestUpdate();
    const {at, line, tail} = parameters();
    this.list.forget();
    const answer = await this.load({at: tail ? undefined : at});
    if (!answer) {
      return;
    }
    this.list.atEnd = !at;
    this.model.replace(answer);
    this.changed();
    await this.list.updateComplete;
    if (at && !tail) {
      this.list.select(this.model.nearest(Number(at), Number(line)), {middle: true});
    } else {
      this.list.showEnd();
    }
    if (tail) {
      this.startTail(answer.last);
    }
  }

  async load(place) {
    this.asking?.abort();
    this.asking = new AbortController();
    const {signal} = this.asking;
    this.loading = true;
    try {
      const answer = await ask("logs", {...this.filter, ...place}, {signal});
      this.error = undefined;
      return answer;
    } catch (error) {
      if (!signal.aborted) {
        this.error = error.message;
      }
      return undefined;
    } finally {
      if (!signal.aborted) {
        this.loading = false;
      }
    }
  }

  async loadCounts() {
    this.askingCounts?.abort();
    this.askingCounts = new AbortController();
    const {signal} = this.askingCounts;
    try {
      this.counts = await ask("log-counts", this.filter, {signal});
    } catch {
      // The same question about the lines tells what is wrong.
    }
  }

  async loadMore(newer) {
    if (this.loading) {
      return;
    }
    const edge = this.model.at(newer ? this.model.length - 1 : 0).seq;
    const answer = await this.load(newer ? {after: edge} : {before: edge});
    if (answer) {
      this.list.keepPlace();
      if (newer) {
        this.model.append(answer);
      } else {
        this.model.prepend(answer);
      }
      this.changed();
    }
  }

  changed() {
    this.version++;
  }

  startTail(after) {
    this.tail = new LogTail({
      filter: Object.fromEntries(FILTERS.map(name => [name, parameters()[name]])),
      after,
      lines: lines => {
        this.list.keepPlace();
        this.model.insert(lines);
        this.changed();
        if (this.counts?.parts.length === 0) {
          this.loadCounts();
        }
      },
      changed: () => this.requestUpdate(),
    });
  }

  stopTail() {
    this.tail?.end();
    this.tail = undefined;
  }

  /** Begins to follow; then pauses and resumes. */
  toggleTail() {
    if (!this.tail) {
      this.refine({tail: 1, at: "", line: ""});
    } else if (this.tail.paused) {
      this.tail.resume();
      this.list.showEnd();
    } else {
      this.tail.pause();
    }
  }

  leaveTail() {
    this.stopTail();
    adjust({tail: ""});
  }

  refine(changes) {
    adjust(changes);
    this.open();
  }

  typed(event) {
    const {name, value} = event.target;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.refine({[name]: value.trim(), at: "", line: ""}), TYPING_MILLIS);
  }

  chosen(event) {
    this.refine({[event.target.name]: event.target.value, at: "", line: ""});
  }

  /** The address is that of the line; a little later, for one may go through many. */
  selected({detail: line}) {
    clearTimeout(this.selecting);
    if (!this.tail) {
      this.selecting = setTimeout(
        () => this.isConnected && !this.tail && adjust({at: Math.floor(line.time), line: line.seq}), TYPING_MILLIS);
    }
  }

  key(event) {
    const dialog = this.querySelector("dialog");
    const {target} = event;
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) {
      return;
    }
    if (target.matches("input, select, textarea")) {
      if (event.key === "Escape") {
        // Otherwise the browser would empty the field.
        event.preventDefault();
        this.list.scroller.focus();
      }
      return;
    }
    const onControl = target.closest("a, button, summary") !== null;
    const line = this.list.selected;
    const actions = {
      "/": () => this.querySelector("#log-text").focus(),
      "?": () => dialog.showModal(),
      j: () => this.list.move(1),
      k: () => this.list.move(-1),
      g: () => this.list.select(0),
      G: () => this.list.select(this.model.length - 1),
      y: () => line && this.copy(line),
      t: () => line?.trace && go(traceAddress(line)),
      Enter: onControl ? undefined : () => line && this.list.toggle(line),
      " ": onControl ? undefined : () => this.toggleTail(),
    };
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  async copy(line) {
    try {
      await copyBody(line);
      this.note = "copied";
    } catch (error) {
      this.note = `not copied: ${error.message}`;
    }
  }

  render() {
    return html`
      <div class="toolbar">
        <h1 class="fill">Logs</h1>
        <span role="status" class="log-note quiet">${this.note ?? ""}</span>
        ${this.renderTail()}
        <sennit-range @range=${() => this.refine({at: "", line: ""})}></sennit-range>
        <a class="button" href=${address("logs/export", this.filter)} download
          title="These lines as a file of JSON, at most the newest 50,000">Download</a>
        <button @click=${() => this.querySelector("dialog").showModal()} aria-label="Keys" title="Keys">?</button>
      </div>
      ${this.renderFilters()}
      <sennit-log-strip .counts=${this.counts} .severity=${parameters().severity ?? ""}
        @severity=${({detail}) => this.refine({severity: detail, at: "", line: ""})}
        @time=${({detail}) => this.refine({...detail, last: "", at: "", line: "", tail: ""})}
        @moment=${({detail}) => this.refine({at: detail, line: "", tail: ""})}></sennit-log-strip>
      ${this.error ? html`<p class="bad" role="alert">${this.error}</p>` : nothing}
      ${this.renderSaid()}
      <sennit-log-list .model=${this.model} .version=${this.version} .text=${parameters().text ?? ""}
        @older=${() => this.loadMore(false)} @newer=${() => this.loadMore(true)} @selected=${this.selected}
        @end=${() => this.requestUpdate()}></sennit-log-list>
      <dialog class="log-keys" aria-label="Keys">
        <h2>Keys</h2>
        <dl>${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>
        <button class="main" @click=${() => this.querySelector("dialog").close()}>Close</button>
      </dialog>`;
  }

  renderTail() {
    const {tail} = this;
    if (!tail) {
      return html`<button id="follow" class="main" @click=${this.toggleTail} title="Space">Follow</button>`;
    }
    const state = tail.paused ? "paused" : tail.connected ? "live" : "connecting";
    return html`
      <span id="tail" class="badge ${state === "live" ? "good" : "warning"}">${state}</span>
      <button id="follow" @click=${this.toggleTail} title="Space">
        ${tail.paused ? html`Resume${tail.came > 0 ? html` <strong>+${count(tail.came)}</strong>` : nothing}` : "Pause"}
      </button>
      <button @click=${this.leaveTail}>Stop</button>`;
  }

  renderFilters() {
    const {service, severity, text, thread, attribute, trace, span} = parameters();
    const services = new Set([...(this.counts?.services ?? []), ...(service ? [service] : [])]);
    return html`
      <div class="log-filters" role="search">
        <input id="log-text" name="text" type="search" .value=${text ?? ""} @input=${this.typed}
          placeholder="Search in lines and attributes ( / )" aria-label="Text" spellcheck="false">
        <select name="service" aria-label="Service" @change=${this.chosen}>
          <option value="" .selected=${!service}>all services</option>
          ${[...services].map(each => html`<option value=${each} .selected=${each === service}>${each}</option>`)}
        </select>
        <select name="severity" aria-label="Least severity" @change=${this.chosen}>
          <option value="" .selected=${!severity}>all severities</option>
          ${SEVERITIES.slice(1).map(({word}) => html`
            <option value=${word} .selected=${word === severity}>${word === "fatal" ? word : word + " and worse"}</option>`)}
        </select>
        <input name="thread" type="search" .value=${thread ?? ""} @input=${this.typed} placeholder="thread"
          aria-label="Thread, by a part of its name or its number" spellcheck="false">
        <input name="attribute" type="search" .value=${attribute ?? ""} @input=${this.typed} placeholder="attribute=value"
          aria-label="Attribute" spellcheck="false">
        ${[["trace", trace], ["span", span]].map(([name, id]) => id
          ? html`
            <span class="log-chip">${name} <code>${id.slice(0, 8)}</code>
              <button aria-label="Lines of every ${name}" title="Lines of every ${name}"
                @click=${() => this.refine({[name]: "", ...(name === "trace" ? {span: ""} : {})})}>×</button>
            </span>`
          : nothing)}
      </div>`;
  }

  /** What is to be known of the list: what it lacks, and why it may be empty. */
  renderSaid() {
    const {length} = this.model;
    const said = [];
    if (this.loading && length === 0) {
      said.push(html`<span class="log-loading">Loading…</span>`);
    } else if (length === 0 && !this.error) {
      said.push(this.tail
        ? html`Nothing yet. Lines appear here as they are written.`
        : html`No lines. Choose a longer time or fewer conditions; <a href="/">the overview</a> says where to send logs.`);
    } else {
      said.push(html`<span id="log-length">${count(length)} ${length === 1 ? "line" : "lines"}</span>`);
      if (this.model.older) {
        said.push(html`<span>older ones come when you scroll up</span>`);
      }
      if (this.model.newer) {
        said.push(html`<span>newer ones below</span>`);
      }
    }
    if (this.tail?.skipped > 0) {
      said.push(html`
        <span class="warning" id="log-skipped">${count(this.tail.skipped)} left out: more came than can be shown</span>
        <button class="small" @click=${() => this.open()}>Load again</button>`);
    }
    if (this.tail && !this.list?.atEnd) {
      said.push(html`<button class="small" @click=${() => this.list.showEnd()}>To the end</button>`);
    }
    return html`<p class="log-said quiet" role="status">${said}</p>`;
  }
}

customElements.define("sennit-logs", SennitLogs);
