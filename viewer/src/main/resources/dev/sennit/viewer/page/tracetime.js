// Where the time of a trace goes: what spans did themselves, and what the whole waited for. Nothing else computes this.
//
// A span has a start and a duration, both in nanoseconds, a kind, and the place of its parent in the list, -1 for a
// root. The children of a span are in the order of their starts.

/** The places of each span's children. */
export function childrenOf(spans) {
  const children = spans.map(() => []);
  spans.forEach((span, index) => children[span.parent]?.push(index));
  for (const list of children) {
    list.sort((a, b) => spans[a].start - spans[b].start || a - b);
  }
  return children;
}

/**
 * The parts of a span's time in which none of its children ran, each from when to when. What a child did before or after
 * its parent, because it was not waited for or because clocks differ, takes nothing from it.
 */
export function selfParts(spans, children, index) {
  const {start, duration} = spans[index];
  const end = start + duration;
  const parts = [];
  let at = start;
  for (const child of children[index]) {
    const from = spans[child].start;
    if (from >= end || at >= end) {
      break;
    }
    if (from > at) {
      parts.push([at, from]);
    }
    at = Math.max(at, from, Math.min(from + spans[child].duration, end));
  }
  if (at < end) {
    parts.push([at, end]);
  }
  return parts;
}

export function selfTime(spans, children, index) {
  return selfParts(spans, children, index).reduce((sum, [from, to]) => sum + to - from, 0);
}

/**
 * What the trace waited for, from the start of its longest root to the end of it: at each time the one span without which
 * it would have been over earlier. Each part is the place of a span, from when and to when; parts follow each other.
 *
 * Seen from its end, a span waited for the child that ended last, then for what ended last before that child began, and
 * so on. A child that ends after its parent was not waited for, unless it is the other side of a call: then it is the
 * clocks that differ, and it counts as far as it lies within its parent.
 */
export function criticalPath(spans, children) {
  let root = -1;
  spans.forEach((span, index) => {
    if (span.parent < 0 && (root < 0 || span.duration > spans[root].duration)) {
      root = index;
    }
  });
  if (root < 0) {
    return [];
  }
  const path = [];
  const open = [enter(spans, children, root, spans[root].start, end(spans[root]))];
  while (open.length > 0) {
    const inside = open.at(-1);
    const child = lastBefore(inside);
    const from = child ? child.to : inside.from;
    if (from < inside.at) {
      path.push([inside.index, from, inside.at]);
    }
    if (child) {
      inside.at = child.from;
      open.push(enter(spans, children, child.index, child.from, child.to));
    } else {
      open.pop();
    }
  }
  return path.reverse();
}

/** A span that is walked through backwards; it was waited for from one time to another. */
function enter(spans, children, index, from, to) {
  const waitedFor = children[index]
    .filter(child => wasWaitedFor(spans[child], spans[index]))
    .map(child => ({
      index: child,
      from: Math.max(from, spans[child].start),
      to: Math.min(to, end(spans[child])),
    }))
    .filter(child => child.from < child.to)
    .sort((a, b) => b.to - a.to || a.from - b.from);
  return {index, from, at: to, waitedFor, next: 0};
}

function lastBefore(inside) {
  while (inside.next < inside.waitedFor.length) {
    const child = inside.waitedFor[inside.next++];
    if (child.to <= inside.at) {
      return child;
    }
  }
  return undefined;
}

function wasWaitedFor(child, parent) {
  return end(child) <= end(parent) || (child.kind === "SERVER" && parent.kind === "CLIENT");
}

function end(span) {
  return span.start + span.duration;
}
