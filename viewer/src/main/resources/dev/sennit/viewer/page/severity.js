// Severities by their words, each of which stands for four numbers of OpenTelemetry's scale.

export const SEVERITIES = [
  {least: 0, word: "none", token: "--line"},
  {least: 1, word: "trace", token: "--frame-other"},
  {least: 5, word: "debug", token: "--ink-soft"},
  {least: 9, word: "info", token: "--accent"},
  {least: 13, word: "warn", token: "--warning"},
  {least: 17, word: "error", token: "--bad"},
  {least: 21, word: "fatal", token: "--service-4"},
];

export function severityOf(number) {
  return SEVERITIES.findLast(({least}) => number >= least) ?? SEVERITIES[0];
}
