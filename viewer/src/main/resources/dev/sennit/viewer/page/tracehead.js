// What is said of a trace as a whole.

import {html, nothing} from "lit";
import {serviceColour} from "./colours.js";
import {count, duration, exactly} from "./format.js";
import {shortened} from "./tracecanvas.js";

function counted(number, what, more = "") {
  return `${count(number)}${more} ${what}${number === 1 ? "" : "s"}`;
}

export function renderHead(model, copied, copy) {
  const [root] = model.spans;
  return html`
    <header class="trace-head">
      <h1><bdi class="quiet">${shortened(model.serviceOf(root), 100)}</bdi> <bdi>${shortened(root.name, 300)}</bdi></h1>
      <p class="trace-facts">
        <strong>${duration(model.duration)}</strong>
        <span>${counted(model.spans.length, "span")}</span>
        ${model.failures > 0 ? html`<span class="badge bad">${count(model.failures)} failed</span>` : nothing}
        <span>${counted(model.lines.length, "log line", model.moreLines ? "+" : "")}</span>
        <time>${exactly(model.start)}</time>
        <button class="trace-id code" title="Copy the id of the trace" @click=${copy}>${copied ? "copied" : model.id}</button>
      </p>
      <p class="trace-services">
        ${model.services.map((name, index) => html`
          <span class="trace-service"><i class="dot" .style=${`background: var(${serviceColour(name)})`}></i>
            <bdi>${shortened(name, 100)}</bdi> <span class="quiet">${count(model.spansOf[index])}</span></span>`)}
      </p>
      ${model.more
        ? html`<p class="warning">These are the first ${count(model.spans.length)} spans; the trace has more.</p>`
        : nothing}
      ${model.moreEvents ? html`<p class="warning">Not all of the events are drawn.</p>` : nothing}
    </header>`;
}
