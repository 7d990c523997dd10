// Numbers and times for people.

const COUNT = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", {maximumSignificantDigits: 3});
const FEW = new Intl.NumberFormat("en", {maximumSignificantDigits: 2});
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
const TIMES = [[3600e9, "h"], [60e9, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

export function count(number) {
  return COUNT.format(number);
}

/** At most three digits that say something. */
export function short(number) {
  return SHORT.format(number);
}

export function percent(part, whole) {
  return whole > 0 ? `${SHORT.format((100 * part) / whole)} %` : "–";
}

/** How often in a second. */
export function rate(perSecond) {
  return `${perSecond < 1 ? FEW.format(perSecond) : SHORT.format(perSecond)}/s`;
}

export function bytes(number) {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, number)) / 10));
  const scaled = number / 1024 ** unit;
  return `${scaled.toFixed(unit === 0 || scaled >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}

/** A time that passed, in nanoseconds. */
export function duration(nanos) {
  const [scale, unit] = TIMES.find(([each]) => Math.abs(nanos) >= each) ?? TIMES.at(-1);
  return `${SHORT.format(nanos / scale)} ${unit}`;
}

/** What was sampled, in its unit. */
export function amount(value, unit) {
  return unit === "nanoseconds" ? duration(value) : unit === "bytes" ? bytes(value) : count(value);
}

/** A time of day, in milliseconds since 1970; with the day where it is not today. */
export function moment(millis) {
  const date = new Date(Number(millis));
  const time = date.toLocaleTimeString("en-GB");
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString("en-CA")} ${time}`;
}

/** The same to the millisecond. */
export function exactly(millis) {
  return `${moment(millis)}.${String(Math.floor(millis % 1000)).padStart(3, "0")}`;
}
