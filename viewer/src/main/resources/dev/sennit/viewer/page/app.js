// The frame of the page: which view is shown, by its address, and in which colours.

import {LitElement, html, nothing} from "lit";
import {current, follow} from "./router.js";
import {THEMES, theme, choose} from "./theme.js";
import "./overview.js";

const VIEWS = [{path: "/", name: "Overview", render: () => html`<sennit-overview></sennit-overview>`}];

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
      this.path = path;
      this.updateComplete.then(() => this.querySelector("main").focus());
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.unfollow();
  }

  render() {
    const view = VIEWS.find(({path}) => path === this.path) ?? VIEWS[0];
    return html`
      <a class="skip" href="#main">To the content</a>
      <header class="bar">
        <a class="brand" href="/"><img src="/icon.svg" alt="">Sennit</a>
        <nav aria-label="Views">
          ${VIEWS.map(each => html`
            <a href=${each.path} aria-current=${each === view ? "page" : nothing}>${each.name}</a>`)}
        </nav>
        <label class="quiet">Colours
          <select id="theme" @change=${this.chooseTheme}>
            ${THEMES.map(each => html`<option value=${each} ?selected=${each === this.theme}>${each}</option>`)}
          </select>
        </label>
      </header>
      <main id="main" tabindex="-1">${view.render()}</main>`;
  }

  chooseTheme(event) {
    this.theme = event.target.value;
    choose(this.theme);
  }
}

customElements.define("sennit-app", SennitApp);
