// The processes of this host that publish who they are, with what their threads do, and those that telemetry tells of.

import {LitElement, html, nothing} from "lit";
import {repeat} from "lit/directives/repeat.js";
import {ask} from "./api.js";
import {count, exactly, moment} from "./format.js";
import {listen} from "./live.js";
import {addressWith, adjust, current, follow, parameters} from "./router.js";
import "./process.js";

const TICK = 250;
const PERIOD = 10_000;
const UNREAD = {threads: [], inSpans: 0, others: 0};

class SennitProcesses extends LitElement {
  static properties = {
    live: {state: true},
    known: {state: true},
    error: {state: true},
    connected: {state: true},
    paused: {state: true},
    now: {state: true},
  };

  constructor() {
    super();
    this.readings = new Map();
    this.filtered = new WeakMap();
    this.now = Date.now();
    this.ahead = 0;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Processes · Sennit";
    this.unfollow = follow(() => current() === "/processes" && this.requestUpdate());
    this.look = () => this.listen();
    this.key = event => this.pressed(event);
    document.addEventListener("visibilitychange", this.look);
    addEventListener("keydown", this.key);
    this.listen();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.look);
    removeEventListener("keydown", this.key);
    this.unfollow();
    this.rest();
  }

  /** Listens while somebody looks; the server looks at the processes only meanwhile. */
  listen() {
    this.rest();
    if (this.paused || document.visibilityState !== "visible") {
      return;
    }
    this.stop = listen("processes", {
      processes: live => this.take(live),
      threads: ({now, processes}) => this.read(now, processes),
      connected: connected => (this.connected = connected),
    });
    this.ticks = setInterval(() => (this.now = Date.now() + this.ahead), TICK);
    this.load();
  }

  rest() {
    this.stop?.();
    this.stop = undefined;
    clearInterval(this.ticks);
    clearTimeout(this.timer);
    this.asking?.abort();
    this.connected = false;
  }

  take(live) {
    for (const each of live.processes) {
      each.text = [each.pid, each.service, each.instance, ...Object.values(each.resource)].join("\n").toLowerCase();
    }
    const pids = new Set(live.processes.map(({pid}) => pid));
    for (const pid of [...this.readings.keys()].filter(each => !pids.has(each))) {
      this.readings.delete(pid);
    }
    this.live = live;
  }

  read(now, processes) {
    this.ahead = now - Date.now();
    this.now = now;
    for (const each of processes) {
      this.readings.set(each.pid, each);
    }
    this.requestUpdate();
  }

  async load() {
    const asking = (this.asking = new AbortController());
    try {
      this.known = await ask("processes", {}, {signal: asking.signal});
      this.error = undefined;
    } catch (error) {
      if (asking.signal.aborted) {
        return;
      }
      this.error = error.message;
    }
    this.timer = setTimeout(() => this.load(), PERIOD);
  }

  render() {
    const {pid, q = ""} = parameters();
    return html`
      <div class="toolbar">
        <h1>Processes</h1>
        <span class="fill"></span>
        <input id="filter" type="search" placeholder="Filter" aria-label="Filter" title="A slash leads here"
               maxlength="200" .value=${q} @input=${event => this.filter(event.target.value)}>
        <button id="pause" aria-pressed=${this.paused ? "true" : "false"} title="The key p does the same"
                @click=${this.pause}>${this.paused ? "Go on" : "Pause"}</button>
        <span role="status" class="badge ${this.connected ? "good" : "warning"}">
          ${this.paused ? "paused" : this.connected ? "live" : "connecting"}
        </span>
      </div>
      ${pid ? html`<p><a href=${addressWith("/processes", {q})}>All processes</a></p>` : nothing}
      ${this.live ? this.renderLive(pid, q.toLowerCase()) : html`<p class="quiet waiting">Loading…</p>`}
      ${this.error ? html`<p role="alert" class="panel failed">${this.error}</p>` : nothing}
      ${this.known ? this.renderKnown(pid, q.toLowerCase()) : nothing}`;
  }

  renderLive(pid, text) {
    const {processes, more, unreadable} = this.live;
    const shown = processes
      .filter(each => !pid || String(each.pid) === pid)
      .map(process => ({process, reading: this.readingOf(process), threads: this.threadsOf(process, text)}))
      .filter(({process, threads}) => text === "" || process.text.includes(text) || threads.length > 0);
    return html`
      ${repeat(shown, ({process}) => process.pid, ({process, reading, threads}) => html`
        <sennit-process .process=${process} .reading=${reading} .threads=${threads} .now=${this.now}
                        .alone=${pid !== undefined}></sennit-process>`)}
      ${shown.length === 0 ? this.renderNone(pid, processes.length) : nothing}
      ${more ? html`<p class="quiet">Not all are shown: these are the first ${count(processes.length)} processes, and
        the first threads of them.</p>` : nothing}
      ${unreadable > 0 && !pid ? html`
        <p class="quiet">${count(unreadable)} ${unreadable === 1 ? "process" : "processes"} could not be looked into;
          those of other users can be, when Sennit runs as root.</p>` : nothing}`;
  }

  renderNone(pid, all) {
    return html`
      <section class="panel none">
        ${pid ? html`<p>Process ${pid} publishes nothing now, or has ended.</p>`
          : all > 0 ? html`<p>The filter lets none of ${count(all)} processes pass.</p>`
          : html`
            <p>No process on this host publishes who it is, as far as it can be read.</p>
            <p class="quiet">A JVM does so with Sennit's agent, or with OpenTelemetry's and Sennit's extension. To try it:
              <code>sennit demo-context</code></p>`}
      </section>`;
  }

  readingOf({pid}) {
    return this.readings.get(pid) ?? UNREAD;
  }

  /** The threads that the filter lets pass: all of a process that it is about. Looked for again only when they change. */
  threadsOf(process, text) {
    const reading = this.readingOf(process);
    const {threads} = reading;
    if (text === "" || process.text.includes(text)) {
      return threads;
    }
    const before = this.filtered.get(reading);
    if (before?.text === text) {
      return before.threads;
    }
    const found = threads.filter(each =>
      [each.tid, each.name, each.trace, each.span, ...Object.values(each.attributes)]
        .join("\n").toLowerCase().includes(text));
    this.filtered.set(reading, {text, threads: found});
    return found;
  }

  renderKnown(pid, text) {
    const instances = new Set((this.live?.processes ?? []).map(({instance}) => instance).filter(each => each));
    const places = new Set((this.live?.processes ?? []).map(each => `${each.resource["host.name"]} ${each.pid}`));
    const shown = this.known.processes.filter(each => !instances.has(each.instance)
      && !places.has(`${each.host} ${each.pid}`)
      && (!pid || String(each.pid) === pid)
      && [each.service, each.instance, each.host, each.pid].join("\n").toLowerCase().includes(text));
    return shown.length === 0 ? nothing : html`
      <section class="panel known">
        <h2>Known from telemetry</h2>
        <div class="scroll" tabindex="0" role="region" aria-label="Known from telemetry">
          <table>
            <thead>
              <tr>
                <th scope="col">Service</th>
                <th scope="col" class="number">Pid</th>
                <th scope="col">Host</th>
                <th scope="col">Instance</th>
                <th scope="col">First seen</th>
                <th scope="col">Last seen</th>
                <th scope="col"></th>
              </tr>
            </thead>
            <tbody>
              ${shown.map(each => html`
                <tr>
                  <th scope="row" title=${each.service}><bdi>${each.service}</bdi></th>
                  <td class="number">${each.pid ?? ""}</td>
                  <td title=${each.host ?? ""}><bdi>${each.host ?? ""}</bdi></td>
                  <td class="code" title=${each.instance ?? ""}><bdi>${each.instance ?? ""}</bdi></td>
                  <td title=${exactly(each.firstSeen)}>${moment(each.firstSeen)}</td>
                  <td title=${exactly(each.lastSeen)}>${moment(each.lastSeen)}</td>
                  <td>${each.service.length > 1000 ? nothing
                    : html`<a href=${addressWith("/traces", {service: each.service})}>Traces</a>`}</td>
                </tr>`)}
            </tbody>
          </table>
        </div>
        ${this.known.more
          ? html`<p class="quiet">The first ${count(this.known.processes.length)}, the last seen ones.</p>` : nothing}
      </section>`;
  }

  filter(text) {
    adjust({q: text});
    this.requestUpdate();
  }

  pause() {
    this.paused = !this.paused;
    this.listen();
  }

  pressed(event) {
    const typing = event.target.closest?.("input, select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "p") {
      this.pause();
    } else if (event.key === "/") {
      event.preventDefault();
      this.querySelector("#filter").focus();
    }
  }
}

customElements.define("sennit-processes", SennitProcesses);
