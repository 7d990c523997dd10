// Questions to the server.

/** What a view of the server answers; an error has the server's own words. */
export async function ask(path, parameters = {}, {signal} = {}) {
  const response = await fetch(address(path, parameters), {signal});
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.error ?? `the server answered ${response.status}`);
  }
  return answer;
}

/** The address of a view or a file, without what has no value. */
export function address(path, parameters = {}) {
  const search = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  return `/api/${path}${search.size > 0 ? "?" + search : ""}`;
}
