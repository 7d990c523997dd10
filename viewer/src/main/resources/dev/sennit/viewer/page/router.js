// Addresses of views, by the History API: links inside of the page change the address and load nothing.

const followers = new Set();

function tell() {
  for (const follower of followers) {
    follower(current());
  }
}

/** The path that is shown; the overview has two. */
export function current() {
  return location.pathname === "/overview" ? "/" : location.pathname;
}

/** Goes to an address of the page. What is only adjusted replaces the one before, and is not to go back to. */
export function go(address, {replace = false} = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  tell();
}

/** What stands behind the question mark. */
export function parameters() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Changes parameters of the address that is shown; an empty one goes. There is nothing new to go back to. */
export function adjust(changes) {
  history.replaceState(null, "", addressWith(location.pathname, {...parameters(), ...changes}));
}

/** An address of the page with parameters; the time that is looked at can be kept by naming it. */
export function addressWith(path, values) {
  const search = new URLSearchParams(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  return path + (search.size > 0 ? "?" + search : "");
}

/** Calls a function with each new path; returns one that ends it. */
export function follow(follower) {
  followers.add(follower);
  return () => followers.delete(follower);
}

addEventListener("popstate", tell);

addEventListener("click", event => {
  const link = event.target.closest?.("a[href]");
  const ordinary = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !ordinary || event.defaultPrevented || link.target || link.hasAttribute("download")) {
    return;
  }
  const {origin, pathname, search, hash} = new URL(link.href);
  if (origin !== location.origin || pathname.startsWith("/api/") || hash) {
    return;
  }
  event.preventDefault();
  go(pathname + search);
});
