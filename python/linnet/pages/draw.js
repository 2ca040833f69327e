// Draws the graphs of a page as SVG, and opens, zooms and explains them. Everything that the data
// holds becomes text nodes and attributes, never markup.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const PAD = 12;
  const LINE = 17;
  const KINDS = {
    input: "input of the frame", result: "result", param: "parameter", buffer: "buffer",
    state: "state, read", write: "state, written", constant: "constant", op: "operation",
    call: "call", loop: "loop", choice: "choice",
  };

  const canvas = document.createElement("canvas").getContext("2d");
  const fonts = {};
  const widths = new Map();

  function measure(text, style) {
    const key = `${style} ${text}`;
    if (!widths.has(key)) {
      canvas.font = fonts[style];
      widths.set(key, canvas.measureText(text).width);
    }
    return widths.get(key);
  }

  function readFonts(root) {
    const family = getComputedStyle(root).getPropertyValue("--mono");
    for (const [style, font] of Object.entries({
      title: "600 13px", pill: "500 13px", line: "400 12px", label: "400 12px", badge: "600 12px",
    })) {
      fonts[style] = `${font} ${family}`;
    }
  }

  function svg(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function html(name, className, ...children) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  // Drawing ----------------------------------------------------------------------------------

  function drawEdge(edge) {
    const { output } = edge;
    const path = svg("path", {
      class: "edge", d: edge.path, "marker-end": "url(#arrow)",
      "data-from": edge.from, "data-to": edge.to,
      "data-name": output.name, "data-type": output.type,
    });
    path.append(svg("title", {}, output.name ? `${output.name}: ${output.type}` : output.type));
    return path;
  }

  function drawLabel(label) {
    const group = svg("g", { class: "label", transform: `translate(${label.x} ${label.y})` });
    const text = svg("text", { x: label.w / 2, y: label.h / 2 + 4 });
    const colon = label.output.name ? label.text.indexOf(": ") + 2 : 0;
    if (colon > 1) text.append(svg("tspan", { class: "name" }, label.text.slice(0, colon)));
    text.append(svg("tspan", { class: "type" }, label.text.slice(Math.max(colon, 0))));
    group.append(svg("rect", { width: label.w, height: label.h, rx: 4 }), text);
    group.append(svg("title", {}, `${label.output.name || "value"}: ${label.output.type}`));
    return group;
  }

  function kindOf(node) {
    if (node.kind !== "call" && node.kind !== "loop") return node.kind;
    return node.callee && node.path ? `${node.kind} block` : node.kind;
  }

  function drawBox(box) {
    const { node } = box;
    const pill = !box.lines.length && box.h < 30;
    const group = svg("g", {
      class: `node ${kindOf(node)}${box.open ? " open" : ""}`,
      transform: `translate(${box.x} ${box.y})`,
      "data-key": box.key, "data-title": box.title, tabindex: "-1",
      role: box.expandable ? "button" : "img",
      "aria-label": spoken(box),
    });
    if (box.expandable) group.setAttribute("aria-expanded", String(box.open));
    if (node.repeat) {
      for (const shift of [8, 4]) {
        const behind = { x: shift, y: -shift, width: box.w, height: box.h, rx: 9, class: "behind" };
        group.append(svg("rect", behind));
      }
    }
    const round = pill ? box.h / 2 : 9;
    group.append(svg("rect", { class: "box", width: box.w, height: box.h, rx: round }));
    const head = svg("g", { class: "head" });
    const tall = box.open ? PAD + LINE * (1 + box.lines.length) : box.h;
    head.append(svg("rect", { class: "touch", width: box.w, height: tall, rx: round }));
    const base = pill ? box.h / 2 + 4.5 : PAD + 10;
    const aligned = box.expandable || box.lines.length || box.badge;
    let x = aligned ? PAD : box.w / 2;
    if (box.expandable) {
      const turn = box.open ? " rotate(90)" : "";
      const place = `translate(${x + 4} ${base - 4.5})${turn}`;
      head.append(svg("path", { class: "chevron", d: "M-2.5 -4.5L3 0L-2.5 4.5", transform: place }));
      x += 18;
    }
    head.append(svg("text", { class: aligned ? "title" : "title middle", x, y: base }, box.title));
    if (box.badge) {
      const width = measure(box.badge, "badge") + 14;
      const left = box.w - PAD - width;
      head.append(
        svg("rect", { class: "badge", x: left, y: base - 14, width, height: 20, rx: 10 }),
        svg("text", { class: "badge", x: left + width / 2, y: base }, box.badge),
      );
    }
    box.lines.forEach((line, at) => {
      head.append(svg("text", { class: "line", x: PAD, y: base + LINE * (at + 1) }, line));
    });
    group.append(head);
    for (const part of box.parts) {
      if (part.label) {
        group.append(svg("text", { class: "arm", x: part.x, y: part.y - 8 }, part.label));
      }
      const inner = drawFrame(part.inner);
      inner.setAttribute("transform", `translate(${part.x} ${part.y})`);
      group.append(inner);
    }
    return group;
  }

  function drawFrame(frame) {
    return svg(
      "g", { class: "frame" },
      svg("g", { class: "edges" }, ...frame.edges.map(drawEdge)),
      svg("g", { class: "labels" }, ...frame.labels.map(drawLabel)),
      svg("g", { class: "nodes" }, ...frame.boxes.map(drawBox)),
    );
  }

  function spoken(box) {
    const gives = box.node.outputs.map((output) => `${output.name} ${output.type}`.trim());
    const times = box.node.repeat ? `, ${box.node.repeat} times` : "";
    const result = gives.length ? `, gives ${gives.join(" and ")}` : "";
    return `${KINDS[box.node.kind]} ${box.title}${times}${result}`;
  }

  // One figure -------------------------------------------------------------------------------

  // Members that are empty are left out of the data.
  function filled(graph) {
    for (const frame of graph.frames) {
      for (const node of frame.nodes) {
        for (const key of ["title", "detail", "path", "callee", "repeat"]) node[key] ??= "";
        for (const key of ["inputs", "outputs", "bodies", "carried"]) node[key] ??= [];
        node.line ??= 0;
        for (const use of node.inputs) {
          use.value ??= null;
          use.text ??= "";
          use.name ??= "";
        }
        for (const output of node.outputs) output.name ??= "";
        for (const body of node.bodies) {
          body.label ??= "";
          body.takes ??= [];
        }
      }
    }
    return graph;
  }

  class Figure {
    constructor(root) {
      this.root = root;
      this.graphs = JSON.parse(root.querySelector("script").textContent).map(filled);
      this.scale = 1;
      this.stage = root.querySelector(".stage");
      this.panel = root.querySelector(".panel");
      this.focus = null;
      this.choose(0);
      this.listen();
    }

    choose(at) {
      this.graph = this.graphs[at];
      this.open = linnetLayout.firstOpen(this.graph);
      this.focus = null;
      this.drawn = null;
      this.explain(null);
      this.draw();
      this.begin();
    }

    // Draws what is open; where that is too much, what was open before, and says so.
    draw() {
      let drawing;
      try {
        drawing = linnetLayout.place(this.graph, (key) => this.open.has(key), measure);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.open = new Set(this.drawn || []);
        this.say("This is more than a browser can draw.");
        if (this.drawn) return;
        drawing = linnetLayout.place({ frames: [{ ...this.graph.frames[0], nodes: [] }] }, () => false, measure);
      }
      this.drawn = new Set(this.open);
      const margin = 14;
      const width = Math.ceil(drawing.w + 2 * margin);
      const height = Math.ceil(drawing.h + 2 * margin);
      const arrow = svg(
        "marker",
        {
          id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
          orient: "auto", markerUnits: "userSpaceOnUse",
        },
        svg("path", { class: "tip", d: "M0 0.8L7.5 4L0 7.2Z" }),
      );
      const frame = drawFrame(drawing);
      frame.setAttribute("transform", `translate(${margin} ${margin})`);
      const picture = svg(
        "svg",
        {
          class: "graph", viewBox: `0 0 ${width} ${height}`, role: "group",
          "aria-label": `graph of ${this.graph.entry}`,
        },
        svg("defs", {}, arrow), frame,
      );
      this.size = [width, height];
      this.picture = picture;
      this.stage.replaceChildren(picture);
      this.boxes = new Map();
      const keep = (inner) => {
        for (const box of inner.boxes) {
          this.boxes.set(box.key, box);
          box.frame = inner.frame;
          for (const part of box.parts) keep(part.inner);
        }
      };
      keep(drawing);
      this.zoom(this.scale);
      const first = this.node(this.focus) || this.picture.querySelector(".node");
      if (first) first.setAttribute("tabindex", "0");
    }

    say(text) {
      const told = html("p", "told", text);
      told.setAttribute("role", "status");
      this.root.querySelector(".told")?.remove();
      this.root.querySelector(".bar").after(told);
      setTimeout(() => told.remove(), 6000);
    }

    zoom(scale) {
      this.scale = Math.min(2.5, Math.max(0.2, scale));
      this.picture.setAttribute("width", Math.round(this.size[0] * this.scale));
      this.picture.setAttribute("height", Math.round(this.size[1] * this.scale));
      const shown = this.root.querySelector(".scale");
      if (shown) shown.textContent = `${Math.round(this.scale * 100)} %`;
    }

    // Zoom, and keep what stands at a place of the screen where it is.
    zoomAt(scale, x, y) {
      const before = this.picture.getBoundingClientRect();
      const at = [(x - before.left) / before.width, (y - before.top) / before.height];
      this.zoom(scale);
      const after = this.picture.getBoundingClientRect();
      this.move(after.left + at[0] * after.width - x, after.top + at[1] * after.height - y);
    }

    zoomMiddle(factor) {
      const seen = this.stage.getBoundingClientRect();
      const low = Math.max(0, seen.top);
      const high = Math.min(innerHeight, seen.bottom);
      this.zoomAt(this.scale * factor, seen.left + seen.width / 2, (low + high) / 2);
    }

    fit() {
      this.zoom((this.stage.clientWidth - 2) / this.size[0]);
    }

    move(x, y) {
      this.stage.scrollLeft += x;
      if (y) window.scrollBy({ top: y, behavior: "instant" });
    }

    // The block that is open first is what a narrow screen shows.
    begin() {
      const element = this.stage.querySelector(".node.open") || this.stage.querySelector(".node");
      if (!element) return;
      const seen = this.stage.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      this.stage.scrollLeft += own.left + own.width / 2 - seen.left - seen.width / 2;
    }

    node(key) {
      return key === null ? null : this.stage.querySelector(`[data-key="${CSS.escape(key)}"]`);
    }

    toggle(key) {
      const before = this.node(key).querySelector(".head").getBoundingClientRect();
      if (this.open.has(key)) {
        for (const inner of [...this.open]) {
          if (inner === key || inner.startsWith(`${key}/`)) this.open.delete(inner);
        }
      } else {
        this.open.add(key);
      }
      this.draw();
      const after = this.node(key).querySelector(".head").getBoundingClientRect();
      this.move(after.left - before.left, after.top - before.top);
      this.select(key);
    }

    // One level more of everything that is seen, or the first picture again.
    openMore() {
      for (const box of [...this.boxes.values()]) if (box.expandable) this.open.add(box.key);
      this.draw();
    }

    reset() {
      this.open = linnetLayout.firstOpen(this.graph);
      this.scale = 1;
      this.draw();
      this.begin();
    }

    select(key, scroll = false) {
      for (const node of this.stage.querySelectorAll('.node[tabindex="0"]')) {
        node.setAttribute("tabindex", "-1");
      }
      const node = this.node(key);
      if (!node) return;
      this.focus = key;
      node.setAttribute("tabindex", "0");
      node.focus({ preventScroll: !scroll });
      this.light(key);
      this.explain(this.boxes.get(key));
    }

    light(key) {
      for (const edge of this.stage.querySelectorAll(".edge")) {
        const own = edge.dataset.from === key || edge.dataset.to === key;
        edge.classList.toggle("lit", own);
      }
    }

    // What there is to say of a node, beside the drawing.
    explain(box) {
      this.panel.replaceChildren();
      this.panel.hidden = box === null;
      if (box === null) return;
      const { node } = box;
      const list = html("dl");
      const say = (term, ...values) => {
        if (values.length) list.append(html("dt", "", term), ...values);
      };
      const value = (text) => html("dd", "", html("code", "", text));
      const typed = (name, type) => value(name ? `${name}: ${type}` : type);
      if (node.callee) say("calls", value(node.callee));
      if (node.path) say("path", value(box.fullPath || node.path));
      if (node.repeat) say("runs", value(`${node.repeat} times`));
      if (node.kind === "op" && node.detail) say("source", value(node.detail));
      const types = new Map(
        box.frame.nodes.flatMap((one) => one.outputs.map((output) => [output.id, output])),
      );
      say(
        "takes",
        ...node.inputs.map((use) => {
          if (use.value === null) return value(use.name ? `${use.name} = ${use.text}` : use.text);
          const from = types.get(use.value);
          return typed(use.name || from.name, from.type);
        }),
      );
      say("gives", ...node.outputs.map((output) => typed(output.name, output.type)));
      if (node.carried.length) {
        const names = node.carried.map((at) => node.inputs[at].name).join(", ");
        say("carries over", value(names));
      }
      const place = this.lineOf(box);
      if (place) say("at", place);
      const close = html("button", "close", "×");
      close.type = "button";
      close.setAttribute("aria-label", "Close");
      close.addEventListener("click", () => this.explain(null));
      const title = html("h3", "", box.title);
      this.panel.append(html("header", "", title, html("span", "", KINDS[node.kind]), close), list);
    }

    lineOf(box) {
      const { line } = box.node;
      if (!line || !box.frame.module) return null;
      const id = `L${line}`;
      const text = `${box.frame.module}, line ${line}`;
      const target = document.getElementById(id);
      if (!target || target.dataset.module !== box.frame.module) return html("dd", "", text);
      const link = html("a", "", text);
      link.href = `#${id}`;
      return html("dd", "", link);
    }

    // What the user does -----------------------------------------------------------------------

    listen() {
      const { stage } = this;
      stage.addEventListener("click", (event) => {
        const head = event.target.closest(".head");
        if (!head || this.dragged) return;
        const { key } = head.parentNode.dataset;
        if (this.boxes.get(key).expandable) this.toggle(key);
        else this.select(key);
      });
      stage.addEventListener("pointerover", (event) => {
        const node = event.target.closest(".node");
        this.light(node ? node.dataset.key : this.focus);
      });
      stage.addEventListener("keydown", (event) => this.press(event));
      stage.addEventListener(
        "wheel",
        (event) => {
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          this.zoomAt(this.scale * Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
        },
        { passive: false },
      );
      this.drag();
      const buttons = {
        in: () => this.zoomMiddle(1.2), out: () => this.zoomMiddle(1 / 1.2), fit: () => this.fit(),
        more: () => this.openMore(), reset: () => this.reset(),
      };
      for (const button of this.root.querySelectorAll("[data-do]")) {
        button.addEventListener("click", buttons[button.dataset.do]);
      }
      const entries = this.root.querySelector("select");
      if (entries) entries.addEventListener("change", () => this.choose(entries.selectedIndex));
    }

    press(event) {
      const node = event.target.closest(".node");
      if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
      const { key } = node.dataset;
      const nodes = [...this.stage.querySelectorAll(".node")];
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step) {
        const next = nodes[nodes.indexOf(node) + step];
        if (next) this.select(next.dataset.key, true);
      } else if (event.key === "Enter" || event.key === " ") {
        if (this.boxes.get(key).expandable) this.toggle(key);
        else this.select(key);
      } else if (event.key === "+" || event.key === "=") this.zoomMiddle(1.2);
      else if (event.key === "-") this.zoomMiddle(1 / 1.2);
      else if (event.key === "0") this.zoom(1);
      else if (event.key === "Escape") this.explain(null);
      else return;
      event.preventDefault();
    }

    drag() {
      const { stage } = this;
      let from = null;
      stage.addEventListener("pointerdown", (event) => {
        this.dragged = false;
        if (event.pointerType === "mouse" && event.button === 0) from = [event.clientX, event.clientY];
      });
      stage.addEventListener("pointermove", (event) => {
        if (!from) return;
        const [x, y] = [from[0] - event.clientX, from[1] - event.clientY];
        if (!this.dragged && Math.hypot(x, y) < 5) return;
        if (!this.dragged) {
          stage.setPointerCapture(event.pointerId);
          stage.classList.add("dragged");
        }
        this.dragged = true;
        from = [event.clientX, event.clientY];
        this.move(x, y);
      });
      const end = () => {
        from = null;
        stage.classList.remove("dragged");
      };
      stage.addEventListener("pointerup", end);
      stage.addEventListener("pointercancel", end);
    }
  }

  // The page ---------------------------------------------------------------------------------

  function copyButtons() {
    for (const block of document.querySelectorAll("figure.code")) {
      const button = html("button", "copy", "Copy");
      button.type = "button";
      button.addEventListener("click", async () => {
        const text = block.querySelector("pre").textContent;
        try {
          await navigator.clipboard.writeText(text);
        } catch {
          const range = document.createRange();
          range.selectNodeContents(block.querySelector("pre"));
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          document.execCommand("copy"); // A page from a file has no clipboard of its own.
        }
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 4000);
      });
      block.append(button);
    }
  }

  // Snippets beside each other become tabs; without this script they stand below each other.
  function tabs() {
    for (const group of document.querySelectorAll(".tabs")) {
      const panels = [...group.children];
      const list = html("div", "tablist");
      list.setAttribute("role", "tablist");
      const buttons = panels.map((panel, at) => {
        const button = html("button", "", panel.querySelector("h3").textContent);
        button.type = "button";
        button.setAttribute("role", "tab");
        panel.setAttribute("role", "tabpanel");
        button.addEventListener("click", () => show(at));
        button.addEventListener("keydown", (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          const next = (at + step + panels.length) % panels.length;
          show(next);
          buttons[next].focus();
        });
        list.append(button);
        return button;
      });
      const show = (chosen) => {
        panels.forEach((panel, at) => {
          panel.hidden = at !== chosen;
          buttons[at].setAttribute("aria-selected", String(at === chosen));
          buttons[at].tabIndex = at === chosen ? 0 : -1;
        });
      };
      group.prepend(list);
      group.classList.add("live");
      show(0);
    }
  }

  // A link to a line opens the part of the page that holds it.
  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const details = target && target.closest("details");
    if (details) {
      details.open = true;
      target.scrollIntoView({ block: "center" });
    }
  }

  document.documentElement.classList.add("ready");
  readFonts(document.documentElement);
  for (const root of document.querySelectorAll(".figure-graph")) new Figure(root);
  copyButtons();
  tabs();
  addEventListener("hashchange", openTarget);
  openTarget();
})();
