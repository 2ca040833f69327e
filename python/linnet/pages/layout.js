// Places the nodes of a graph in layers, from operands down to results.
//
// Every frame is placed on its own: what is inside of a node touches the outside only at the
// node's own border, so an open node is a box of another size and nothing else. Within a frame
// this is the method of Sugiyama, Tagawa and Toda (1981): layers by longest paths, an order in
// each layer by barycentres, and positions by least squares under the distances that must be kept
// (isotonic regression, by pooling adjacent violators). The label of a value is placed as a node
// between the layers, which is why no label lies over anything.
//
// Pure: takes the data of `graph.schema.json`, a set of open nodes and a function that measures
// text; gives plain objects. It runs without a browser.
"use strict";

const linnetLayout = (() => {
  const APART = 22; // between neighbours of a layer
  const PAD = 12; // inside of a box
  const LINE = 17; // of text
  const PILL = 26;
  const LABEL = 20;
  const BEND = 10;
  const GAP = 15; // between layers, at least
  const SWEEPS = 12;
  const WIDEST_DETAIL = 54; // characters
  const MOST_LINES = 4;
  const LONGEST_LABEL = 64;
  const MOST_ITEMS = 12000; // boxes, labels and bends of a drawing; beyond it a browser hangs

  const PILLS = new Set(["input", "result", "param", "buffer", "state", "constant"]);

  function shortened(text, length) {
    return text.length <= length ? text : text.slice(0, length - 1) + "…";
  }

  // Text in lines of at most `width` characters, broken at spaces where there are any.
  function wrapped(text, width, most) {
    const lines = [];
    let line = "";
    for (const word of text.split(" ")) {
      if (line && line.length + word.length + 1 > width) {
        lines.push(line);
        line = word;
      } else {
        line = line ? `${line} ${word}` : word;
      }
    }
    lines.push(line);
    const kept = lines.slice(0, most).map((one) => shortened(one, width));
    if (lines.length > most) kept[most - 1] = shortened(`${kept[most - 1]} …`, width + 2);
    return kept;
  }

  function labelOf(output) {
    return shortened(output.name ? `${output.name}: ${output.type}` : output.type, LONGEST_LABEL);
  }

  // Boxes ------------------------------------------------------------------------------------

  function textOf(node) {
    if (node.kind === "result") return { title: "result", lines: [] };
    if (node.kind === "write") return { title: `${node.title} =`, lines: [] };
    if (PILLS.has(node.kind)) return { title: node.title, lines: [] };
    const lines = [];
    let title = node.title;
    if (node.kind === "choice") title = shortened(`${node.title} ${node.detail}`, WIDEST_DETAIL);
    else if (node.kind === "op" && node.detail) {
      lines.push(...wrapped(node.detail, WIDEST_DETAIL, MOST_LINES));
    } else if (node.detail && node.detail !== node.title) lines.push(node.detail);
    const fixed = node.inputs.filter((use) => use.value === null && use.text);
    if (node.kind !== "choice") {
      for (const use of fixed.slice(0, MOST_LINES)) {
        lines.push(shortened(use.name ? `${use.name} = ${use.text}` : use.text, WIDEST_DETAIL));
      }
    }
    return { title: shortened(title, WIDEST_DETAIL), lines };
  }

  function spread(count, width) {
    return Array.from({ length: count }, (_, at) => (width * (at + 1)) / (count + 1));
  }

  function makeBox(graph, node, key, isOpen, measure) {
    const { title, lines } = textOf(node);
    const taken = node.inputs.map((use, at) => ({ ...use, at })).filter((use) => use.value !== null);
    const box = {
      node, key, title, lines, taken, parts: [], badge: node.repeat ? `× ${node.repeat}` : "",
      expandable: node.bodies.length > 0, open: false, fixed: false,
    };
    const pill = PILLS.has(node.kind);
    const chevron = box.expandable ? 18 : 0;
    const badge = box.badge ? measure(box.badge, "badge") + 22 : 0;
    const head = chevron + measure(title, pill ? "pill" : "title") + badge;
    const text = Math.max(head, ...lines.map((line) => measure(line, "line")));
    const ports = 16 * (1 + Math.max(taken.length, node.outputs.length));
    if (box.expandable && isOpen(key)) {
      openBox(box, graph, isOpen, measure, Math.max(text, ports));
      return box;
    }
    box.w = Math.max(Math.ceil(text) + 2 * PAD, ports, pill ? 40 : 64);
    box.h = pill ? PILL : LINE * (1 + lines.length) + 2 * (PAD - 3);
    box.inX = spread(taken.length, box.w);
    box.outX = spread(node.outputs.length, box.w);
    return box;
  }

  function openBox(box, graph, isOpen, measure, least) {
    box.open = true;
    const top = PAD + LINE * (1 + box.lines.length) + 8;
    let x = PAD;
    let height = 0;
    for (const [at, body] of box.node.bodies.entries()) {
      const inner = placeFrame(graph, body.frame, `${box.key}/${at}`, isOpen, measure);
      const label = body.label ? LINE + 6 : 0;
      const width = Math.max(inner.w, body.label ? measure(body.label, "line") + 12 : 0);
      const part = { body, inner, label: body.label, x, y: top + label, w: width };
      box.parts.push(part);
      x += width + APART;
      height = Math.max(height, inner.h + label);
    }
    const content = x - APART + PAD;
    box.w = Math.max(content, Math.ceil(least) + 2 * PAD);
    const shift = (box.w - content) / 2;
    for (const part of box.parts) part.x += shift + (part.w - part.inner.w) / 2;
    box.h = top + height + PAD;
    box.inX = spread(box.taken.length, box.w);
    box.outX = spread(box.node.outputs.length, box.w);
    if (box.parts.length === 1) {
      // What goes in stands above the input that takes it, and what comes out below its result.
      const { body, inner, x: left } = box.parts[0];
      box.fixed = true;
      box.taken.forEach((use, port) => {
        const at = body.takes.indexOf(use.at);
        if (at >= 0) box.inX[port] = left + inner.inputX[at];
      });
      inner.resultX.forEach((place, at) => {
        if (at < box.outX.length) box.outX[at] = left + place;
      });
    }
  }

  let left = MOST_ITEMS;

  function spend(count) {
    left -= count;
    if (left < 0) throw new RangeError("too much to draw");
  }

  // Layers -----------------------------------------------------------------------------------

  function makeItems(graph, frame, key, isOpen, measure) {
    const items = [];
    const giver = new Map();
    const takers = new Map();
    frame.nodes.forEach((node, at) => {
      const box = makeBox(graph, node, `${key}/${node.id}`, isOpen, measure);
      const item = { type: "box", box, w: box.w, h: box.h, seed: at, rank: 0, up: [], down: [] };
      node.outputs.forEach((output, port) => giver.set(output.id, { item, port, output }));
      box.taken.forEach((use, port) => {
        if (!takers.has(use.value)) takers.set(use.value, []);
        takers.get(use.value).push({ item, port });
      });
      item.free = node.kind !== "input" && box.taken.every((use) => giver.get(use.value).item.free);
      for (const use of box.taken) {
        item.rank = Math.max(item.rank, giver.get(use.value).item.rank + 2);
      }
      items.push(item);
    });
    // What depends on no input stands right above its first use.
    for (const item of items.slice().reverse()) {
      const ranks = item.box.node.outputs
        .flatMap((output) => takers.get(output.id) || [])
        .map((taker) => taker.item.rank);
      if (item.free && ranks.length) item.rank = Math.min(...ranks) - 2;
    }
    const last = Math.max(0, ...items.map((item) => item.rank));
    for (const item of items) if (item.box.node.kind === "result") item.rank = last;
    return { items, giver, takers };
  }

  function link(above, aboveX, below, belowX) {
    const segment = { above, aboveX, below, belowX };
    above.down.push(segment);
    below.up.push(segment);
    return segment;
  }

  // The label of each value and the bends of its way down, and its edges.
  function addWays(items, giver, takers) {
    const edges = [];
    for (const [value, from] of giver) {
      const to = takers.get(value) || [];
      if (!to.length) continue;
      const text = labelOf(from.output);
      const label = {
        type: "label", text, output: from.output, seed: from.item.seed + 0.1,
        rank: from.item.rank + 1, h: LABEL, w: 0, up: [], down: [],
      };
      items.push(label);
      const outX = () => from.item.box.outX[from.port] - from.item.w / 2;
      link(from.item, outX, label, () => 0);
      const way = [label];
      const deepest = Math.max(...to.map((taker) => taker.item.rank));
      spend(deepest - label.rank);
      for (let rank = label.rank + 1; rank < deepest; rank += 1) {
        const bend = { type: "bend", seed: label.seed, rank, w: BEND, h: 0, up: [], down: [] };
        link(way[way.length - 1], () => 0, bend, () => 0);
        items.push(bend);
        way.push(bend);
      }
      for (const taker of to) {
        const steps = way.slice(0, taker.item.rank - label.rank);
        const inX = () => taker.item.box.inX[taker.port] - taker.item.w / 2;
        const segment = link(steps[steps.length - 1], () => 0, taker.item, inX);
        segment.taker = taker;
        edges.push({ from, taker, steps, output: from.output });
      }
    }
    return edges;
  }

  // Order ------------------------------------------------------------------------------------

  function crossings(layers) {
    let count = 0;
    for (const layer of layers) {
      const ends = [];
      for (const item of layer) {
        for (const segment of item.down) {
          const shift = item.type === "box" ? segment.aboveX() / (item.w + 1) : 0;
          const below = segment.below;
          const tilt = below.box && below.box.fixed ? segment.belowX() / (below.w + 1) : 0;
          ends.push([item.order + shift, below.order + tilt]);
        }
      }
      for (let i = 0; i < ends.length; i += 1) {
        for (let j = 0; j < i; j += 1) {
          const side = (ends[i][0] - ends[j][0]) * (ends[i][1] - ends[j][1]);
          if (side < 0) count += 1;
        }
      }
    }
    return count;
  }

  function number(layers) {
    for (const layer of layers) layer.forEach((item, at) => (item.order = at));
  }

  function orderLayers(items) {
    const layers = [];
    for (const item of items) {
      while (layers.length <= item.rank) layers.push([]);
      layers[item.rank].push(item);
    }
    for (const layer of layers) layer.sort((a, b) => a.seed - b.seed);
    number(layers);
    let best = layers.map((layer) => layer.slice());
    let fewest = crossings(layers);
    for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
      const down = sweep % 2 === 0;
      const ranks = layers.map((_, at) => (down ? at : layers.length - 1 - at));
      for (const rank of ranks) {
        for (const item of layers[rank]) {
          const near = down ? item.up : item.down;
          const places = near.map((segment) => {
            const other = down ? segment.above : segment.below;
            const offset = down ? segment.aboveX() : segment.belowX();
            return other.order + (other.type === "box" ? offset / (other.w + 1) : 0);
          });
          item.bary = places.length
            ? places.reduce((sum, one) => sum + one, 0) / places.length
            : item.order;
        }
        layers[rank].sort((a, b) => a.bary - b.bary || a.order - b.order);
        layers[rank].forEach((item, at) => (item.order = at));
      }
      const now = crossings(layers);
      if (now < fewest) {
        fewest = now;
        best = layers.map((layer) => layer.slice());
      }
    }
    number(best);
    return best;
  }

  // Positions --------------------------------------------------------------------------------

  // Weighted least squares of `wanted` with neighbours at least `apart`: pool adjacent violators.
  function settle(layer) {
    const blocks = [];
    let offset = 0;
    layer.forEach((item, at) => {
      if (at > 0) {
        const before = layer[at - 1];
        const apart = before.type === "box" && item.type === "box" ? APART : APART * 0.7;
        offset += (before.w + item.w) / 2 + apart;
      }
      item.offset = offset;
      blocks.push({ sum: (item.wanted - offset) * item.weight, weight: item.weight, count: 1 });
      while (blocks.length > 1) {
        const last = blocks[blocks.length - 1];
        const prior = blocks[blocks.length - 2];
        if (prior.sum / prior.weight <= last.sum / last.weight) break;
        blocks.pop();
        prior.sum += last.sum;
        prior.weight += last.weight;
        prior.count += last.count;
      }
    });
    let at = 0;
    for (const block of blocks) {
      for (let i = 0; i < block.count; i += 1, at += 1) {
        layer[at].x = block.sum / block.weight + layer[at].offset;
      }
    }
  }

  const WEIGHTS = { box: 1, label: 1, bend: 0.02 };

  function want(item, directions) {
    let sum = 0;
    let weight = 0;
    for (const down of directions) {
      for (const segment of down ? item.up : item.down) {
        const other = down ? segment.above : segment.below;
        const own = down ? segment.belowX() : segment.aboveX();
        const its = down ? segment.aboveX() : segment.belowX();
        // The line that a value goes on matters more than the ways around it.
        const heavy = item.type === "bend" || other.type === "bend" ? 0.05 : 1;
        sum += heavy * (other.x + its - own);
        weight += heavy;
      }
    }
    item.wanted = weight ? sum / weight : item.x;
    item.weight = WEIGHTS[item.type] * (weight ? 1 : 0.01);
  }

  function positions(layers) {
    for (const layer of layers) {
      let x = 0;
      for (const item of layer) {
        item.x = x + item.w / 2;
        x += item.w + APART;
      }
      for (const item of layer) item.x -= x / 2;
    }
    const passes = [[true], [false], [true], [false], [true], [false], [true]];
    for (const directions of passes) {
      const order = directions[0] ? layers : layers.slice().reverse();
      for (const layer of order) {
        for (const item of layer) want(item, directions);
        settle(layer);
      }
      sortPorts(layers);
    }
    straighten(layers);
  }

  // Operands of a closed node meet it in the order they come in.
  function sortPorts(layers) {
    for (const layer of layers) {
      for (const item of layer) {
        if (item.type !== "box" || item.box.fixed || item.up.length < 2) continue;
        const places = spread(item.up.length, item.w);
        item.up
          .slice()
          .sort((a, b) => a.above.x + a.aboveX() - b.above.x - b.aboveX())
          .forEach((segment, at) => (item.box.inX[segment.taker.port] = places[at]));
      }
    }
  }

  // Bends that follow each other stand in one line, where the layers leave room for it.
  function straighten(layers) {
    const room = (item) => {
      const layer = layers[item.rank];
      const left = layer[item.order - 1];
      const right = layer[item.order + 1];
      const apart = APART * 0.7;
      return [
        left ? left.x + left.w / 2 + apart + item.w / 2 : -Infinity,
        right ? right.x - right.w / 2 - apart - item.w / 2 : Infinity,
      ];
    };
    for (const layer of layers) {
      for (const first of layer) {
        if (first.type !== "bend" || first.up[0].above.type === "bend") continue;
        let run = [];
        let low = -Infinity;
        let high = Infinity;
        const flush = () => {
          const wanted = run.reduce((sum, item) => sum + item.x, 0) / (run.length || 1);
          const x = Math.min(Math.max(wanted, low), high);
          for (const item of run) item.x = x;
        };
        for (let bend = first; bend; ) {
          const [left, right] = room(bend);
          if (Math.max(low, left) > Math.min(high, right)) {
            flush();
            run = [];
            low = -Infinity;
            high = Infinity;
          }
          low = Math.max(low, left);
          high = Math.min(high, right);
          run.push(bend);
          const next = bend.down.find((segment) => segment.below.type === "bend");
          bend = next && next.below;
        }
        flush();
      }
    }
  }

  // Frames -----------------------------------------------------------------------------------

  function rows(layers) {
    let y = 0;
    const bands = [];
    layers.forEach((layer, rank) => {
      const height = Math.max(0, ...layer.map((item) => item.h));
      bands.push({ top: y, bottom: y + height });
      for (const item of layer) {
        // What begins stands close to its use, and what ends close to what it comes from.
        const free = height - item.h;
        item.y = y + (item.up.length ? (item.down.length ? free / 2 : 0) : rank ? free : free / 2);
      }
      let reach = 0;
      for (const item of layer) {
        for (const { aboveX, below, belowX } of item.down) {
          reach = Math.max(reach, Math.abs(item.x + aboveX() - below.x - belowX()));
        }
      }
      y += height + (rank + 1 < layers.length ? GAP + Math.min(30, reach / 11) : 0);
    });
    return { bands, height: y };
  }

  // Nothing where nothing is to go: an end of no length would have no direction.
  function straight(x, y0, y1) {
    return Math.abs(y0 - y1) < 0.5 ? "" : `L${round(x)} ${round(y1)}`;
  }

  function curve(x0, y0, x1, y1) {
    if (Math.abs(x0 - x1) < 0.6) return `L${round(x1)} ${round(y1)}`;
    const middle = (y0 + y1) / 2;
    return `C${round(x0)} ${round(middle)} ${round(x1)} ${round(middle)} ${round(x1)} ${round(y1)}`;
  }

  function round(value) {
    return Math.round(value * 10) / 10;
  }

  function pathOf(edge, bands) {
    const { from, taker, steps } = edge;
    let x = from.item.x + from.item.box.outX[from.port] - from.item.w / 2;
    let y = bands[from.item.rank].bottom;
    const start = from.item.y + from.item.h;
    let path = `M${round(x)} ${round(start)}${straight(x, start, y)}`;
    for (const step of steps) {
      const band = bands[step.rank];
      path += curve(x, y, step.x, band.top) + straight(step.x, band.top, band.bottom);
      x = step.x;
      y = band.bottom;
    }
    const end = taker.item.x + taker.item.box.inX[taker.port] - taker.item.w / 2;
    const { top } = bands[taker.item.rank];
    return path + curve(x, y, end, top) + straight(end, top, taker.item.y);
  }

  function placeFrame(graph, frameId, key, isOpen, measure) {
    const frame = graph.byId.get(frameId);
    spend(frame.nodes.length);
    const { items, giver, takers } = makeItems(graph, frame, key, isOpen, measure);
    const edges = addWays(items, giver, takers);
    for (const item of items) {
      if (item.type === "label") item.w = Math.ceil(measure(item.text, "label")) + 10;
    }
    const layers = orderLayers(items);
    positions(layers);
    const start = Math.min(...items.map((item) => item.x - item.w / 2));
    for (const item of items) item.x -= start;
    const { bands, height } = rows(layers);
    const boxes = items.filter((item) => item.type === "box");
    const centre = (kind) =>
      boxes.filter((item) => item.box.node.kind === kind).map((item) => item.x);
    return {
      frame,
      w: Math.max(40, ...items.map((item) => item.x + item.w / 2)),
      h: Math.max(PILL, height),
      boxes: boxes.map((item) => ({ ...item.box, x: item.x - item.w / 2, y: item.y })),
      labels: items
        .filter((item) => item.type === "label")
        .map(({ x, y, w, h, text, output }) => ({ x: x - w / 2, y, w, h, text, output })),
      edges: edges.map((edge) => ({
        path: pathOf(edge, bands),
        output: edge.output,
        from: edge.from.item.box.key,
        to: edge.taker.item.box.key,
      })),
      inputX: centre("input"),
      resultX: centre("result"),
    };
  }

  // The drawing of a graph: `isOpen` says of a key whether the node shows what is inside of it.
  // RangeError for more than a browser draws.
  function place(graph, isOpen, measure) {
    left = MOST_ITEMS;
    const byId = new Map(graph.frames.map((frame) => [frame.id, frame]));
    return placeFrame({ byId }, graph.frames[0].id, "", isOpen, measure);
  }

  // The keys of what is open at first: the blocks that an entry calls. A method of the entry's own
  // instance counts as part of it, and so does a block that holds all the others.
  function firstOpen(graph) {
    const byId = new Map(graph.frames.map((frame) => [frame.id, frame]));
    const open = new Set();
    const visit = (frame, key) => {
      const calls = frame.nodes.filter((node) => node.bodies.length && node.callee);
      const blocks = calls.filter((node) => node.path);
      for (const node of calls) {
        const own = `${key}/${node.id}`;
        const part = node.path ? blocks.length === 1 && node.kind === "call" : node.detail;
        if (node.path || part) open.add(own);
        if (part) visit(byId.get(node.bodies[0].frame), `${own}/0`);
      }
    };
    visit(graph.frames[0], "");
    return open;
  }

  return { place, firstOpen };
})();

if (typeof module !== "undefined") module.exports = linnetLayout;
