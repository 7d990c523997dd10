"use strict";
// What is drawn, apart from drawing it. A shape is a tree in columns: parent[i] < i, node 0 is the root.

/** What was measured in each node: all of it, or that of the spans whose trace or span id starts with the text. */
function selfValues(data, tree, id) {
  if (id === "") {
    return Float64Array.from(tree.self);
  }
  const wanted = data.links.map(link => link.split(" ").some(part => part.startsWith(id)));
  const self = new Float64Array(tree.self.length);
  for (let i = 0; i < tree.linked.length; i += 3) {
    if (wanted[tree.linked[i + 1]]) {
      self[tree.linked[i]] += tree.linked[i + 2];
    }
  }
  return self;
}

/** The same stacks from their innermost frames: callers are children. */
function reversed(tree, self, frameCount) {
  const shape = {parent: [0], frame: [-1], self: [0]};
  const children = new Map();
  for (let node = 1; node < self.length; node++) {
    if (self[node] === 0) {
      continue;
    }
    let at = 0;
    for (let up = node; up !== 0; up = tree.parent[up]) {
      const key = at * frameCount + tree.frame[up];
      let child = children.get(key);
      if (child === undefined) {
        child = shape.parent.length;
        children.set(key, child);
        shape.parent.push(at);
        shape.frame.push(tree.frame[up]);
        shape.self.push(0);
      }
      at = child;
    }
    shape.self[at] += self[node];
  }
  return shape;
}

/** Where each frame stands among the others by name. */
function ranks(names) {
  const order = names.map((name, i) => i).sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b));
  const rank = new Int32Array(names.length);
  order.forEach((frame, i) => { rank[frame] = i; });
  return rank;
}

/** Totals, depths and horizontal places of a shape; siblings stand in the order of their names. */
function layout(shape, rank) {
  const count = shape.parent.length;
  const total = Float64Array.from(shape.self);
  const depth = new Int32Array(count);
  const x = new Float64Array(count);
  const next = new Float64Array(count);
  for (let i = count - 1; i > 0; i--) {
    total[shape.parent[i]] += total[i];
  }
  const order = [];
  for (let i = 1; i < count; i++) {
    depth[i] = depth[shape.parent[i]] + 1;
    if (total[i] > 0) {
      order.push(i);
    }
  }
  // A parent is placed before its children: it has a smaller number, and so has its own parent.
  order.sort((a, b) => shape.parent[a] - shape.parent[b] || rank[shape.frame[a]] - rank[shape.frame[b]]);
  for (const i of order) {
    const parent = shape.parent[i];
    x[i] = next[i] = next[parent];
    next[parent] += total[i];
  }
  const rows = [[0]];
  for (const i of order.slice().sort((a, b) => x[a] - x[b])) {
    (rows[depth[i]] ??= []).push(i);
  }
  return {parent: shape.parent, frame: shape.frame, self: shape.self, total, depth, x, rows, deepest: rows.length - 1, order};
}

/** The view of a tree as the controls ask for it. */
function viewOf(data, tree, rank, id, reverse) {
  const self = selfValues(data, tree, id);
  const shape = reverse ? reversed(tree, self, data.frames.length) : {parent: tree.parent, frame: tree.frame, self};
  return {...layout(shape, rank), types: typeShares(data, tree, self)};
}

/** How much was measured in frames of each type. */
function typeShares(data, tree, self) {
  const shares = new Float64Array(data.types.length);
  let sum = 0;
  for (let i = 1; i < self.length; i++) {
    shares[data.frameTypes[tree.frame[i]]] += self[i];
    sum += self[i];
  }
  return shares.map(share => (sum === 0 ? 0 : share / sum));
}

/** Whether a name has the text in it, or what the text describes as a regular expression; case does not matter. */
function matcher(text) {
  const wanted = text.toLowerCase();
  let pattern = null;
  try {
    pattern = new RegExp(text, "i");
  } catch {
    // Then it is text only.
  }
  return name => wanted !== "" && (name.toLowerCase().includes(wanted) || (pattern !== null && pattern.test(name)));
}

