// What stands around the picture of a flame graph: its bar, the way to what is zoomed in on, the legend and the tip.

import {html, nothing} from "lit";
import {count, percent} from "./format.js";
import {addressWith} from "./router.js";
import {kindToken, labels, visible} from "./flame-draw.js";
import {KEYS} from "./flame-keys.js";
import {describe} from "./flame-words.js";

const SHOWN_PATH = 6;
const SHOWN_KINDS = 8;

export function renderBar(flame) {
  return html`
    <div class="toolbar flame-bar">
      <input type="search" class="flame-search" placeholder="Search frames" spellcheck="false" autocomplete="off"
        aria-label="Search frames by text, or by /a regular expression/" title="Text, or /a regular expression/; n and N go from match to match"
        .value=${flame.text} @input=${event => flame.tell({text: event.target.value})}
        @keydown=${event => flame.searchKey(event)}>
      <span class="flame-found" role="status">${renderFound(flame)}</span>
      <span class="fill"></span>
      ${flame.slow ? html`<span class="quiet" role="status">Loading…</span>` : nothing}
      <button class="flame-reset" ?hidden=${flame.zoomed === 0 || flame.form === "table"} @click=${() => flame.reset()}>Show all</button>
      <button class="flame-reverse" aria-pressed=${flame.reverse} title="The innermost frames first, then their callers (r)"
        @click=${() => flame.tell({reverse: !flame.reverse})}>Reverse</button>
      <span class="flame-forms" role="group" aria-label="Form">
        ${[["graph", "Graph"], ["table", "Table"]].map(([form, name]) => html`
          <button class="flame-${form}" aria-pressed=${flame.form === form} @click=${() => flame.tell({form})}>${name}</button>`)}
      </span>
      ${flame.compact
        ? html`<a href=${addressWith("/profiles", flame.query ?? {})}>Open in Profiles</a>`
        : html`
          <details class="flame-help">
            <summary aria-label="Keys" title="Keys">?</summary>
            <dl>${KEYS.map(([key, what]) => html`<dt>${key}</dt><dd>${what}</dd>`)}</dl>
          </details>`}
    </div>`;
}

function renderFound(flame) {
  if (flame.wrong) {
    return html`<span class="flame-wrong">${flame.wrong}</span>`;
  }
  if (!flame.search) {
    return nothing;
  }
  const {nodes, shares} = flame.search;
  const told = shares.map(share => percent(share, 1)).join(" and ");
  return nodes.length === 0
    ? html`<span class="quiet">nothing found</span>`
    : html`
      <span>${told} in ${flame.match < 0 ? nothing : html`${count(flame.match + 1)} of `}${count(nodes.length)}
        ${nodes.length === 1 ? "place" : "places"}</span>
      <button class="flame-previous" aria-label="Previous match" title="Previous match (N)" @click=${() => flame.next(-1)}>‹</button>
      <button class="flame-next" aria-label="Next match" title="Next match (n)" @click=${() => flame.next(1)}>›</button>`;
}

export function renderPath(flame) {
  const path = [];
  for (let at = flame.zoomed; at >= 0; at = flame.tree.parent[at]) {
    path.unshift(at);
  }
  const first = Math.max(1, path.length - SHOWN_PATH);
  return html`
    <nav class="flame-path" aria-label="From the root to what is zoomed in on" ?hidden=${flame.zoomed === 0}>
      <button @click=${() => flame.zoom(0)}>all</button>
      ${first > 1 ? "› …" : nothing}
      ${path.slice(first).map(node => html` › <button title=${visible(flame.name(node))}
        @click=${() => flame.zoom(node)}>${labels(visible(flame.name(node)))[1]}</button>`)}
    </nav>`;
}

export function renderFoot(flame) {
  const cut = flame.answers.some(answer => answer.more);
  const shown = flame.tree.totals.map((total, i) => percent(total[0], flame.answers[i].total)).join(" and ");
  return html`
    <div class="flame-foot">
      <p class="flame-said" role="status">${flame.selected >= 0 ? describe(flame, flame.selected).join(" · ") : nothing}</p>
      ${cut ? html`<p class="flame-cut quiet">Only the largest stacks are shown: ${shown} of all.</p>` : nothing}
      ${flame.tree.totals.length > 1 ? renderChanges() : renderKinds(flame)}
    </div>`;
}

/** The kinds of frames with what was measured in them, the largest first. */
export function kindsOf({frames}, {selves: [self]}) {
  const sums = new Map();
  frames.forEach(([, , kind], frame) => sums.set(kind, (sums.get(kind) ?? 0) + self[frame]));
  return [...sums].sort(([, one], [, other]) => other - one).slice(0, SHOWN_KINDS);
}

function renderKinds(flame) {
  return html`
    <ul class="flame-legend" aria-label="Colours, with what was measured in such frames themselves">
      ${flame.kinds.map(([kind, sum]) => html`
        <li><i .style=${`background: var(${kindToken(kind)})`}></i><bdi>${visible(kind ?? "other")}</bdi>
          <span class="quiet">${percent(sum, flame.forward.totals[0][0])}</span></li>`)}
    </ul>`;
}

function renderChanges() {
  return html`
    <ul class="flame-legend" aria-label="Colours">
      <li><i class="flame-more"></i>more here</li>
      <li><i class="flame-less"></i>less here</li>
      <li class="quiet">than in the other, in shares of the total</li>
    </ul>`;
}

export function renderTip(flame) {
  if (flame.hovered < 0 || !flame.pointer) {
    return html`<div class="flame-tip" hidden></div>`;
  }
  const {x, y} = flame.pointer;
  const across = x > innerWidth / 2 ? `right: ${innerWidth - x + 12}px` : `left: ${x + 12}px`;
  const along = y > innerHeight / 2 ? `bottom: ${innerHeight - y + 14}px` : `top: ${y + 14}px`;
  const [name, ...lines] = describe(flame, flame.hovered);
  return html`
    <div class="flame-tip" .style=${`${across}; ${along}`}>
      <strong>${name}</strong>${lines.map(line => html`<span>${line}</span>`)}
    </div>`;
}
