// What a flame graph shows, apart from drawing it. A tree stands in columns: node 0 is the root, a node stands before
// what it calls, and siblings stand in the order of their names. A comparison has two columns of amounts.
//
// All that takes long is a generator that stops now and then, so that the page stays awake: see run.

import {Growing} from "./flame-grow.js";

const SLICE = 10;
export const STEP = 2048;

/** Runs a generator to its end, a few milliseconds at a time; tells how long each part took. */
export async function run(work, {signal, took} = {}) {
  for (;;) {
    const begin = performance.now();
    let step;
    do {
      step = work.next();
    } while (!step.done && performance.now() - begin < SLICE);
    took?.(performance.now() - begin);
    if (step.done) {
      return step.value;
    }
    await (globalThis.scheduler?.yield?.() ?? new Promise(go => setTimeout(go)));
    signal?.throwIfAborted();
  }
}

/** The tree of an answer of the server. */
export function* treeOf({frames, parents, frame, self}) {
  const shape = {parent: new Int32Array(parents)};
  yield;
  shape.frame = new Int32Array(frame);
  yield;
  shape.selves = [new Float64Array(self)];
  yield;
  return yield* placed(frames, shape);
}

/** Two trees as one with two columns; frames are those of both. */
export function* compared(one, other) {
  const {frames, places} = yield* mergedFrames(one.frames, other.frames);
  const growing = new Growing(2, one.parent.length + other.parent.length);
  for (const [column, tree] of [one, other].entries()) {
    const nodes = new Int32Array(tree.parent.length);
    for (let i = 1; i < nodes.length; i++) {
      nodes[i] = growing.child(nodes[tree.parent[i]], places[column][tree.frame[i]]);
      growing.selves[column][nodes[i]] += tree.selves[0][i];
      if (i % STEP === 0) {
        yield;
      }
    }
  }
  return yield* placed(frames, yield* ordered(growing.shape(), frames.length));
}

/** The same stacks from their innermost frames on: callers are children. */
export function* reversed(tree) {
  const growing = new Growing(tree.selves.length, tree.parent.length);
  let steps = 0;
  for (let node = 1; node < tree.parent.length; node++) {
    if (++steps % STEP === 0) {
      yield;
    }
    if (tree.selves[0][node] === 0 && !(tree.selves[1]?.[node] > 0)) {
      continue;
    }
    let at = 0;
    for (let up = node; up !== 0; up = tree.parent[up]) {
      at = growing.child(at, tree.frame[up]);
      if (++steps % STEP === 0) {
        yield;
      }
    }
    for (const [column, self] of tree.selves.entries()) {
      growing.selves[column][at] += self[node];
    }
  }
  return yield* placed(tree.frames, yield* ordered(growing.shape(), tree.frames.length));
}

/** Both lists of frames as one in order, and where the frames of each went. */
function* mergedFrames(one, other) {
  const frames = [];
  const places = [new Int32Array(one.length), new Int32Array(other.length)];
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    const order = i === one.length ? 1 : j === other.length ? -1 : compareFrames(one[i], other[j]);
    frames.push(order <= 0 ? one[i] : other[j]);
    if (order <= 0) {
      places[0][i++] = frames.length - 1;
    }
    if (order >= 0) {
      places[1][j++] = frames.length - 1;
    }
    if (frames.length % STEP === 0) {
      yield;
    }
  }
  return {frames, places};
}

/** As the server orders them. */
function compareFrames(one, other) {
  for (let i = 0; i < 3; i++) {
    const [a, b] = [String(one[i]), String(other[i])];
    if (a !== b) {
      return a < b ? -1 : 1;
    }
  }
  return 0;
}

/** The numbers from 0 in the order of their keys, which are less than a bound; equal ones keep their order. */
function* sortedBy(key, bound, order) {
  const starts = new Int32Array(bound + 1);
  for (let i = 0; i < key.length; i++) {
    starts[key[i] + 1]++;
  }
  yield;
  for (let i = 0; i < bound; i++) {
    starts[i + 1] += starts[i];
  }
  yield;
  const next = starts.slice();
  const result = new Int32Array(key.length);
  for (let i = 0; i < key.length; i++) {
    const each = order ? order[i] : i;
    result[next[key[each]]++] = each;
    if (i % STEP === 0) {
      yield;
    }
  }
  return {result, starts};
}

/** The same tree with every node before what it calls, and siblings in the order of their frames. */
function* ordered(shape, frameCount) {
  const count = shape.parent.length;
  const byFrame = yield* sortedBy(shape.frame.map(frame => frame + 1), frameCount + 1);
  yield;
  const children = yield* sortedBy(shape.parent.map(parent => parent + 1), count + 1, byFrame.result);
  const place = new Int32Array(count);
  const parent = new Int32Array(count);
  const frame = new Int32Array(count);
  const selves = shape.selves.map(() => new Float64Array(count));
  const open = new Int32Array(count);
  let waiting = 1;
  for (let at = 0; at < count; at++) {
    const node = open[--waiting];
    place[node] = at;
    parent[at] = node === 0 ? -1 : place[shape.parent[node]];
    frame[at] = shape.frame[node];
    for (let column = 0; column < selves.length; column++) {
      selves[column][at] = shape.selves[column][node];
    }
    for (let i = children.starts[node + 2] - 1; i >= children.starts[node + 1]; i--) {
      open[waiting++] = children.result[i];
    }
    if (at % STEP === 0) {
      yield;
    }
  }
  return {parent, frame, selves};
}

/**
 * With what drawing needs, computed once: sums, depths, where nodes begin and how wide they are, where their
 * descendants end, and the nodes of each row. A comparison gives each of its columns the same room.
 */
function* placed(frames, {parent, frame, selves}) {
  const count = parent.length;
  const end = new Int32Array(count);
  const totals = [];
  for (const self of selves) {
    const total = self.slice();
    for (let i = count - 1; i > 0; i--) {
      total[parent[i]] += total[i];
      if (i % STEP === 0) {
        yield;
      }
    }
    totals.push(total);
  }
  for (let i = count - 1; i >= 0; i--) {
    end[i] = Math.max(end[i], i + 1);
    if (i > 0) {
      end[parent[i]] = Math.max(end[parent[i]], end[i]);
    }
  }
  yield;
  const width = totals.length === 1 ? totals[0] : widths(totals);
  const depth = new Int32Array(count);
  const x = new Float64Array(count);
  const next = new Float64Array(count);
  let deepest = 0;
  for (let i = 1; i < count; i++) {
    depth[i] = depth[parent[i]] + 1;
    deepest = Math.max(deepest, depth[i]);
    x[i] = next[i] = next[parent[i]];
    next[parent[i]] += width[i];
    if (i % STEP === 0) {
      yield;
    }
  }
  const rows = yield* sortedBy(depth, deepest + 1);
  return {frames, parent, frame, selves, totals, end, width, depth, x, deepest, rowNodes: rows.result, rowStarts: rows.starts};
}

/** The mean of the shares of both. */
function widths([one, other]) {
  return one.map((amount, i) => (share(amount, one[0]) + share(other[i], other[0])) / 2);
}

export function share(part, whole) {
  return whole > 0 ? part / whole : 0;
}

/** How much more there is in the first column: from -1, in the other only, to 1, in the first only. */
export function change(tree, node) {
  const [one, other] = tree.totals.map(total => share(total[node], total[0]));
  return one + other > 0 ? (one - other) / (one + other) : 0;
}
