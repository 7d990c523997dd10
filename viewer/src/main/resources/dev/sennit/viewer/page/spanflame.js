// The flame graph of a span, or of all that its trace did, with a choice of what was sampled.

import {LitElement, html, nothing} from "lit";
import {ask} from "./api.js";
import {amount} from "./format.js";
import {addressWith} from "./router.js";

class SennitSpanFlame extends LitElement {
  static properties = {
    trace: {},
    span: {},
    whole: {state: true},
    types: {state: true},
    type: {state: true},
    failure: {state: true},
    ready: {state: true},
  };

  constructor() {
    super();
    this.whole = false;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    import("./flame.js").then(
      () => (this.ready = true),
      () => (this.failure = "The part of the page that draws flame graphs cannot be loaded."));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.asking?.abort();
  }

  willUpdate(changed) {
    if (changed.has("trace") || changed.has("span") || changed.has("whole")) {
      this.load();
    }
    // The same object as long as it says the same, for another one is another question.
    const query = {type: this.type, ...this.chosen()};
    if (JSON.stringify(query) !== JSON.stringify(this.query)) {
      this.query = query;
    }
  }

  /** Which samples: those of the span alone, or all of the trace. */
  chosen() {
    return this.whole ? {trace: this.trace} : {trace: this.trace, span: this.span};
  }

  async load() {
    this.asking?.abort();
    const {signal} = (this.asking = new AbortController());
    this.types = undefined;
    try {
      const {types} = await ask("profile-types", this.chosen(), {signal});
      this.types = types;
      const most = types.reduce((best, each) => (each.samples > (best?.samples ?? 0) ? each : best), undefined);
      this.type = types.some(({type}) => type === this.type) ? this.type : most?.type;
      this.failure = undefined;
    } catch (error) {
      if (!signal.aborted) {
        this.failure = error.message;
      }
    }
  }

  render() {
    return html`
      <div class="toolbar">
        <div class="segments" role="group" aria-label="Of what">
          <button aria-pressed=${!this.whole} @click=${() => (this.whole = false)}>This span</button>
          <button aria-pressed=${this.whole} title="All samples of the trace"
            @click=${() => (this.whole = true)}>With what it called</button>
        </div>
        ${this.types?.length > 0 ? html`
          <select aria-label="What was sampled" @change=${event => (this.type = event.target.value)}>
            ${this.types.map(({type, unit, total}) => html`
              <option value=${type} ?selected=${type === this.type}>${type} (${amount(total, unit)})</option>`)}
          </select>` : nothing}
        <a href=${addressWith("/profiles", this.chosen())}>Open in profiles</a>
      </div>
      ${this.renderGraph()}`;
  }

  renderGraph() {
    if (this.failure) {
      return html`<p class="quiet" role="alert">${this.failure}</p>`;
    }
    if (!this.types || !this.ready) {
      return html`<p class="quiet" aria-busy="true">&nbsp;</p>`;
    }
    return this.types.length === 0
      ? html`<p class="quiet">No sample was taken in ${this.whole ? "this trace" : "this span"}. Only processes whose
          threads are profiled have some, and only if they ran for long enough to be met.</p>`
      : html`<sennit-flame .query=${this.query}></sennit-flame>`;
  }
}

customElements.define("sennit-span-flame", SennitSpanFlame);
