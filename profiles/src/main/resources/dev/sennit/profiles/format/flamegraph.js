// Draws the view and listens to the controls. Names go to the page as text only.
(function () {
  const ROW = 18;
  const HUES = {"jvm": 110, "native": 45, "kernel": 15, "": 210};
  const element = id => document.getElementById(id);
  const data = JSON.parse(element("data").textContent);
  const canvas = element("canvas");
  const scroll = element("scroll");
  const pen = canvas.getContext("2d");
  const rank = ranks(data.frames);
  const state = {tree: 0, id: "", text: "", reverse: false, flip: false, zoomed: 0};
  let view = null;
  let found = null;
  let width = 0;
  let height = 0;

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

  function colour(frame) {
    const shade = 62 + (Math.imul(frame + 1, 2654435761) >>> 28);
    return "hsl(" + hue(data.types[data.frameTypes[frame]]) + " 62% " + shade + "%)";
  }

  function rows() {
    return view.deepest + 1;
  }

  function top(depth) {
    const fromRoot = depth * ROW;
    const all = Math.max(rows() * ROW, height);
    return (state.flip ? fromRoot : all - fromRoot - ROW) - scroll.scrollTop;
  }

  function rebuild() {
    view = viewOf(data, data.trees[state.tree], rank, state.id, state.reverse);
    state.zoomed = 0;
    search();
    resize();
    scroll.scrollTop = state.flip ? 0 : scroll.scrollHeight;
    draw();
  }

  function search() {
    found = searchIn(data, view, state.text);
    element("matched").textContent = state.text === "" ? "" : "Matched: " + percent(found.share);
  }

  function resize() {
    const ratio = window.devicePixelRatio || 1;
    width = scroll.clientWidth;
    height = scroll.clientHeight;
    canvas.width = Math.floor(width * ratio);
    canvas.height = Math.floor(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    element("space").style.height = Math.max(0, rows() * ROW - height) + "px";
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  function draw() {
    pen.clearRect(0, 0, width, height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const tree = data.trees[state.tree];
    box(0, [0, 1], "all: " + format(view.total[0], tree.unit), "#dddddd", state.zoomed !== 0);
    for (const node of view.order) {
      const y = top(view.depth[node]);
      if (y < -ROW || y > height) {
        continue;
      }
      const place = placeOf(view, node, state.zoomed);
      if (place === null || place[1] * width < 0.3) {
        continue;
      }
      const frame = view.frame[node];
      const fill = found.frames[frame] ? "#d64fd6" : colour(frame);
      box(node, place, data.frames[frame], fill, view.depth[node] < view.depth[state.zoomed]);
    }
  }

  function box(node, place, text, fill, faded) {
    const x = place[0] * width;
    const y = top(view.depth[node]);
    const w = Math.max(0.3, place[1] * width - (place[1] * width > 3 ? 0.6 : 0));
    pen.globalAlpha = faded ? 0.55 : 1;
    pen.fillStyle = fill;
    pen.fillRect(x, y, w, ROW - 1);
    if (w > 28) {
      const room = Math.floor((w - 6) / 6.2);
      pen.fillStyle = "#111111";
      pen.save();
      pen.beginPath();
      pen.rect(x, y, w - 2, ROW);
      pen.clip();
      // The end of a qualified name says more than its start.
      pen.fillText(text.length > room && room > 3 ? "…" + text.slice(1 - room) : text, x + 3, y + ROW / 2);
      pen.restore();
    }
    pen.globalAlpha = 1;
  }

  function nodeAt(event) {
    const area = canvas.getBoundingClientRect();
    const x = (event.clientX - area.left) / width;
    const y = event.clientY - area.top;
    if (y >= top(0) && y < top(0) + ROW) {
      return 0;
    }
    for (const node of view.order) {
      const rowTop = top(view.depth[node]);
      if (y >= rowTop && y < rowTop + ROW) {
        const place = placeOf(view, node, state.zoomed);
        if (place !== null && x >= place[0] && x < place[0] + place[1]) {
          return node;
        }
      }
    }
    return -1;
  }

  function describe(node) {
    const tree = data.trees[state.tree];
    const all = view.total[0] || 1;
    const name = node === 0 ? "all" : data.frames[view.frame[node]];
    const type = node === 0 ? "" : data.types[data.frameTypes[view.frame[node]]];
    const self = state.reverse || node === 0 ? "" : ", itself " + percent(view.self[node] / all);
    return name + (type === "" ? "" : " [" + type + "]") + "\n" + tree.what + ": "
      + format(view.total[node], tree.unit) + ", " + percent(view.total[node] / all) + self;
  }

  function point(event) {
    const tip = element("tip");
    const node = nodeAt(event);
    tip.hidden = node < 0;
    if (node >= 0) {
      tip.textContent = describe(node);
      element("detail").textContent = tip.textContent.replace("\n", " — ");
      const right = event.clientX > window.innerWidth / 2;
      tip.style.left = right ? "auto" : event.clientX + 12 + "px";
      tip.style.right = right ? window.innerWidth - event.clientX + 12 + "px" : "auto";
      tip.style.top = Math.min(event.clientY + 14, window.innerHeight - 60) + "px";
    }
  }

  function press(name) {
    const button = element(name);
    button.addEventListener("click", () => {
      state[name] = !state[name];
      button.setAttribute("aria-pressed", String(state[name]));
      rebuild();
    });
  }

  function reset() {
    state.text = state.id = element("search").value = element("link").value = "";
    rebuild();
  }

  function controls() {
    const title = data.title === "" ? "Flame graph" : data.title;
    element("title").textContent = document.title = title;
    const choice = element("tree");
    data.trees.forEach((tree, i) => {
      const option = document.createElement("option");
      option.value = String(i);
      option.textContent = tree.name + " (" + tree.what + ")";
      choice.append(option);
    });
    choice.hidden = data.trees.length < 2;
    choice.addEventListener("change", () => { state.tree = Number(choice.value); rebuild(); });
    element("link").hidden = data.links.length === 0;
    element("link").addEventListener("input", event => {
      state.id = event.target.value.trim().toLowerCase();
      rebuild();
    });
    element("search").addEventListener("input", event => {
      state.text = event.target.value;
      search();
      draw();
    });
    element("reset").addEventListener("click", reset);
    press("reverse");
    press("flip");
    for (const type of data.types.filter(name => name !== "")) {
      const entry = document.createElement("span");
      const patch = document.createElement("i");
      patch.style.background = "hsl(" + hue(type) + " 62% 70%)";
      entry.append(patch, type);
      element("legend").append(entry);
    }
  }

  controls();
  canvas.addEventListener("mousemove", point);
  canvas.addEventListener("mouseleave", () => { element("tip").hidden = true; });
  canvas.addEventListener("click", event => {
    const node = nodeAt(event);
    if (node >= 0) {
      state.zoomed = node;
      draw();
    }
  });
  scroll.addEventListener("scroll", draw);
  window.addEventListener("resize", () => { resize(); draw(); });
  window.addEventListener("keydown", event => {
    if (event.key === "Escape") {
      reset();
    }
  });
  rebuild();
})();
