// The services with what they do now, who calls whom, and where telemetry arrives.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {count} from "./format.js";
import {adjust, addressWith, current, follow, go, parameters} from "./router.js";
import {range} from "./range.js";
import {canBeAsked, secondsOf} from "./services.js";
import "./map.js";
import "./receiver.js";

const PERIOD = 5000;

class SennitOverview extends LitElement {
  static properties = {
    overview: {state: true},
    map: {state: true},
    error: {state: true},
    connected: {state: true},
  };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Overview · Sennit";
    this.unfollow = follow(() => this.changed());
    this.look = () => document.visibilityState === "visible" && this.load();
    document.addEventListener("visibilitychange", this.look);
    this.shown = JSON.stringify(range());
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.look);
    clearTimeout(this.timer);
    this.asking?.abort();
    this.unfollow();
  }

  /** The address has changed, perhaps by going back. */
  changed() {
    if (current() !== "/") {
      return;
    }
    if (this.shown !== JSON.stringify(range())) {
      this.load();
    }
    this.querySelector("sennit-range")?.requestUpdate();
    this.requestUpdate();
  }

  async load() {
    clearTimeout(this.timer);
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    const begin = performance.now();
    const time = range();
    this.shown = JSON.stringify(time);
    try {
      const [overview, map] = await Promise.all(
        ["overview", "map"].map(path => ask(path, time, {signal: asking.signal})));
      Object.assign(this, {overview, map, error: undefined});
    } catch (error) {
      if (asking.signal.aborted) {
        return;
      }
      this.error = error.message;
    }
    if (this.isConnected && time.last && document.visibilityState === "visible") {
      // Questions about much data take long; they are not to keep the store busy.
      this.timer = setTimeout(() => this.load(), Math.max(PERIOD, 10 * (performance.now() - begin)));
    }
  }

  render() {
    const {service = this.unaddressed, sort, last, from, to} = parameters();
    const times = {last, from, to};
    const empty = this.overview && this.overview.services.length === 0;
    return html`
      <div class="toolbar">
        <h1 class="fill">Overview</h1>
        <sennit-range @range=${() => this.load()}></sennit-range>
        <span role="status" class="badge ${this.connected ? "good" : "warning"}">
          ${this.connected ? "live" : "connecting"}
        </span>
      </div>
      ${this.error ? html`<p role="alert" class="panel failed">${this.error}</p>` : nothing}
      ${!this.overview && !this.error ? html`<p class="quiet waiting">Loading…</p>` : nothing}
      ${this.overview && !empty ? this.renderServices(service, sort, times) : nothing}
      <sennit-receiver .empty=${empty} @connected=${event => (this.connected = event.detail)}></sennit-receiver>
      ${service && this.overview && !empty ? html`
        <sennit-service .name=${service} .overview=${this.overview} .edges=${this.map.edges} .times=${times}
                        .span=${range()} @choose=${event => this.choose(event.detail)}></sennit-service>` : nothing}`;
  }

  renderServices(service, sort, times) {
    return html`
      <section class="panel">
        <h2>Services</h2>
        <sennit-services .overview=${this.overview} .times=${times} .order=${sort} .selected=${service}
                         @order=${event => this.order(event.detail)}
                         @choose=${event => this.choose(event.detail)}></sennit-services>
      </section>
      <section class="panel">
        <h2>Who calls whom</h2>
        <sennit-map .services=${this.overview.services} .edges=${this.map.edges} .times=${times} .selected=${service}
                    .seconds=${secondsOf(this.overview)} @choose=${event => this.choose(event.detail)}></sennit-map>
        ${this.map.more
          ? html`<p class="quiet">The first ${count(this.map.edges.length)} connections, the busiest ones.</p>` : nothing}
      </section>`;
  }

  order(sort) {
    adjust({sort: sort === "name" ? "" : sort});
    this.requestUpdate();
  }

  /** Shows what a service does; nothing, when none is named. Whence one came is where one returns to. */
  async choose(name) {
    const {service = this.unaddressed, ...others} = parameters();
    if (name && !service) {
      this.before = document.activeElement;
    }
    const addressed = name && canBeAsked(name);
    this.unaddressed = addressed ? undefined : name;
    go(addressWith(location.pathname, {...others, service: addressed ? name : ""}));
    await this.updateComplete;
    if (name) {
      const detail = this.querySelector("sennit-service");
      await detail.updateComplete;
      detail.querySelector("h2").focus();
    } else if (this.before?.isConnected) {
      this.before.focus();
    }
  }
}

customElements.define("sennit-overview", SennitOverview);
