// What the server tells as it happens. The browser connects again by itself when the connection breaks.

/**
 * Listens to a live view: a function for each kind of event, and "connected" for whether there is a connection.
 * Returns a function that ends it.
 */
export function listen(view, {connected, ...events}) {
  const source = new EventSource("/api/live/" + view);
  source.addEventListener("open", () => connected?.(true));
  source.addEventListener("error", () => connected?.(false));
  for (const [name, handler] of Object.entries(events)) {
    source.addEventListener(name, event => handler(JSON.parse(event.data)));
  }
  return () => source.close();
}
