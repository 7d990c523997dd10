// What drawings have in common: sharp on any screen, in the colours of the page, and a hint beside the pointer.

/** Gives a canvas as many pixels as the screen has in its place; its context in units of the page. */
export function fit(canvas) {
  const {clientWidth: width, clientHeight: height} = canvas;
  const ratio = devicePixelRatio || 1;
  const context = canvas.getContext("2d");
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return {context, width, height};
}

/** Calls a function when the page gets other colours; returns one that ends it. */
export function onColours(handler) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  addEventListener("theme", handler);
  system.addEventListener("change", handler);
  return () => {
    removeEventListener("theme", handler);
    system.removeEventListener("change", handler);
  };
}

/** Round numbers of which a few lie between two others. */
export function ticks(from, to, most) {
  const raw = (to - from) / Math.max(1, most);
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(each => each * magnitude).find(each => each >= raw) ?? raw;
  const list = [];
  for (let at = Math.ceil(from / step) * step; at <= to && list.length < 100; at += step) {
    list.push(at);
  }
  return list;
}

let hint;

/** Shows lines of text beside the pointer. */
export function showHint(x, y, lines) {
  if (!hint) {
    hint = document.createElement("div");
    hint.className = "trace-hint";
    hint.setAttribute("role", "status");
  }
  hint.replaceChildren(...lines.filter(Boolean).map(line => {
    const element = document.createElement("div");
    element.textContent = shortened(line, 200);
    return element;
  }));
  document.body.append(hint);
  const {width, height} = hint.getBoundingClientRect();
  hint.style.left = `${Math.max(4, x + 14 + width > innerWidth ? x - 14 - width : x + 14)}px`;
  hint.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - height - 4))}px`;
}

export function hideHint() {
  hint?.remove();
}

/** Names come from strangers and may be of any length. */
export function shortened(text, most) {
  return text.length <= most ? text : text.slice(0, most) + "…";
}