/** Which frames match the text, and how much of everything is in or below them; nothing counts twice. */
function searchIn(data, view, text) {
  const frames = data.frames.map(matcher(text));
  const covered = new Uint8Array(view.parent.length);
  const nodes = [];
  let sum = 0;
  for (let i = 1; i < view.parent.length; i++) {
    if (covered[view.parent[i]]) {
      covered[i] = 1;
    } else if (frames[view.frame[i]] && view.total[i] > 0) {
      covered[i] = 1;
      sum += view.total[i];
      nodes.push(i);
    }
  }
  nodes.sort((a, b) => view.total[b] - view.total[a]);
  return {frames, nodes, sum, share: view.total[0] === 0 ? 0 : sum / view.total[0]};
}

/** From the root to a node. */
function pathTo(view, node) {
  const path = [node];
  while (path[0] !== 0) {
    path.unshift(view.parent[path[0]]);
  }
  return path;
}

/** The place of a node, in shares of the width, while another is zoomed in on; null if it is out of sight. */
function placeOf(view, node, zoomed) {
  const left = view.x[zoomed];
  const width = view.total[zoomed];
  const start = view.x[node];
  const end = start + view.total[node];
  if (view.depth[node] <= view.depth[zoomed]) {
    return start <= left && end >= left + width && width > 0 ? [0, 1] : null;
  }
  return start < left || start >= left + width ? null : [(start - left) / width, view.total[node] / width];
}

/** Where in a row the first node is that ends behind that place. */
function firstBehind(view, row, place) {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (view.x[row[middle]] + view.total[row[middle]] > place) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** The node at a depth and a share of the width, -1 if there is none. */
function nodeAt(view, depth, share, zoomed) {
  if (depth < 0 || depth > view.deepest || view.total[0] === 0) {
    return -1;
  }
  const place = view.x[zoomed] + (depth <= view.depth[zoomed] ? 0.5 : share) * view.total[zoomed];
  const row = view.rows[depth];
  const found = row[firstBehind(view, row, place)];
  return found !== undefined && view.x[found] <= place ? found : -1;
}

/** Names of a frame from long to short: all, without the package, the method alone. */
function labels(name) {
  const parts = name.split(".");
  const type = parts.findIndex(part => /^\p{Lu}/u.test(part));
  const short = type > 0 && type < parts.length - 1 ? parts.slice(type).join(".") : name;
  return [name, short, type >= 0 ? parts[parts.length - 1] : short];
}

/** The trace and span ids that stand for most. */
function busiestLinks(data, tree, count) {
  const sums = new Map();
  for (let i = 0; i < tree.linked.length; i += 3) {
    for (const id of data.links[tree.linked[i + 1]].split(" ")) {
      sums.set(id, (sums.get(id) ?? 0) + tree.linked[i + 2]);
    }
  }
  return [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a)).slice(0, count);
}

/** A value for people. */
function format(value, unit) {
  const scale = (steps, size) => {
    let step = 0;
    let rest = value;
    while (Math.abs(rest) >= size && step < steps.length - 1) {
      rest /= size;
      step++;
    }
    return (step === 0 ? String(rest) : rest.toFixed(2)) + " " + steps[step];
  };
  switch (unit) {
    case "bytes":
      return scale(["B", "KiB", "MiB", "GiB", "TiB"], 1024);
    case "nanoseconds":
      return scale(["ns", "µs", "ms", "s"], 1000);
    default:
      return value.toLocaleString("en") + (unit === "count" ? "" : " " + unit);
  }
}

/** A value with what it is: a count of samples says so, and how long they stand for. */
function describeValue(value, tree) {
  const text = format(value, tree.unit);
  if (tree.unit !== "count") {
    return text;
  }
  const what = value === 1 ? tree.what.replace(/s$/, "") : tree.what;
  return text + " " + what + (tree.period > 0 ? " ≈ " + format(value * tree.period, "nanoseconds") : "");
}

function percent(share) {
  return (100 * share).toFixed(2) + "%";
}
