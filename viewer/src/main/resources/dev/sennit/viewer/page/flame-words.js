// What a flame graph says of its nodes.

import {amount, count, percent, short} from "./format.js";
import {share} from "./flame-model.js";
import {labels, visible} from "./flame-draw.js";

/** What was measured, with what it is. */
export function said(value, unit) {
  return unit === "count" ? `${count(value)} ${value === 1 ? "sample" : "samples"}` : amount(value, unit);
}

/** How much of a total, in points of a hundred more or less. */
export function points(difference) {
  const text = short(Math.abs(100 * difference));
  return text === "0" ? "no change" : `${difference > 0 ? "+" : "−"}${text} points`;
}

/** The amount of a node, in each of the columns. */
export function quantity({tree, answers}, node) {
  return tree.totals.map(total => said(total[node], answers[0].unit)).join(" and ");
}

/** A node in lines: its name, what it is, its amounts and what it took itself. */
export function describe(flame, node) {
  const {tree, zoomed} = flame;
  const [name, file, kind] = node === 0 ? ["all"] : tree.frames[tree.frame[node]];
  const origin = [kind, file].filter(Boolean).map(visible).join(" · ");
  const within = zoomed > 0 && node > zoomed && node < tree.end[zoomed] ? zoomed : 0;
  const lines = tree.totals.length > 1 ? differences(flame, node, within) : amounts(flame, node, within);
  return [visible(name) + (name.length > 400 ? "…" : ""), ...(origin ? [origin] : []), ...lines];
}

function amounts({tree, answers, reverse}, node, within) {
  const [total] = tree.totals;
  const [self] = tree.selves;
  const {unit} = answers[0];
  const lines = [`${said(total[node], unit)}, ${percent(total[node], total[0])} of all${inside(tree, total, node, within)}`];
  if (node !== 0 && !reverse) {
    lines.push(self[node] > 0 ? `itself ${said(self[node], unit)}, ${percent(self[node], total[0])} of all` : "itself nothing");
  }
  return lines;
}

function inside(tree, total, node, within) {
  const name = within > 0 ? labels(visible(tree.frames[tree.frame[within]][0]))[2] : "";
  return within > 0 ? `, ${percent(total[node], total[within])} of ${name}` : "";
}

function differences({tree, answers, reverse}, node, within) {
  const column = (values, i) => `${said(values[i][node], answers[0].unit)}, ${percent(values[i][node], tree.totals[i][0])}`;
  const shares = values => values.map((each, i) => share(each[node], tree.totals[i][0]));
  const change = values => points(shares(values)[0] - shares(values)[1]);
  const lines = [
    `here ${column(tree.totals, 0)} of all${inside(tree, tree.totals[0], node, within)}`,
    `other ${column(tree.totals, 1)} of all${inside(tree, tree.totals[1], node, within)}`,
    `change ${change(tree.totals)}`,
  ];
  if (node !== 0 && !reverse) {
    lines.push(`itself ${percent(shares(tree.selves)[0], 1)} here, ${percent(shares(tree.selves)[1], 1)} other: ${change(tree.selves)}`);
  }
  return lines;
}
