// A trace as it is looked at: a tree of which parts are folded, and what belongs into which row.

import {childrenOf, criticalPath, selfTime} from "./tracetime.js";

export class TraceModel {
  constructor(answer) {
    Object.assign(this, answer);
    this.children = childrenOf(this.spans);
    this.failures = 0;
    this.spansOf = this.services.map(() => 0);
    this.spans.forEach((span, index) => {
      span.index = index;
      span.depth = span.parent < 0 ? 0 : this.spans[span.parent].depth + 1;
      span.self = selfTime(this.spans, this.children, index);
      span.below = 0;
      span.failuresBelow = 0;
      this.spansOf[span.service]++;
      this.failures += span.failed ? 1 : 0;
    });
    // Every span comes after its parent.
    for (let i = this.spans.length - 1; i >= 0; i--) {
      const {parent, below, failed, failuresBelow} = this.spans[i];
      if (parent >= 0) {
        this.spans[parent].below += below + 1;
        this.spans[parent].failuresBelow += failuresBelow + (failed ? 1 : 0);
      }
    }
    this.path = criticalPath(this.spans, this.children);
    this.onPath = new Set(this.path.map(([index]) => index));
    this.places = new Map(this.spans.map(({id}, index) => [id, index]));
    this.folded = new Set();
    this.arrange();
  }

  serviceOf(span) {
    return this.services[span.service];
  }

  place(id) {
    return this.places.get(id) ?? -1;
  }

  /** Which spans are shown, and in which row each is: a folded one in that of the ancestor that hides it. */
  arrange() {
    const rows = [];
    const rowOf = new Int32Array(this.spans.length);
    for (let i = 0; i < this.spans.length; i++) {
      rowOf[i] = rows.length;
      rows.push(i);
      if (this.folded.has(i)) {
        const {below} = this.spans[i];
        rowOf.fill(rowOf[i], i + 1, i + 1 + below);
        i += below;
      }
    }
    this.rows = rows;
    this.rowOf = rowOf;
    this.marks = {
      path: this.byRow(this.path),
      events: this.byRow(this.events),
      lines: this.byRow(this.lines),
    };
  }

  byRow(list) {
    const rows = new Map();
    for (const each of list) {
      if (each[0] >= 0) {
        const row = this.rowOf[each[0]];
        const others = rows.get(row);
        others ? others.push(each) : rows.set(row, [each]);
      }
    }
    return rows;
  }

  hasChildren(index) {
    return this.children[index].length > 0;
  }

  isFolded(index) {
    return this.folded.has(index);
  }

  fold(index, folded) {
    if (this.hasChildren(index) && folded !== this.folded.has(index)) {
      folded ? this.folded.add(index) : this.folded.delete(index);
      this.arrange();
    }
  }

  foldAll(folded) {
    this.folded = new Set(folded ? this.rowsWithChildren() : []);
    this.arrange();
  }

  rowsWithChildren() {
    return this.spans.map(({index}) => index).filter(index => this.hasChildren(index));
  }

  /** Unfolds whatever hides a span. */
  reveal(index) {
    let changed = false;
    for (let at = this.spans[index].parent; at >= 0; at = this.spans[at].parent) {
      changed = this.folded.delete(at) || changed;
    }
    if (changed) {
      this.arrange();
    }
  }

  /** What a person would say of clocks or of a lost parent; empty if all is well. */
  remarks(span) {
    if (span.parent < 0) {
      return span.lost ? [`Its parent ${span.lost} is not in this trace.`] : [];
    }
    const parent = this.spans[span.parent];
    const remarks = [];
    if (span.start < parent.start) {
      remarks.push("It starts before its parent: the clocks of the two differ.");
    }
    if (span.start + span.duration > parent.start + parent.duration) {
      remarks.push("It ends after its parent, which did not wait for it or has another clock.");
    }
    return remarks;
  }
}
