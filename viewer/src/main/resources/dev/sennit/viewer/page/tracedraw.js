// Draws the times of a trace: the small picture of the whole, the axis, and the bars of the rows that are in sight.

import {serviceColour, token} from "./colours.js";
import {duration} from "./format.js";
import {ticks} from "./tracecanvas.js";
import {selfParts} from "./tracetime.js";

const BAR = 12;
const WARN = 13;
const ERROR = 17;

/** The colours of the page; asked for once, for asking is slow. */
export function palette(services) {
  const names = ["ink", "ink-soft", "line", "surface-raised", "accent", "accent-soft", "warning", "bad"];
  const colours = Object.fromEntries(names.map(name => [name, token("--" + name)]));
  const {fontFamily} = getComputedStyle(document.body);
  return {...colours, font: `11px ${fontFamily}`, services: services.map(name => token(serviceColour(name)))};
}

/** From a time of the trace to a place on the screen. */
export function scale({from, to}, width) {
  const factor = width / Math.max(1, to - from);
  return time => (time - from) * factor;
}

/** All spans, those that are called below those that call; a line each, as far as there is room. */
export function drawWhole({context, width, height}, model, colours) {
  const x = scale({from: 0, to: model.duration}, width);
  const deepest = model.spans.reduce((most, {depth}) => Math.max(most, depth), 0);
  const step = Math.min(6, (height - 2) / (deepest + 1));
  context.globalAlpha = 0.8;
  for (const span of model.spans) {
    context.fillStyle = span.failed ? colours.bad : colours.services[span.service];
    context.fillRect(
      x(span.start), 1 + span.depth * step, Math.max(1, x(span.duration)), Math.max(0.5, step * 0.75));
  }
  context.globalAlpha = 1;
}

export function drawAxis({context, width, height}, shown, colours) {
  const x = scale(shown, width);
  context.font = colours.font;
  context.textBaseline = "middle";
  context.strokeStyle = colours.line;
  for (const time of ticks(shown.from, shown.to, width / 90)) {
    const label = time === 0 ? "0" : duration(time);
    context.fillStyle = colours["ink-soft"];
    if (x(time) + context.measureText(label).width + 4 < width) {
      context.fillText(label, x(time) + 4, height / 2);
    }
    line(context, x(time), 0, height);
  }
}

function line(context, x, top, bottom) {
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, top);
  context.lineTo(Math.round(x) + 0.5, bottom);
  context.stroke();
}

/**
 * The bars of the rows in sight.
 *
 * @param view which rows from which place on, what time, and which span is selected or found
 */
export function drawBars({context, width, height}, model, view, colours) {
  const x = scale(view.shown, width);
  context.strokeStyle = colours.line;
  for (const time of ticks(view.shown.from, view.shown.to, width / 90)) {
    line(context, x(time), 0, height);
  }
  context.font = colours.font;
  context.textBaseline = "middle";
  for (let row = view.first; row < view.last; row++) {
    const span = model.spans[model.rows[row]];
    const middle = (row - view.first + 0.5) * view.rowHeight - view.offset;
    if (span.index === view.selected || span.index === view.pointed) {
      context.globalAlpha = span.index === view.selected ? 0.7 : 0.35;
      context.fillStyle = colours["accent-soft"];
      context.fillRect(0, middle - view.rowHeight / 2, width, view.rowHeight);
      context.globalAlpha = 1;
    }
    drawBar(context, width, model, span, x, middle, colours);
    context.fillStyle = colours.ink;
    fillParts(context, model.marks.path.get(row) ?? [], x, width, middle + BAR / 2 + 1, 2);
    drawMarks(context, width, model, row, x, middle, colours);
  }
}

function drawBar(context, width, model, span, x, middle, colours) {
  const left = x(span.start);
  const right = Math.max(left + 2, x(span.start + span.duration));
  const top = middle - BAR / 2;
  if (right >= 0 && left <= width) {
    const [from, to] = [Math.max(left, -4), Math.min(right, width + 4)];
    context.fillStyle = colours.services[span.service];
    context.globalAlpha = 0.35;
    context.fillRect(from, top, to - from, BAR);
    context.globalAlpha = 1;
    span.parts ??= selfParts(model.spans, model.children, span.index);
    fillParts(context, span.parts, x, width, top, BAR);
    if (span.failed) {
      context.fillStyle = colours.bad;
      context.fillRect(from, top, Math.min(3, to - from), BAR);
      context.strokeStyle = colours.bad;
      context.lineWidth = 1.5;
      context.strokeRect(from, top, to - from, BAR);
      context.lineWidth = 1;
    }
  }
  const label = duration(span.duration);
  const room = context.measureText(label).width + 8;
  context.fillStyle = span.failed ? colours.bad : colours["ink-soft"];
  if (right + room < width && right >= 0) {
    context.fillText(label, right + 5, middle);
  } else if (left - room > 0 && left <= width) {
    context.fillText(label, left - room + 3, middle);
  } else if (left <= width && right >= 0) {
    const end = Math.min(right, width);
    context.fillStyle = colours["surface-raised"];
    context.globalAlpha = 0.85;
    context.fillRect(end - room - 2, middle - 6, room - 2, 12);
    context.globalAlpha = 1;
    context.fillStyle = span.failed ? colours.bad : colours.ink;
    context.fillText(label, end - room + 1, middle);
  } else if (right < 0) {
    context.fillText("‹", 2, middle);
  } else if (left > width) {
    context.fillText("›", width - 8, middle);
  }
}

/** Fills parts of the time, one after the other; those that lie closer than the screen can show are drawn as one. */
function fillParts(context, parts, x, width, top, height) {
  let from = 0;
  let to = -1;
  for (const part of parts) {
    const left = Math.max(0, x(part.at(-2)));
    const right = Math.min(width, x(part.at(-1)));
    if (right < left) {
      continue;
    }
    if (left <= to + 0.5) {
      to = Math.max(to, right);
    } else {
      if (to >= from) {
        context.fillRect(from, top, Math.max(1, to - from), height);
      }
      [from, to] = [left, right];
    }
  }
  if (to >= from) {
    context.fillRect(from, top, Math.max(1, to - from), height);
  }
}

/** Log lines as ticks above the bar, events as dots on it; one for each place on the screen. */
function drawMarks(context, width, model, row, x, middle, colours) {
  const ticked = new Map();
  for (const [, time, severity] of model.marks.lines.get(row) ?? []) {
    const at = Math.round(x(time));
    if (at >= 0 && at <= width) {
      ticked.set(at, Math.max(severity, ticked.get(at) ?? 0));
    }
  }
  for (const [at, severity] of ticked) {
    context.fillStyle = severity >= ERROR ? colours.bad : severity >= WARN ? colours.warning : colours.ink;
    context.fillRect(at - 0.75, middle - BAR / 2 - 5, 1.5, 8);
  }
  const dotted = new Set();
  for (const [, time] of model.marks.events.get(row) ?? []) {
    const at = Math.round(x(time));
    if (at >= 0 && at <= width && !dotted.has(at)) {
      dotted.add(at);
      context.beginPath();
      context.arc(at, middle, 3.5, 0, 2 * Math.PI);
      context.fillStyle = colours["surface-raised"];
      context.fill();
      context.strokeStyle = colours.ink;
      context.stroke();
    }
  }
}
