// Places for what calls each other: callers left of whom they call, in layers, with as few crossings as a few passes
// find. Calls that go back, and those of oneself, are no hindrance.

const PASSES = 8;

// What a link takes up where it passes a layer, and what two of them have between them.
const PASSING = 3;
const BETWEEN = 5;

/**
 * Arranges nodes, which are names, and links, which have "from" and "to". "height" tells that of a node by its name;
 * "space" is what two nodes of a layer have between them.
 * Returns the layer and the middle (from the top) of each node, and for each link its way: the middles in the layers
 * that it passes, from left to right, and whether it goes back.
 */
export function arrange(names, links, {height, space}) {
  const others = links.filter(({from, to}) => from !== to);
  const back = findBack(names, others);
  const forward = others.map(link => back.has(link)
    ? {link, from: link.to, to: link.from}
    : {link, from: link.from, to: link.to});
  const layers = layersOf(names, forward);
  const rows = [...new Array(Math.max(0, ...layers.values()) + 1)].map(() => []);
  const node = new Map(names.map(name => [name, {name, layer: layers.get(name), left: [], right: [], size: height(name)}]));
  for (const each of node.values()) {
    rows[each.layer].push(each);
  }
  const ways = forward.map(({link, from, to}) => {
    const way = [node.get(from)];
    for (let layer = layers.get(from) + 1; layer < layers.get(to); layer++) {
      const pass = {layer, left: [], right: [], size: PASSING};
      rows[layer].push(pass);
      way.push(pass);
    }
    way.push(node.get(to));
    for (let i = 1; i < way.length; i++) {
      way[i - 1].right.push(way[i]);
      way[i].left.push(way[i - 1]);
    }
    return {link, way, back: back.has(link)};
  });
  order(rows);
  place(rows, space);
  const all = rows.flat();
  const top = Math.min(0, ...all.map(each => each.middle - each.size / 2));
  for (const each of all) {
    each.middle -= top;
  }
  return {
    layers: rows.length,
    height: Math.max(0, ...all.map(each => each.middle + each.size / 2)),
    nodes: new Map([...node].map(([name, {layer, middle}]) => [name, {layer, middle}])),
    ways: ways.map(each => ({...each, way: each.way.map(({layer, middle}) => ({layer, middle}))})),
  };
}

/** The links that lead back to where one came from; without them there is no circle. */
function findBack(names, links) {
  const outgoing = groups(links, ({from}) => from);
  const called = new Set(links.map(({to}) => to));
  const back = new Set();
  const state = new Map();
  const visit = name => {
    state.set(name, "open");
    for (const link of outgoing.get(name) ?? []) {
      if (state.get(link.to) === "open") {
        back.add(link);
      } else if (!state.has(link.to)) {
        visit(link.to);
      }
    }
    state.set(name, "done");
  };
  for (const name of [...names.filter(each => !called.has(each)), ...names]) {
    if (!state.has(name)) {
      visit(name);
    }
  }
  return back;
}

/** As far left as the callers allow; who is not called stands just left of the first that it calls. */
function layersOf(names, links) {
  const incoming = groups(links, ({to}) => to);
  const outgoing = groups(links, ({from}) => from);
  const layers = new Map();
  const layer = name => {
    if (!layers.has(name)) {
      layers.set(name, Math.max(0, ...(incoming.get(name) ?? []).map(({from}) => layer(from) + 1)));
    }
    return layers.get(name);
  };
  names.forEach(layer);
  for (const name of names) {
    if (!incoming.has(name) && outgoing.has(name)) {
      layers.set(name, Math.min(...outgoing.get(name).map(({to}) => layers.get(to))) - 1);
    }
  }
  return layers;
}

/** Puts each between its neighbours, from left to right and back again. */
function order(rows) {
  const number = row => row.forEach((each, i) => (each.index = i));
  rows.forEach(number);
  const sort = (row, side) => {
    for (const each of row) {
      each.wish = each[side].length > 0 ? mean(each[side].map(({index}) => index)) : each.index;
    }
    row.sort((a, b) => a.wish - b.wish || a.index - b.index);
    number(row);
  };
  for (let pass = 0; pass < PASSES; pass++) {
    rows.slice(1).forEach(row => sort(row, "left"));
    rows.slice(0, -1).reverse().forEach(row => sort(row, "right"));
  }
}

/** Gives each a place near its neighbours, in the order of its layer and with some space between. */
function place(rows, space) {
  for (const row of rows) {
    let bottom = 0;
    row.forEach((each, i) => {
      const between = i === 0 ? 0 : each.name !== undefined || row[i - 1].name !== undefined ? space : BETWEEN;
      each.offset = bottom + between + each.size / 2;
      bottom = each.offset + each.size / 2;
    });
    row.forEach(each => (each.middle = each.offset - bottom / 2));
  }
  const settle = (row, sides) => {
    const wishes = row.map(each => {
      const around = sides.flatMap(side => each[side]);
      return around.length > 0 ? mean(around.map(({middle}) => middle)) : each.middle;
    });
    spread(wishes, row.map(each => each.offset)).forEach((middle, i) => (row[i].middle = middle));
  };
  for (let pass = 0; pass < PASSES; pass++) {
    rows.slice(1).forEach(row => settle(row, ["left"]));
    rows.slice(0, -1).reverse().forEach(row => settle(row, ["right"]));
  }
  rows.forEach(row => settle(row, ["left", "right"]));
}

/**
 * The places that are nearest to the wishes, where each must be as far from the one before as the offsets are from each
 * other: those that would be too near form a block, which goes to the mean of what its members wish.
 */
export function spread(wishes, offsets) {
  const blocks = [];
  wishes.forEach((wish, i) => {
    let block = {sum: wish - offsets[i], count: 1};
    while (blocks.length > 0 && blocks.at(-1).sum / blocks.at(-1).count > block.sum / block.count) {
      const before = blocks.pop();
      block = {sum: before.sum + block.sum, count: before.count + block.count};
    }
    blocks.push(block);
  });
  return blocks.flatMap(({sum, count}) => new Array(count).fill(sum / count)).map((start, i) => start + offsets[i]);
}

function groups(items, key) {
  const found = new Map();
  for (const item of items) {
    found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  }
  return found;
}

function mean(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
