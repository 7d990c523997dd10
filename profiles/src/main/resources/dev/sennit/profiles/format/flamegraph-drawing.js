// Draws the view on a canvas. Names go to the page as text only.
const ROW = 18;
const HUES = {"jvm": 110, "native": 45, "kernel": 15, "": 210};
const LIGHT = {text: "#111111", root: "#dadce0", match: "#d64fd6", edge: "#202124", saturation: 62, shade: 62};
const DARK = {text: "#f1f3f4", root: "#3c4043", match: "#a83aa8", edge: "#f1f3f4", saturation: 38, shade: 22};

function hue(type) {
  if (Object.hasOwn(HUES, type)) {
    return HUES[type];
  }
  let sum = 0;
  for (const c of type) {
    sum = (sum * 31 + c.codePointAt(0)) % 360;
  }
  return sum;
}

function fillOf(type, shade, theme) {
  return "hsl(" + hue(type) + " " + theme.saturation + "% " + (theme.shade + shade) + "%)";
}

/** A canvas that shows a part of a view, as far as it is scrolled to. */
function drawing(data, canvas, scroll, space) {
  const pen = canvas.getContext("2d");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const names = [];
  let theme = LIGHT;
  let fills = [];
  let width = 0;
  let height = 0;

  function paint() {
    theme = dark.matches ? DARK : LIGHT;
    fills = data.frameTypes.map((type, frame) =>
      fillOf(data.types[type], Math.imul(frame + 1, 2654435761) >>> 28, theme));
  }

  function resize(view) {
    const ratio = window.devicePixelRatio || 1;
    width = scroll.clientWidth;
    height = scroll.clientHeight;
    canvas.width = Math.floor(width * ratio);
    canvas.height = Math.floor(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    space.style.height = Math.max(0, view.rows.length * ROW - height) + "px";
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** The upper edge of a row, in the canvas. */
  function top(view, depth, flip) {
    const all = Math.max(view.rows.length * ROW, height);
    return (flip ? depth * ROW : all - (depth + 1) * ROW) - scroll.scrollTop;
  }

  function depthAt(view, y, flip) {
    const all = Math.max(view.rows.length * ROW, height);
    return Math.floor((flip ? y + scroll.scrollTop : all - y - scroll.scrollTop) / ROW);
  }

  /** Draws what is in sight; `state` says how, `found` what the search found. */
  function draw(view, state, found, rootText) {
    pen.clearRect(0, 0, width, height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const ends = [depthAt(view, 0, state.flip), depthAt(view, height, state.flip)];
    const last = Math.min(view.deepest, Math.max(...ends));
    for (let depth = Math.max(0, Math.min(...ends)); depth <= last; depth++) {
      row(view, depth, top(view, depth, state.flip), state, found, rootText);
    }
    for (const node of [state.hovered, state.selected]) {
      const place = node > 0 ? placeOf(view, node, state.zoomed) : null;
      if (place !== null) {
        pen.strokeStyle = theme.edge;
        pen.strokeRect(place[0] * width + 0.5, top(view, view.depth[node], state.flip) + 0.5,
          Math.max(1, place[1] * width - 1.5), ROW - 2);
      }
    }
  }

  function row(view, depth, y, state, found, rootText) {
    const above = depth <= view.depth[state.zoomed];
    const left = view.x[state.zoomed];
    const right = left + view.total[state.zoomed];
    const scale = width / (right - left);
    const nodes = view.rows[depth];
    let drawn = -1;
    for (let i = firstBehind(view, nodes, left); i < nodes.length && view.x[nodes[i]] < right; i++) {
      const node = nodes[i];
      const start = above ? 0 : (view.x[node] - left) * scale;
      const end = above ? width : start + view.total[node] * scale;
      // Many small ones share a pixel, which is drawn once.
      if (end - drawn < 0.5) {
        continue;
      }
      drawn = end;
      pen.globalAlpha = above && node !== state.zoomed ? 0.55 : 1;
      pen.fillStyle = node === 0 ? theme.root : found.frames[view.frame[node]] ? theme.match : fills[view.frame[node]];
      const w = Math.max(0.5, end - start - (end - start > 3 ? 0.6 : 0));
      pen.fillRect(start, y, w, ROW - 1);
      pen.globalAlpha = 1;
      if (w > 20) {
        pen.fillStyle = theme.text;
        pen.fillText(node === 0 ? rootText : fitting(view.frame[node], w - 6), start + 3, y + ROW / 2);
      }
    }
  }

  /** As much of a frame's name as there is room for: rather the method alone than a part of all. */
  function fitting(frame, room) {
    const known = names[frame] ??= labels(data.frames[frame]).map(text => ({text, width: pen.measureText(text).width}));
    for (const label of known) {
      if (label.width <= room) {
        return label.text;
      }
    }
    const {text, width: needed} = known[known.length - 1];
    const length = Math.floor(text.length * (room - 10) / needed);
    return length < 2 ? "" : text.slice(0, length) + "…";
  }

  /** The node under the pointer, -1 if there is none. */
  function pointed(view, event, state) {
    const area = canvas.getBoundingClientRect();
    return nodeAt(view, depthAt(view, event.clientY - area.top, state.flip), (event.clientX - area.left) / width, state.zoomed);
  }

  /** Scrolls as far as needed to see a node. */
  function reveal(view, node, flip) {
    const y = top(view, view.depth[node], flip);
    if (y < 0) {
      scroll.scrollTop += y - ROW;
    } else if (y + ROW > height) {
      scroll.scrollTop += y + 2 * ROW - height;
    }
  }

  paint();
  return {dark, paint, resize, draw, pointed, reveal, legendFill: type => fillOf(type, 8, theme)};
}
