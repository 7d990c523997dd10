// What is found in a flame graph, and how much its frames took: generators, as in flame-model.js.

import {STEP, share} from "./flame-model.js";

/** Whether a name has the text in it, or what stands between slashes as a regular expression; case does not matter. */
export function matcher(text) {
  const pattern = /^\/(.+)\/$/s.exec(text);
  if (pattern) {
    const expression = new RegExp(pattern[1], "i");
    return name => expression.test(name);
  }
  const wanted = text.toLowerCase();
  return name => name.toLowerCase().includes(wanted);
}

/** Which frames match, the outermost nodes of them in order, and what they take together; nothing counts twice. */
export function* found(tree, text) {
  const matches = matcher(text);
  const frames = new Uint8Array(tree.frames.length);
  for (let i = 0; i < frames.length; i++) {
    frames[i] = matches(tree.frames[i][0]) ? 1 : 0;
    if (i % 512 === 0) {
      yield;
    }
  }
  const nodes = [];
  const sums = tree.totals.map(() => 0);
  for (let i = 1; i < tree.parent.length;) {
    if (frames[tree.frame[i]]) {
      nodes.push(i);
      for (let column = 0; column < sums.length; column++) {
        sums[column] += tree.totals[column][i];
      }
      i = tree.end[i];
    } else {
      i++;
    }
    if (i % STEP === 0) {
      yield;
    }
  }
  return {text, frames, nodes, shares: sums.map((sum, column) => share(sum, tree.totals[column][0]))};
}

/** What each frame took itself and with what it called; a frame that calls itself counts once. */
export function* byFrame(tree) {
  const count = tree.frames.length;
  const selves = tree.selves.map(() => new Float64Array(count));
  const totals = tree.selves.map(() => new Float64Array(count));
  const open = new Int32Array(count);
  const path = new Int32Array(tree.deepest + 1);
  let length = 0;
  for (let i = 1; i < tree.parent.length; i++) {
    for (; length >= tree.depth[i]; length--) {
      open[path[length]]--;
    }
    const frame = tree.frame[i];
    path[++length] = frame;
    for (let column = 0; column < selves.length; column++) {
      selves[column][frame] += tree.selves[column][i];
      totals[column][frame] += open[frame] === 0 ? tree.totals[column][i] : 0;
    }
    open[frame]++;
    if (i % STEP === 0) {
      yield;
    }
  }
  return {selves, totals};
}

/** The frames with the largest values, which are wanted to be so many at most. */
export function* largest(count, value, limit) {
  const best = [];
  for (let i = 0; i < count; i++) {
    const each = value(i);
    if (best.length < limit || each > value(best[limit - 1])) {
      let low = 0;
      for (let high = best.length; low < high;) {
        const middle = (low + high) >> 1;
        if (value(best[middle]) >= each) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      best.splice(low, 0, i);
      best.length = Math.min(best.length, limit);
    }
    if (i % 1024 === 0) {
      yield;
    }
  }
  return best;
}
