"use strict";
// What all pages share: elements, numbers, colors, charts, tables.

const COLORS = ["var(--c0)", "var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"];
const colorOf = (index) => COLORS[index % COLORS.length];

/** An element. Text is never parsed as HTML. Children: elements, texts, arrays of these; null and false are left out. */
function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}
function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(9)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** Text of users: control characters and those that hide or turn text are shown as what they are. */
function visible(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (c) => {
    return `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
/** The same as an element whose direction of writing follows from its text. */
const shown = (text, attributes = {}) => el("bdi", { dir: "auto", ...attributes }, visible(text));

// Numbers.
const finite = (x) => typeof x === "number" && Number.isFinite(x);
const count = (x) => finite(x) ? Math.round(x).toLocaleString("en-US") : "–";
const fixed = (x, digits) => finite(x) ? x.toFixed(digits) : "–";
function compact(x) {
  if (!finite(x)) return "–";
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (Math.abs(x) >= size * 0.9995) return `${+(x / size).toPrecision(3)}${unit}`;
  }
  return `${+x.toPrecision(4)}`;
}
function significant(x, digits = 4) {
  if (!finite(x)) return "–";
  if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e7)) return x.toExponential(2).replace("e+", "e");
  return Math.abs(x) >= 1000 ? count(x) : `${+x.toPrecision(digits)}`;
}
function bytes(x) {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) if (x >= size) return `${+(x / size).toPrecision(3)} ${unit}`;
  return `${x} bytes`;
}
function duration(seconds) {
  if (!finite(seconds)) return "–";
  const s = Math.max(0, Math.round(seconds));
  const two = (x) => String(x).padStart(2, "0");
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${two(s % 60)} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${two(Math.floor(s / 60) % 60)} min`;
  return `${Math.floor(s / 86400)} d ${two(Math.floor(s / 3600) % 24)} h`;
}
const percent = (part, whole, digits = 1) => whole > 0 ? `${(100 * part / whole).toFixed(digits)}%` : "–";
const counted = (n, thing) => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;

/** A table. columns: {name, number, code}; rows: arrays of cells, which are texts or elements. */
function table(columns, rows, attributes = {}) {
  const classOf = (column) => column.number ? "number" : column.code ? "code" : null;
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": attributes.label ?? "table" },
    el("table", {},
      el("thead", {}, el("tr", {}, columns.map((c) => el("th", { class: c.number ? "number" : null, scope: "col" }, c.name)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) => el("td", { class: classOf(columns[i]) }, cell)))))));
}
const tile = (value, label) => el("div", { class: "tile" }, el("b", {}, value), el("span", {}, label));
const swatch = (color) => el("i", { class: "swatch", style: `background:${color}` });

/** A row of buttons of which one is pressed. choices: [[value, label], ...]. */
function choice(legend, choices, value, choose) {
  return el("fieldset", {}, el("legend", {}, legend), el("span", { class: "joined" }, choices.map(([key, label]) =>
    el("button", { type: "button", "aria-pressed": String(key === value), click: () => choose(key) }, label))));
}

/** The button for light and dark. The system decides until it is used. */
function themeButton() {
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = el("button", { type: "button", click: () => {
    root.dataset.theme = dark() ? "light" : "dark";
    remember("theme", root.dataset.theme);
    button.textContent = dark() ? "Light" : "Dark";
  } }, dark() ? "Light" : "Dark");
  button.title = "Change between light and dark";
  return button;
}
// A browser may forbid a local file to store anything.
function remember(name, value) { try { localStorage.setItem(`heed ${name}`, value); } catch { /* not stored */ } }
function remembered(name) { try { return localStorage.getItem(`heed ${name}`); } catch { return null; } }
if (remembered("theme")) document.documentElement.dataset.theme = remembered("theme");

