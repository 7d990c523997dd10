// The frame of the page: which view is shown, by its address, and in which colours. A view is loaded when it is first
// shown.

import {LitElement, html, nothing} from "lit";
import {current, follow} from "./router.js";
import {THEMES, theme, choose} from "./theme.js";

const VIEWS = [
  {
    path: "/",
    name: "Overview",
    load: () => import("./overview.js"),
    render: () => html`<sennit-overview></sennit-overview>`,
  },
  {
    path: "/traces",
    name: "Traces",
    load: () => import("./traces.js"),
    render: () => html`<sennit-traces></sennit-traces>`,
  },
  {
    path: "/profiles",
    name: "Profiles",
    load: () => import("./profiles.js"),
    render: () => html`<sennit-profiles></sennit-profiles>`,
  },
  {
    path: "/logs",
    name: "Logs",
    load: () => import("./logs.js"),
    render: () => html`<sennit-logs></sennit-logs>`,
  },
  {
    path: "/processes",
    name: "Processes",
    load: () => import("./processes.js"),
    render: () => html`<sennit-processes></sennit-processes>`,
  },
  {
    path: "/traces/",
    load: () => import("./trace.js"),
    render: path => html`<sennit-trace .trace=${path.slice("/traces/".length)}></sennit-trace>`,
  },
];

/** The view of an address; one that stands for many addresses ends with a slash. */
function viewOf(path) {
  return VIEWS.find(view => view.path === path)
    ?? VIEWS.find(view => view.path !== "/" && view.path.endsWith("/") && path.startsWith(view.path))
    ?? VIEWS[0];
}

class SennitApp extends LitElement {
  static properties = {path: {state: true}, theme: {state: true}};

  constructor() {
    super();
    this.path = current();
    this.theme = theme();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.unfollow = follow(path => {
      const other = path !== this.path;
      this.path = path;
      if (other) {
        this.updateComplete.then(() => this.querySelector("main").focus());
      }
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.unfollow();
  }

  render() {
    const view = viewOf(this.path);
    view.load();
    return html`
      <a class="skip" href="#main">To the content</a>
      <header class="bar">
        <a class="brand" href="/"><img src="/icon.svg" alt="">Sennit</a>
        <nav aria-label="Views">
          ${VIEWS.filter(({name}) => name).map(each => html`
            <a href=${each.path} aria-current=${this.isUnder(each.path) ? "page" : nothing}>${each.name}</a>`)}
        </nav>
        <label class="quiet">Colours
          <select id="theme" @change=${this.chooseTheme}>
            ${THEMES.map(each => html`<option value=${each} ?selected=${each === this.theme}>${each}</option>`)}
          </select>
        </label>
      </header>
      <main id="main" tabindex="-1">${view.render(this.path)}</main>`;
  }

  isUnder(path) {
    return this.path === path || (path !== "/" && this.path.startsWith(path + "/"));
  }

  chooseTheme(event) {
    this.theme = event.target.value;
    choose(this.theme);
    dispatchEvent(new Event("theme"));
  }
}

customElements.define("sennit-app", SennitApp);
