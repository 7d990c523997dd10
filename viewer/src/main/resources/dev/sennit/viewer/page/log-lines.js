// The lines that are there, in the order of their times. There is a bound, so that a page may stay open for days.

export const BOUND = 100_000;

function compare(one, other) {
  return one.time - other.time || one.seq - other.seq;
}

export class LogLines {
  constructor(bound = BOUND) {
    this.bound = bound;
    this.clear();
  }

  clear() {
    this.all = [];
    this.older = false;
    this.newer = false;
  }

  get length() {
    return this.all.length;
  }

  at(index) {
    return this.all[index];
  }

  /** Takes the place of all; lines are in order. */
  replace({lines, older, newer}) {
    this.all = lines;
    this.older = older;
    this.newer = newer;
  }

  prepend({lines, older}) {
    this.all = lines.concat(this.all);
    this.older = older;
    if (this.length > this.bound) {
      this.all.length = this.bound;
      this.newer = true;
    }
  }

  append({lines, newer}) {
    this.all = this.all.concat(lines);
    this.newer = newer;
    this.trim();
  }

  /** Puts lines that came just now where their times belong. What is older than all here is found by going back. */
  insert(lines) {
    for (const line of lines) {
      const index = this.place(line);
      if (compare(this.all[index] ?? {}, line) === 0 || (index === 0 && this.older)) {
        continue;
      }
      if (index === this.length) {
        this.all.push(line);
      } else {
        this.all.splice(index, 0, line);
      }
    }
    this.trim();
  }

  trim() {
    // Some at a time, for it moves all of the others.
    if (this.length > this.bound * 1.05) {
      this.all.splice(0, this.length - this.bound);
      this.older = true;
    }
  }

  /** Where a line is, or would be. */
  place(line) {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.all[middle], line) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The line that a link names: by its number, or the nearest in time. */
  nearest(millis, seq) {
    const index = this.place({time: millis, seq: 0});
    for (let i = index; i < this.length && this.all[i].time < millis + 1; i++) {
      if (this.all[i].seq === seq) {
        return i;
      }
    }
    const nearer = index > 0 && (index === this.length || millis - this.all[index - 1].time < this.all[index].time - millis);
    return Math.min(this.length - 1, nearer ? index - 1 : index);
  }
}
