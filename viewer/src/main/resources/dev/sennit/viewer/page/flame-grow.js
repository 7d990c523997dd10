// Adds up stacks to a tree in columns.

/** A tree to which stacks are added; a parent has a smaller number than its children. */
export class Growing {
  /** The size is a guess; a wrong one costs time. */
  constructor(columns, size) {
    const room = 2 ** Math.ceil(Math.log2(size + 1));
    this.size = 1;
    this.parent = new Int32Array(room).fill(-1, 0, 1);
    this.frame = new Int32Array(room).fill(-1, 0, 1);
    this.selves = Array.from({length: columns}, () => new Float64Array(room));
    this.slots = new Int32Array(4 * room);
  }

  child(parent, frame) {
    let at = this.slot(parent, frame);
    for (; this.slots[at] !== 0; at = (at + 1) & (this.slots.length - 1)) {
      const node = this.slots[at];
      if (this.parent[node] === parent && this.frame[node] === frame) {
        return node;
      }
    }
    if (this.size === this.parent.length) {
      this.parent = wider(this.parent);
      this.frame = wider(this.frame);
      this.selves = this.selves.map(wider);
    }
    this.parent[this.size] = parent;
    this.frame[this.size] = frame;
    this.slots[at] = this.size;
    if (2 * ++this.size > this.slots.length) {
      this.slots = new Int32Array(2 * this.slots.length);
      for (let node = 1; node < this.size; node++) {
        let free = this.slot(this.parent[node], this.frame[node]);
        while (this.slots[free] !== 0) {
          free = (free + 1) & (this.slots.length - 1);
        }
        this.slots[free] = node;
      }
    }
    return this.size - 1;
  }

  slot(parent, frame) {
    const mixed = Math.imul(Math.imul(parent + 1, 0x9e3779b1) ^ (frame + 1), 0x85ebca6b);
    return ((mixed >>> 15) ^ mixed) & (this.slots.length - 1);
  }

  shape() {
    return {
      parent: this.parent.subarray(0, this.size),
      frame: this.frame.subarray(0, this.size),
      selves: this.selves.map(self => self.subarray(0, this.size)),
    };
  }
}

function wider(array) {
  const result = new array.constructor(2 * array.length);
  result.set(array);
  return result;
}
