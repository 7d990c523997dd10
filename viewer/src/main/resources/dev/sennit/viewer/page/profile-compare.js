// With what a selection of samples is compared. It stands in the address as what is different there.

import {html, nothing} from "lit";
import {exactly, moment} from "./format.js";

const TIMES = ["last", "from", "to"];

/** What is different, from its text in the address. */
export function differences(text) {
  return text ? Object.fromEntries(new URLSearchParams(text)) : undefined;
}

/** The text of what is different. */
export function asText(different) {
  return new URLSearchParams(different).toString();
}

/** The other query: the same but for what is different. Another time or trace replaces all of its kind. */
export function otherQuery(query, different) {
  const kept = {...query};
  if (TIMES.some(key => different[key]) || different.trace) {
    TIMES.forEach(key => delete kept[key]);
  }
  if (different.trace) {
    delete kept.span;
  }
  return {...kept, ...different, type: query.type};
}

/** The time of the same length before that of a query. */
export function timeBefore({from, to, last}) {
  const end = Number(to ?? Date.now());
  const start = from ? Number(from) : end - 1000 * Number(last ?? 900);
  return {from: Math.max(0, Math.floor(2 * start - end)), to: Math.floor(start)};
}

/** What is different, in words. */
export function inWords(different) {
  const {from, to, last, service, trace, name, thread} = different;
  return [
    service && `service ${service}`,
    trace && `trace ${trace.slice(0, 8)}…`,
    name && `span ${name}`,
    thread && `thread ${thread}`,
    (from || to) && `${from ? exactly(from) : "the beginning"} to ${to ? exactly(to) : "now"}`,
    last && `the last ${last} s`,
  ].filter(Boolean).join(", ");
}

function local(millis) {
  const date = new Date(Number(millis));
  return new Date(date - 60_000 * date.getTimezoneOffset()).toISOString().slice(0, 19);
}

/** The choice; calls a function with what is different. */
export function renderChoice({query, services, compare}) {
  const before = timeBefore(query);
  const submit = (event, different) => {
    event.preventDefault();
    compare(different(new FormData(event.target)));
  };
  const time = data => ({from: new Date(data.get("from")).getTime(), to: new Date(data.get("to")).getTime()});
  const others = services.filter(each => each !== query.service);
  return html`
    <div class="compare-choice">
      <p class="quiet">Everything else stays as it is chosen above. What is more here becomes red, what is less blue.</p>
      <button id="compare-before" @click=${() => compare(before)}>
        The same time before: ${moment(before.from)} to ${moment(before.to)}</button>
      <form @submit=${event => submit(event, time)}>
        <span>Another time</span>
        <input type="datetime-local" name="from" step="1" required aria-label="From" .value=${local(before.from)}>
        <input type="datetime-local" name="to" step="1" required aria-label="To" .value=${local(before.to)}>
        <button>Compare</button>
      </form>
      ${others.length === 0 ? nothing : html`
        <form @submit=${event => submit(event, data => ({service: data.get("service")}))}>
          <span>Another service</span>
          <select name="service" id="compare-service" aria-label="Another service">
            ${others.map(each => html`<option value=${each}>${each}</option>`)}
          </select>
          <button id="compare-with-service">Compare</button>
        </form>`}
      <form @submit=${event => submit(event, data => ({trace: data.get("trace").trim().toLowerCase()}))}>
        <span>Another trace</span>
        <input name="trace" id="compare-trace" required pattern="\\s*[0-9a-fA-F]{32}\\s*" placeholder="trace id"
          title="32 digits of 0 to 9 and a to f" spellcheck="false" autocomplete="off" aria-label="Another trace">
        <button id="compare-with-trace">Compare</button>
      </form>
    </div>`;
}
