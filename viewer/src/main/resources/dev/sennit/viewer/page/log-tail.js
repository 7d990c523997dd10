// Lines as they are stored. While it is paused they are kept, up to a bound, and counted.

import {address} from "./api.js";
import {listen} from "./live.js";

const HELD = 10_000;
const AGAIN_MILLIS = 1000;

export class LogTail {
  /** Calls "lines" with new ones, and "changed" when a count or the connection is another. */
  constructor({filter, after, lines, changed}) {
    this.filter = filter;
    this.after = after;
    this.lines = lines;
    this.changed = changed;
    this.connected = false;
    this.paused = false;
    this.held = [];
    this.came = 0;
    this.skipped = 0;
    this.connect();
  }

  connect() {
    const view = address("logs", {...this.filter, after: this.after}).slice("/api/".length);
    this.stop = listen(view, {
      connected: connected => this.connection(connected),
      lines: batch => this.take(batch),
    });
  }

  connection(connected) {
    this.connected = connected;
    if (!connected) {
      // By itself the browser would ask again for what has come since the first time.
      this.stop();
      this.again = setTimeout(() => this.connect(), AGAIN_MILLIS);
    }
    this.changed();
  }

  take({lines, last, leftOut}) {
    this.after = last;
    this.skipped += leftOut;
    if (this.paused) {
      this.came += lines.length + leftOut;
      this.held.push(...lines);
      const over = Math.max(0, this.held.length - HELD);
      this.held.splice(0, over);
      this.skipped += over;
    } else if (lines.length > 0) {
      this.lines(lines);
    }
    this.changed();
  }

  pause() {
    this.paused = true;
    this.came = 0;
    this.changed();
  }

  resume() {
    this.paused = false;
    this.lines(this.held.splice(0));
    this.changed();
  }

  end() {
    clearTimeout(this.again);
    this.stop();
  }
}
