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