/** About `most` round numbers from low to high. */
function ticksOf(low, high, most) {
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((f) => f * power >= raw * 0.999) * power;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) ticks.push(i * step);
  return ticks;
}
/** 1, 2 and 5 times powers of ten; only the powers over a wide range. */
function logTicksOf(low, high) {
  const factors = high / low > 1000 ? [1] : high / low > 12 ? [1, 3] : [1, 1.5, 2, 3, 5, 7];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
    for (const f of factors) {
      const tick = f * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  return ticks.length > 1 ? ticks : ticksOf(low, high, 5);
}
/** Exponential moving average without the bias of its first value. */
function smoothed(values, weight) {
  let sum = 0, norm = 0;
  return values.map((v) => {
    if (!finite(v)) return v;
    sum = weight * sum + (1 - weight) * v;
    norm = weight * norm + (1 - weight);
    return sum / norm;
  });
}

/**
 * A line chart. series: [{name, color, x, y, points (draw each), best (indices to ring), dashed, smooth (0..1)}].
 * options: {title, xName, xText, yText, log, range [low, high] or null, zoom(range), bars}.
 * Pointing, or the arrow keys, shows the values at a place; dragging calls zoom.
 */
function lineChart(series, options) {
  const box = el("figure", { class: "card chart", style: "margin:0" });
  const heading = el("figcaption", {}, el("h3", {}, options.title));
  const tip = el("div", { class: "tip", hidden: true });
  const holder = el("div", {});
  box.append(heading, holder, tip);
  const yText = options.yText ?? ((v) => significant(v));
  const prepared = series.map((s) => ({ ...s, drawn: s.smooth ? smoothed(s.y, s.smooth) : s.y }));
  const log = options.log && prepared.every((s) => s.y.every((v) => !finite(v) || v > 0));
  let xs = [...new Set(prepared.flatMap((s) => s.x.filter((x, i) => finite(x) && finite(s.y[i]))))].sort((a, b) => a - b);
  if (options.range) xs = xs.filter((x) => x >= options.range[0] && x <= options.range[1]);
  if (xs.length === 0) {
    holder.append(el("p", { class: "muted" }, "no values yet"));
    return box;
  }
  let [x0, x1] = options.range ?? [Math.min(xs[0], options.fromZero === false ? xs[0] : 0), xs[xs.length - 1]];
  if (x1 <= x0) { x0 -= 0.5; x1 += 0.5; }
  const inRange = (s, i) => finite(s.y[i]) && s.x[i] >= x0 && s.x[i] <= x1;
  let values = prepared.flatMap((s) => s.y.filter((_, i) => inRange(s, i))).sort((a, b) => a - b);
  let low = values[0], high = values[values.length - 1];
  if (!log && options.clip !== false && values.length >= 20) {  // the first steps would flatten everything after them
    const usual = values[Math.floor(values.length * 0.9)];
    if (usual > 0 && high > 2.5 * usual) high = usual * 1.2;
  }
  if (!log && low > 0 && low < 0.5 * high) low = 0;
  if (high <= low) { high = low + Math.max(1, Math.abs(low) * 0.1); if (low > 0) low *= 0.9; }
  if (!log) {  // the axis ends at round numbers
    const ticks = ticksOf(low, high, 5), step = ticks.length > 1 ? ticks[1] - ticks[0] : high - low;
    high = Math.ceil(high / step - 1e-9) * step;
    low = Math.floor(low / step + 1e-9) * step;
  }

  let cursor = -1, drag = null;
  function draw(width) {
    const height = 210, left = 56, right = 10, top = 8, bottom = 38;
    const px = (x) => left + (x - x0) / (x1 - x0) * (width - left - right);
    const part = (y) => log ? Math.log(y / low) / Math.log(high / low) : (y - low) / (high - low);
    const py = (y) => top + (1 - Math.min(1.05, Math.max(-0.05, part(y)))) * (height - top - bottom);
    const clip = `clip${++lineChart.number}`;
    const image = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", tabindex: 0, "aria-label": describe() });
    image.append(svg("clipPath", { id: clip }, svg("rect", { x: left, y: top - 4, width: width - left - right + 6, height: height - top - bottom + 8 })));
    for (const tick of log ? logTicksOf(low, high) : ticksOf(low, high, 5)) {
      image.append(svg("line", { x1: left, x2: width - right, y1: py(tick), y2: py(tick), stroke: "var(--grid)" }),
        svg("text", { x: left - 7, y: py(tick) + 4, "text-anchor": "end" }, yTick(tick)));
    }
    const xTicks = ticksOf(x0, x1, Math.max(2, Math.floor(width / 95)));
    for (const tick of xTicks) {
      image.append(svg("text", { x: px(tick), y: height - bottom + 18, "text-anchor": "middle" }, (options.xTick ?? compact)(tick)));
    }
    image.append(svg("line", { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, stroke: "var(--line)" }),
      svg("text", { x: width - right, y: height - 4, "text-anchor": "end" }, options.xName ?? ""));
    const lines = svg("g", { "clip-path": `url(#${clip})` });
    image.append(lines);
    for (const s of prepared) {
      if (s.smooth) lines.append(path(s.x, s.y, s.color, { opacity: 0.25, "stroke-width": 1.2 }));
      lines.append(path(s.x, s.drawn, s.color, { "stroke-width": 2, "stroke-dasharray": s.dashed ? "5 4" : null }));
      if (s.points) s.x.forEach((x, i) => {
        if (!inRange(s, i)) return;
        const best = s.best?.includes(i);
        lines.append(svg("circle", { cx: px(x), cy: py(s.drawn[i]), r: best ? 4.5 : 2.5, fill: best ? "var(--card)" : s.color,
          stroke: s.color, "stroke-width": best ? 2.5 : 0 }));
      });
    }
    const line = svg("line", { y1: top, y2: height - bottom, stroke: "var(--muted)", "stroke-dasharray": "3 3", visibility: "hidden" });
    const chosen = svg("rect", { y: top, height: height - top - bottom, fill: "var(--accent)", opacity: 0.15, visibility: "hidden" });
    image.append(chosen, line);

    function path(x, y, color, attributes) {
      let d = "", down = false;
      for (let i = 0; i < x.length; ++i) {
        if (!finite(y[i]) || !finite(x[i])) { down = false; continue; }
        d += `${down ? "L" : "M"}${px(x[i]).toFixed(1)} ${py(y[i]).toFixed(1)}`;
        down = true;
      }
      return svg("path", { d, fill: "none", stroke: color, "stroke-linejoin": "round", ...attributes });
    }
    function xAt(event) {
      const box = image.getBoundingClientRect();
      return x0 + ((event.clientX - box.left) * width / box.width - left) / (width - left - right) * (x1 - x0);
    }
    function nearest(x) {
      let best = 0;
      xs.forEach((other, i) => { if (Math.abs(other - x) < Math.abs(xs[best] - x)) best = i; });
      return best;
    }
    function point(index) {
      cursor = index;
      const x = xs[index];
      line.setAttribute("x1", px(x));
      line.setAttribute("x2", px(x));
      line.setAttribute("visibility", "visible");
      tip.replaceChildren(el("div", { class: "muted" }, (options.xText ?? compact)(x)));
      for (const s of prepared) {
        let at = -1;  // the last place up to the pointer's
        for (let i = 0; i < s.x.length && s.x[i] <= x + 1e-9; ++i) if (finite(s.y[i])) at = i;
        if (at < 0 || (s.points && Math.abs(s.x[at] - x) > (x1 - x0) * 0.02)) continue;
        tip.append(el("div", {}, swatch(s.color), `${visible(s.name)}: `, el("b", {}, yText(s.drawn[at])),
          s.smooth ? el("span", { class: "muted" }, ` (${yText(s.y[at])})`) : null));
      }
      tip.hidden = false;
      const scale = image.getBoundingClientRect().width / width;
      const rightSide = px(x) < width * 0.5;
      tip.style.left = rightSide ? `${(px(x) + 24) * scale}px` : "auto";
      tip.style.right = rightSide ? "auto" : `${(width - px(x) + 24) * scale}px`;
    }
    function leave() {
      line.setAttribute("visibility", "hidden");
      chosen.setAttribute("visibility", "hidden");
      tip.hidden = true;
      drag = null;
    }
    image.addEventListener("pointermove", (event) => {
      point(nearest(xAt(event)));
      if (drag === null) return;
      const ends = [drag, xAt(event)].map((x) => px(Math.min(x1, Math.max(x0, x)))).sort((a, b) => a - b);
      chosen.setAttribute("x", ends[0]);
      chosen.setAttribute("width", ends[1] - ends[0]);
      chosen.setAttribute("visibility", "visible");
    });
    image.addEventListener("pointerdown", (event) => { if (options.zoom && event.pointerType === "mouse") drag = xAt(event); });
    image.addEventListener("pointerup", (event) => {
      const ends = drag === null ? null : [drag, xAt(event)].sort((a, b) => a - b);
      drag = null;
      if (ends && ends[1] - ends[0] > (x1 - x0) * 0.02) options.zoom([Math.max(x0, ends[0]), Math.min(x1, ends[1])]);
      else chosen.setAttribute("visibility", "hidden");
    });
    image.addEventListener("pointerleave", leave);
    image.addEventListener("blur", leave);
    image.addEventListener("dblclick", () => options.zoom?.(null));
    image.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!move) return;
      event.preventDefault();
      point(Math.min(xs.length - 1, Math.max(0, cursor < 0 ? xs.length - 1 : cursor + move)));
    });
    holder.replaceChildren(image);
  }
  const yTick = (v) => options.yTick ? options.yTick(v) : compact(v);
  function describe() {
    return `${options.title}: ` + prepared.map((s) => {
      const last = s.y.filter(finite);
      return last.length ? `${s.name} from ${yText(last[0])} to ${yText(last[last.length - 1])}` : `${s.name} without values`;
    }).join("; ") + ". Arrow keys read the values.";
  }
  let drawn = 0;
  new ResizeObserver(() => requestAnimationFrame(() => {
    const width = Math.max(240, holder.clientWidth);
    if (width !== drawn) draw(drawn = width);
  })).observe(holder);
  return box;
}
lineChart.number = 0;

