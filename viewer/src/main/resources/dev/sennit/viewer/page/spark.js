// Small charts over time.

import {svg, html, nothing} from "lit";

const WIDTH = 240;
const HEIGHT = 40;

/**
 * A chart of a service's parts of time. "frame" says from when to when, in milliseconds, and how wide a part is, in
 * nanoseconds; "value" what a part is worth, or undefined for none; what is not there is "absent".
 */
export function spark(frame, buckets, {label, kind, value, absent}) {
  const points = pointsOf(frame, buckets, value, absent);
  const most = Math.max(0, ...points.filter(each => each.y !== undefined).map(each => each.y));
  const x = time => (WIDTH * (time - frame.from)) / (frame.to - frame.from);
  const y = each => HEIGHT - 1 - (most > 0 ? (each / most) * (HEIGHT - 4) : 0);
  const runs = runsOf(points);
  const line = runs.map(run => run.map((each, i) => `${i ? "L" : "M"}${round(x(each.x))} ${round(y(each.y))}`).join(""));
  const area = runs.map((run, i) =>
    `${line[i]}L${round(x(run.at(-1).x))} ${HEIGHT}L${round(x(run[0].x))} ${HEIGHT}Z`);
  return html`
    <svg class="spark ${kind}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
      ${most > 0
        ? svg`<path class="area" d=${area.join("")}></path><path class="line" d=${line.join("")}></path>`
        : nothing}
      <path class="base" d="M0 ${HEIGHT - 0.5}H${WIDTH}"></path>
    </svg>`;
}

/** The largest value that a chart shows. */
export function most(frame, buckets, value) {
  return Math.max(0, ...pointsOf(frame, buckets, value).map(each => each.y ?? 0));
}

/** One point in the middle of each part; the last part counts for as much as has passed of it, if that is enough. */
function pointsOf(frame, buckets, value, absent) {
  const width = frame.width / 1e6;
  const found = new Map(buckets.map(bucket => [Math.round((bucket.start - frame.from) / width), bucket]));
  const points = [];
  const count = Math.ceil((frame.to - frame.from) / width);
  for (let i = 0; i < count; i++) {
    const start = frame.from + i * width;
    const passed = Math.min(width, frame.to - start);
    if (passed >= width / 2) {
      const bucket = found.get(i);
      points.push({x: start + passed / 2, y: bucket ? value(bucket, passed / 1000) : absent});
    }
  }
  return points;
}

/** Points without gaps between; one that is alone becomes a short line. */
function runsOf(points) {
  const runs = [];
  let run = [];
  for (const each of [...points, {}]) {
    if (each.y !== undefined) {
      run.push(each);
    } else if (run.length > 0) {
      runs.push(run.length > 1 ? run : alone(run[0], points));
      run = [];
    }
  }
  return runs;
}

function alone(point, points) {
  const step = points.length > 1 ? (points[1].x - points[0].x) / 2 : 0;
  return [{x: point.x - step, y: point.y}, {x: point.x + step, y: point.y}];
}

function round(number) {
  return Math.round(number * 10) / 10;
}
