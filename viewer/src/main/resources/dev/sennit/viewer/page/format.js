// Numbers for people.

const COUNT = new Intl.NumberFormat("en");
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function count(number) {
  return COUNT.format(number);
}

export function bytes(number) {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, number)) / 10));
  const scaled = number / 1024 ** unit;
  return `${scaled.toFixed(unit === 0 || scaled >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}
