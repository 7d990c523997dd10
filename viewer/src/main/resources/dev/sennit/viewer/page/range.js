// The time that a view looks at. It stands in the address, so that a link shows the same to somebody else.

import {LitElement, html, nothing} from "lit";
import {parameters, adjust} from "./router.js";
import {moment} from "./format.js";

const SPANS = [[300, "5 minutes"], [900, "15 minutes"], [3600, "hour"], [21600, "6 hours"], [86400, "day"], [604800, "week"]];
const USUAL = 900;

/** As the server's views take it: the last so many seconds, or from one millisecond to another. */
export function range() {
  const {last, from, to} = parameters();
  return from || to ? {from, to} : {last: last ?? USUAL};
}

/** Chooses the time; tells "range" when another was chosen. */
class SennitRange extends LitElement {
  createRenderRoot() {
    return this;
  }

  render() {
    const {last, from, to} = range();
    return html`
      <label class="quiet">Time
        <select id="range" @change=${this.choose}>
          ${from || to
            ? html`<option value="" selected>${from ? moment(from) : "all"} to ${to ? moment(to) : "now"}</option>`
            : nothing}
          ${SPANS.map(([seconds, name]) => html`
            <option value=${seconds} ?selected=${seconds === Number(last)}>last ${name}</option>`)}
        </select>
      </label>`;
  }

  choose(event) {
    adjust({last: event.target.value === String(USUAL) ? "" : event.target.value, from: "", to: ""});
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent("range", {bubbles: true}));
  }
}

customElements.define("sennit-range", SennitRange);
