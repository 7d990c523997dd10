// The frames of a flame graph as a table: the hottest, or those that changed most.

import {html, nothing} from "lit";
import {count, percent} from "./format.js";
import {share} from "./flame-model.js";
import {largest} from "./flame-search.js";
import {kindToken, visible} from "./flame-draw.js";
import {points, said} from "./flame-words.js";

const MOST = 200;

/** By what rows can be ordered, each with the value of a frame. */
function orders({forward, sums}) {
  const shares = (values, frame) => values.map((each, i) => share(each[frame], forward.totals[i][0]));
  const change = (values, frame) => {
    const [one, other] = shares(values, frame);
    return Math.abs(one - other);
  };
  return forward.totals.length > 1
    ? {
      self: ["Self changed", frame => change(sums.selves, frame)],
      total: ["Total changed", frame => change(sums.totals, frame)],
    }
    : {
      self: ["Self", frame => sums.selves[0][frame]],
      total: ["Total", frame => sums.totals[0][frame]],
    };
}

/** The frames that the table shows, of those that the search has found. */
export function* rowsOf(flame, {order}) {
  const [, value] = orders(flame)[order];
  const wanted = flame.search?.frames;
  const rows = yield* largest(
    flame.forward.frames.length, frame => (wanted && !wanted[frame] ? -1 : value(frame)), MOST + 1);
  return rows.filter(frame => !wanted || wanted[frame]);
}

export function renderTable(flame) {
  const rows = flame.rows ?? [];
  const two = flame.forward.totals.length > 1;
  return html`
    <div class="scroll flame-rows" tabindex="0" role="region" aria-label=${two ? "Frames by their change" : "Hottest frames"}>
      <table>
        <thead>
          <tr>
            <th scope="col">Frame</th>
            ${two ? headsOfTwo(flame) : heads(flame)}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, MOST).map(frame => html`
            <tr>
              <td><div class="flame-name">${renderName(flame, frame)}</div></td>
              ${two ? cellsOfTwo(flame, frame) : cells(flame, frame)}
            </tr>`)}
        </tbody>
      </table>
    </div>
    ${rows.length > MOST ? html`<p class="quiet">The first ${MOST} of ${count(flame.forward.frames.length)} frames.</p>` : nothing}
    ${rows.length === 0 ? html`<p class="quiet">No frame is as the search wants it.</p>` : nothing}`;
}

function head(flame, order) {
  const chosen = flame.order === order;
  return html`
    <th scope="col" class="number" aria-sort=${chosen ? "descending" : nothing}>
      <button class="flame-order" @click=${() => (flame.order = order)}>${orders(flame)[order][0]}${chosen ? " ↓" : ""}</button>
    </th>`;
}

function heads(flame) {
  return html`
    ${head(flame, "self")}<th scope="col" class="number">of all</th>
    ${head(flame, "total")}<th scope="col" class="number">of all</th>`;
}

function headsOfTwo(flame) {
  return html`
    <th scope="col" class="number">Self here</th><th scope="col" class="number">other</th>${head(flame, "self")}
    <th scope="col" class="number">Total here</th><th scope="col" class="number">other</th>${head(flame, "total")}`;
}

function cells({forward, sums, answers}, frame) {
  return [sums.selves, sums.totals].map(([values]) => html`
    <td class="number">${said(values[frame], answers[0].unit)}</td>
    <td class="number">${percent(values[frame], forward.totals[0][0])}</td>`);
}

function cellsOfTwo({forward, sums}, frame) {
  return [sums.selves, sums.totals].map(values => {
    const shares = values.map((each, i) => share(each[frame], forward.totals[i][0]));
    const difference = shares[0] - shares[1];
    return html`
      ${shares.map(each => html` <td class="number">${percent(each, 1)}</td>`)}
      <td class="number ${difference > 0 ? "flame-is-more" : difference < 0 ? "flame-is-less" : ""}">${points(difference)}</td>`;
  });
}

function renderName(flame, frame) {
  const [name, file, kind] = flame.forward.frames[frame];
  return html`
    <i .style=${`background: var(${kindToken(kind)})`} title=${kind ?? "other"}></i>
    <button @click=${() => flame.showFrame(frame)} title="Show ${visible(name)} in the graph"><bdi>${visible(name)}</bdi></button>
    <span class="quiet"><bdi>${file ? visible(file) : nothing}</bdi></span>`;
}
