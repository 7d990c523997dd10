// Listens to the controls and says in words what is drawn.
(function () {
  const HELP = "Click a frame or press Enter to zoom in, Escape to step back, / to search, arrow keys to move.";
  const SUGGESTED_LINKS = 50;
  const SHOWN_PATH = 8;
  const element = id => document.getElementById(id);
  const data = JSON.parse(element("data").textContent);
  const canvas = element("canvas");
  const scroll = element("scroll");
  const picture = drawing(data, canvas, scroll, element("space"));
  const rank = ranks(data.frames);
  const state = {tree: 0, id: "", text: "", reverse: false, flip: false, zoomed: 0, selected: -1, hovered: -1};
  let view = null;
  let found = null;
  let match = -1;
  let due = false;

  const tree = () => data.trees[state.tree];
  const nameOf = node => (node === 0 ? "all" : data.frames[view.frame[node]]);

  function draw() {
    if (!due) {
      due = true;
      requestAnimationFrame(() => {
        due = false;
        picture.draw(view, state, found, "all: " + describeValue(view.total[0], tree()));
      });
    }
  }

  function rebuild() {
    view = viewOf(data, tree(), rank, state.id, state.reverse);
    state.zoomed = 0;
    state.selected = state.hovered = -1;
    element("tip").hidden = true;
    search();
    summary();
    legend();
    path();
    detail(-1);
    resize();
    scroll.scrollTop = state.flip ? 0 : scroll.scrollHeight;
  }

  function resize() {
    picture.resize(view);
    draw();
  }

  function search() {
    found = searchIn(data, view, state.text);
    match = -1;
    matched();
    draw();
  }

  function matched() {
    const count = found.nodes.length;
    const at = match < 0 ? "" : (match + 1) + " of ";
    element("matched").textContent = state.text === "" ? ""
      : count === 0 ? "No match"
        : "Matched: " + percent(found.share) + " in " + at + count + (count === 1 ? " place" : " places");
  }

  function nextMatch(step) {
    const count = found.nodes.length;
    if (count > 0) {
      match = match < 0 ? (step > 0 ? 0 : count - 1) : (match + step + count) % count;
      matched();
      zoom(found.nodes[match]);
    }
  }

  function zoom(node) {
    state.zoomed = node;
    state.selected = node;
    path();
    detail(node);
    picture.resize(view);
    picture.reveal(view, node, state.flip);
    draw();
  }

  function summary() {
    const {name, what, time, duration} = tree();
    const all = tree().self.reduce((sum, value) => sum + value, 0);
    const parts = [what === "samples" || what === name ? name : name + " (" + what + ")"];
    parts.push(describeValue(view.total[0], tree())
      + (state.id === "" ? "" : ", " + percent(all === 0 ? 0 : view.total[0] / all) + " of all"));
    if (time > 0) {
      parts.push(new Date(time).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC")
        + " for " + format(duration, "nanoseconds"));
    }
    element("summary").textContent = parts.join(" · ");
    document.title = [element("title").textContent, ...parts.slice(0, 2)].join(" · ");
  }

  function legend() {
    const entries = [];
    data.types.forEach((type, i) => {
      if (view.types[i] > 0 || type !== "") {
        const entry = document.createElement("span");
        const patch = document.createElement("i");
        patch.style.background = picture.legendFill(type);
        entry.append(patch, (type === "" ? "other" : type) + " " + percent(view.types[i]));
        entry.title = "Measured in frames of this type";
        entries.push(entry);
      }
    });
    element("legend").replaceChildren(...entries);
  }

  function path() {
    const nodes = pathTo(view, state.zoomed);
    const left = Math.max(1, nodes.length - SHOWN_PATH);
    const steps = nodes.flatMap((node, i) => {
      if (i > 0 && i < left) {
        return i === 1 ? ["› … "] : [];
      }
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = labels(nameOf(node))[i === nodes.length - 1 ? 1 : 2];
      button.title = nameOf(node);
      button.addEventListener("click", () => zoom(node));
      return i === 0 ? [button] : ["›", button];
    });
    element("path").replaceChildren(...steps);
  }

  function describe(node) {
    const share = whole => percent(whole === 0 ? 0 : view.total[node] / whole);
    const type = node === 0 ? "" : data.types[data.frameTypes[view.frame[node]]];
    const lines = [nameOf(node) + (type === "" ? "" : " [" + type + "]")];
    lines.push(describeValue(view.total[node], tree()) + ", " + share(view.total[0]) + " of all"
      + (state.zoomed === 0 || view.depth[node] <= view.depth[state.zoomed] ? ""
        : ", " + share(view.total[state.zoomed]) + " of " + labels(nameOf(state.zoomed))[2]));
    if (node !== 0 && !state.reverse) {
      lines.push("itself " + (view.self[node] === 0 ? "nothing"
        : describeValue(view.self[node], tree()) + ", " + percent(view.self[node] / view.total[0]) + " of all"));
    }
    return lines;
  }

  function detail(node) {
    element("detail").textContent = node < 0 ? (view.total[0] === 0 ? "Nothing was measured here." : HELP)
      : describe(node).join(" — ");
  }

  function point(event) {
    const tip = element("tip");
    const node = picture.pointed(view, event, state);
    tip.hidden = node < 0;
    if (node >= 0) {
      tip.textContent = describe(node).join("\n");
      const right = event.clientX > window.innerWidth / 2;
      tip.style.left = right ? "auto" : event.clientX + 12 + "px";
      tip.style.right = right ? window.innerWidth - event.clientX + 12 + "px" : "auto";
      tip.style.top = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 4) + "px";
    }
    if (node !== state.hovered) {
      state.hovered = node;
      detail(node < 0 ? state.selected : node);
      draw();
    }
  }

  function leave() {
    element("tip").hidden = true;
    state.hovered = -1;
    detail(state.selected);
    draw();
  }

  /** Moves the selection: outwards to the root or inwards, or to the neighbour in its row. */
  function move(inwards, sideways) {
    const at = Math.max(0, state.selected);
    let to = at;
    if (state.selected < 0) {
      to = state.zoomed;
    } else if (inwards < 0) {
      to = view.parent[at];
    } else if (inwards > 0) {
      const children = (view.rows[view.depth[at] + 1] ?? []).filter(node => view.parent[node] === at);
      to = children.reduce((best, node) => (view.total[node] > view.total[best] ? node : best), children[0] ?? at);
    } else {
      const row = view.rows[view.depth[at]];
      const next = row[row.indexOf(at) + sideways];
      to = next !== undefined && placeOf(view, next, state.zoomed) !== null ? next : at;
    }
    state.selected = to;
    detail(to);
    picture.reveal(view, to, state.flip);
    draw();
  }

  function stepBack() {
    if (state.text !== "") {
      state.text = element("search").value = "";
      search();
    } else if (state.zoomed !== 0) {
      zoom(0);
    } else if (state.id !== "") {
      state.id = element("link").value = "";
      rebuild();
    }
    element("tip").hidden = true;
    canvas.focus({preventScroll: true});
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const up = state.flip ? -1 : 1;
    const actions = {
      "Escape": stepBack,
      ...(typing ? {} : {"/": () => element("search").select()}),
      ...(event.target === element("search") ? {"Enter": () => nextMatch(event.shiftKey ? -1 : 1)} : {}),
      ...(event.target === canvas ? {
        "Enter": () => zoom(Math.max(0, state.selected)),
        "ArrowUp": () => move(up, 0),
        "ArrowDown": () => move(-up, 0),
        "ArrowLeft": () => move(0, -1),
        "ArrowRight": () => move(0, 1),
      } : {}),
    };
    if (Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      actions[event.key]();
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

  function suggestLinks() {
    element("links").replaceChildren(...busiestLinks(data, tree(), SUGGESTED_LINKS).map(id => {
      const option = document.createElement("option");
      option.value = id;
      return option;
    }));
  }

  function controls() {
    element("title").textContent = data.title === "" ? "Flame graph" : data.title;
    const choice = element("tree");
    data.trees.forEach((each, i) => {
      const option = document.createElement("option");
      option.value = String(i);
      option.textContent = each.name + " (" + each.what + ")";
      choice.append(option);
    });
    choice.hidden = data.trees.length < 2;
    choice.addEventListener("change", () => { state.tree = Number(choice.value); suggestLinks(); rebuild(); });
    element("link").hidden = data.links.length === 0;
    element("link").addEventListener("input", event => {
      state.id = event.target.value.trim().toLowerCase();
      rebuild();
    });
    element("search").addEventListener("input", event => { state.text = event.target.value; search(); });
    element("reset").addEventListener("click", () => {
      state.text = state.id = element("search").value = element("link").value = "";
      rebuild();
    });
    press("reverse");
    press("flip");
    suggestLinks();
  }

  controls();
  canvas.addEventListener("mousemove", point);
  canvas.addEventListener("mouseleave", leave);
  canvas.addEventListener("click", event => {
    const node = picture.pointed(view, event, state);
    if (node >= 0) {
      zoom(node);
    }
  });
  scroll.addEventListener("scroll", draw);
  window.addEventListener("resize", resize);
  window.addEventListener("keydown", key);
  picture.dark.addEventListener("change", () => { picture.paint(); legend(); draw(); });
  rebuild();
})();