/** Bars over ranges, such as a histogram. groups: [{name, color, values}]; labels: one per bar. */
function barChart(title, labels, groups, options = {}) {
  const width = 520, height = 200, left = 50, right = 6, top = 8, bottom = 38;
  const high = Math.max(1e-9, ...groups.flatMap((g) => g.values.filter(finite).map((v, i) => v + (g.margins?.[i] ?? 0))));
  const slot = (width - left - right) / labels.length, thick = Math.max(1, slot * 0.8 / groups.length);
  const py = (v) => top + (1 - v / high) * (height - top - bottom);
  const image = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ` +
    groups.map((g) => `${g.name}: ${labels.map((l, i) => `${l} ${(options.text ?? count)(g.values[i])}`).join(", ")}`).join("; ") });
  for (const tick of ticksOf(0, high, 4)) {
    image.append(svg("line", { x1: left, x2: width - right, y1: py(tick), y2: py(tick), stroke: "var(--grid)" }),
      svg("text", { x: left - 6, y: py(tick) + 4, "text-anchor": "end" }, compact(tick)));
  }
  const every = Math.ceil(labels.length / (options.most ?? 12));
  labels.forEach((label, i) => {
    if (i % every === 0) image.append(svg("text", { x: left + slot * (i + 0.5), y: height - bottom + 17, "text-anchor": "middle" }, label));
    groups.forEach((g, k) => {
      if (!finite(g.values[i])) return;
      const x = left + slot * (i + 0.1) + thick * k;
      image.append(svg("rect", { x, y: py(g.values[i]), width: thick, height: Math.max(0, height - bottom - py(g.values[i])), fill: g.color },
        svg("title", {}, `${g.name}, ${label}: ${(options.text ?? count)(g.values[i])}${g.margins ? ` ± ${(options.text ?? count)(g.margins[i])}` : ""}`)));
      const margin = g.margins?.[i];
      if (margin > 0) image.append(svg("path", { d: `M${x + thick / 2} ${py(g.values[i] + margin)}V${py(Math.max(0, g.values[i] - margin))}`, stroke: "var(--text)", "stroke-width": 1.2 }));
    });
  });
  image.append(svg("line", { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, stroke: "var(--line)" }),
    svg("text", { x: width - right, y: height - 3, "text-anchor": "end" }, options.xName ?? ""));
  return el("figure", { class: "card chart", style: "margin:0" }, el("figcaption", {}, el("h3", {}, title),
    groups.length > 1 ? el("div", { class: "row" }, groups.map((g) => el("small", {}, swatch(g.color), visible(g.name)))) : null), image);
}

/** The words of a line; of scripts without spaces its characters. */
function wordsOf(text) {
  return String(text).match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|\s+/gu) ?? [];
}
const isSpace = (word) => /^\s+$/u.test(word);

/** The page's data. What goes wrong while it is drawn is said on the page. */
const pageData = JSON.parse(document.getElementById("data").textContent);
window.addEventListener("error", (event) => {
  document.getElementById("page").prepend(el("p", { class: "card pill bad", id: "error" }, `This page could not be drawn: ${event.message}`));
});
