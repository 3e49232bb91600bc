"use strict";
// The page of a training, or of several side by side. Its data: see run_page.h, run_history.h, run_facts.h.

let content = pageData;
const state = { x: "step", scale: "linear", smooth: 0.6, range: null, hidden: {}, sample: null, attention: true, filter: "", reload: false };

// What is chosen is in the address, so that it outlives a reload and can be sent to others.
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (Object.hasOwn(AXES, given.get("x") ?? "")) state.x = given.get("x");
  if (["linear", "log"].includes(given.get("scale"))) state.scale = given.get("scale");
  if (given.has("smooth") && finite(+given.get("smooth"))) state.smooth = +given.get("smooth");
  state.reload = given.has("reload");
}
function writeAddress() {
  const chosen = new URLSearchParams({ x: state.x, scale: state.scale, smooth: state.smooth });
  if (state.reload) chosen.set("reload", "1");
  try { history.replaceState(null, "", `#${chosen}`); } catch { /* a page that may not change its address */ }
}
function choose(changes) {
  Object.assign(state, changes);
  writeAddress();
  drawCurves();
}

const AXES = {
  step: { label: "steps", name: "steps", text: (x) => `step ${count(x)}`, of: (x) => x },
  tokens: { label: "tokens", name: "target tokens", text: (x) => `${compact(x)} target tokens`, of: (x) => x },
  elapsed: { label: "hours", name: "hours of training", text: (x) => duration(x * 3600), of: (x) => x / 3600 },
  epochs: { label: "epochs", name: "epochs", text: (x) => `epoch ${(+x).toFixed(2)}`, of: (x) => x },
};
const SCORES = { loss: "loss", perplexity: "perplexity", bleu: "BLEU", chrf: "chrF" };
const scoreName = (name) => SCORES[name] ?? name;
const scoreText = (name, x) => !finite(x) ? "–" : name === "bleu" || name === "chrf" ? x.toFixed(2) : significant(x);

const several = () => content.runs.length > 1;
const runColor = (run) => colorOf(content.runs.indexOf(run));
const lastOf = (list) => list && list.length ? list[list.length - 1] : undefined;
const startOf = (run) => lastOf(run.starts) ?? {};
const optionsOf = (run) => Object.fromEntries(run.config ?? []);
const metricOf = (run) => run.last_validation?.metric ?? run.finish?.metric;

/** The index of the best validation; -1: none. */
function bestOf(run) {
  let best = -1;
  run.validation.best.forEach((is, i) => { if (is) best = i; });
  return best;
}
const bestScore = (run, name) => {
  const best = bestOf(run);
  return best < 0 ? undefined : run.validation.scores[name]?.[best];
};
const stepsOf = (run) => Math.max(startOf(run).step ?? 0, lastOf(run.train.step) ?? 0, lastOf(run.validation.step) ?? 0);
const elapsedOf = (run) => run.finish?.elapsed ?? Math.max(lastOf(run.train.elapsed) ?? 0, lastOf(run.validation.elapsed) ?? 0);
const speedOf = (run) => {
  const speeds = (run.train.target_tokens_per_second ?? []).filter(finite).slice(-20).sort((a, b) => a - b);
  return speeds[Math.floor(speeds.length / 2)];
};
function statusOf(run) {
  if (run.finish) return el("span", { class: "pill good" }, "finished");
  if (run.stop) return el("span", { class: "pill warn" }, "stopped, can be resumed");
  return el("span", { class: "pill" }, "training");
}

// The head.

function head() {
  const run = content.runs[0];
  const title = several() ? `${content.runs.length} trainings side by side` : visible(run.name);
  const renewal = content.live ? el("small", { class: "muted", id: "live" }, `live; as of ${visible(content.written)}`)
    : el("small", { class: "muted" }, `written ${visible(content.written)}`);
  const reload = content.live || content.runs.every((r) => r.finish) ? null
    : el("label", {}, el("input", { type: "checkbox", checked: state.reload, change: (event) => {
      state.reload = event.target.checked;
      writeAddress();
      scheduleReload();
    } }), el("small", {}, " reload every minute"));
  return el("header", {},
    el("div", { class: "row spread" },
      el("div", {}, el("h1", {}, title), el("div", { class: "row" }, several() ? null : statusOf(run), renewal, reload)), themeButton()),
    several() ? null : [progress(run), tiles(run), notices(run)]);
}
let reloading;
function scheduleReload() {
  clearTimeout(reloading);
  if (state.reload && !content.live) reloading = setTimeout(() => location.reload(), 60000);
}

function progress(run) {
  if (run.finish) return null;
  const remaining = run.last_report?.remaining, elapsed = elapsedOf(run);
  if (!finite(remaining) || run.stop) return null;
  const share = 100 * elapsed / (elapsed + remaining);
  return el("div", {}, el("div", { class: "bar", role: "progressbar", "aria-valuenow": share.toFixed(0), "aria-valuemin": 0,
    "aria-valuemax": 100, "aria-label": "share of the longest possible training" },
    el("i", { style: `width:${share}%;background:var(--accent)` })),
    el("small", { class: "muted" }, `${share.toFixed(0)}% after ${duration(elapsed)}, at most ${duration(remaining)} to go; early stopping may end it sooner`));
}

function tiles(run) {
  const metric = metricOf(run), best = bestOf(run), list = [];
  if (best >= 0) {
    const step = run.validation.step[best];
    for (const name of [...new Set([metric, "bleu", "chrf", "perplexity"])]) {
      const value = run.validation.scores[name]?.[best];
      if (finite(value) && list.length < 3) list.push(tile(scoreText(name, value), `${scoreName(name)}, best model (step ${count(step)})`));
    }
  }
  const loss = lastOf(run.train.loss);
  if (finite(loss)) list.push(tile(significant(loss), "loss in training, last report"));
  list.push(tile(count(stepsOf(run)), `steps, ${compact(lastOf(run.train.tokens) ?? startOf(run).tokens)} tokens`));
  if (finite(speedOf(run))) list.push(tile(compact(speedOf(run)), "target tokens/s"));
  list.push(tile(duration(elapsedOf(run)), "spent, validation included"));
  if (finite(startOf(run).parameters)) list.push(tile(compact(startOf(run).parameters), "trained parameters"));
  return el("div", { class: "tiles" }, list);
}

function notices(run) {
  const notes = [];
  if (run.finish) notes.push(`The model is “${run.finish.chosen}”, chosen by ${scoreName(run.finish.metric)}.`);
  if (run.stop?.reason) notes.push(`Training stopped: ${run.stop.reason}.`);
  if (run.finish?.still_improving) notes.push("Its scores were still improving: a longer training may be better.");
  if (run.finish?.learned_little) notes.push("The model has learned little: its validation loss is close to that of knowing only how frequent each token is.");
  for (const change of run.changes) notes.push(`From step ${count(change.step)} on: ${change.option} ${change.now}${change.before ? ` (was ${change.before})` : ""}`);
  const warnings = run.warnings.map((w) => `Step ${count(w.step)}: ${w.message}`);
  if (notes.length + warnings.length === 0) return null;
  return el("div", { class: "card", style: "margin-top:12px" },
    notes.length ? el("ul", { class: "notes" }, notes.map((note) => el("li", {}, visible(note)))) : null,
    warnings.length ? el("details", { open: warnings.length < 4 }, el("summary", {}, counted(warnings.length, "warning")),
      el("ul", { class: "notes" }, warnings.map((w) => el("li", {}, visible(w))))) : null);
}

// Several trainings: a table of scores.

function overview() {
  if (!several()) return null;
  const scores = [...new Set(content.runs.flatMap((run) => Object.keys(run.validation.scores)))]
    .filter((name) => name !== "loss").sort((a, b) => (a === "perplexity") - (b === "perplexity"));
  const rows = content.runs.map((run) => [el("span", {}, swatch(runColor(run)), shown(run.name)), statusOf(run), compact(startOf(run).parameters),
    count(stepsOf(run)), compact(lastOf(run.train.tokens)), duration(elapsedOf(run)), compact(speedOf(run)),
    ...scores.map((name) => scoreText(name, bestScore(run, name)))]);
  const number = (name) => ({ name, number: true });
  return el("section", {}, el("h2", {}, "Scores"), el("div", { class: "card" },
    table([{ name: "training" }, { name: "" }, number("parameters"), number("steps"), number("tokens"), number("time"), number("tokens/s"),
      ...scores.map((name) => number(scoreName(name)))], rows, { label: "scores of each training" }),
    el("small", { class: "muted" }, "Scores are those of each training's best validation.")), significance());
}

function significance() {
  const made = content.comparison;
  if (!made) return null;
  if (made.reason) return el("div", { class: "card" }, el("small", { class: "muted" }, visible(made.reason)));
  const rows = made.systems.map((system, i) => [shown(system.name), ...made.metrics.flatMap((metric) => {
    const result = metric.results[i];
    return [`${fixed(result.score, 1)} (${fixed(result.mean, 1)} ± ${fixed(result.margin, 1)})`,
      result.p === null ? "baseline" : el("span", { class: result.p < 0.05 ? "pill good" : "muted" }, fixed(result.p, 4))];
  })]);
  return el("div", { class: "card" }, el("h3", {}, "The best models' translations of the validation text"),
    table([{ name: "training" }, ...made.metrics.flatMap((metric) => [{ name: `${metric.name} (mean ± 95%)`, number: true }, { name: "p", number: true }])], rows,
      { label: "significance" }),
    el("small", { class: "muted" }, `Paired bootstrap (Koehn 2004) against the first training, ${count(made.samples)} resamples of ${counted(made.lines, "line")}. ` +
      "p is the probability that an equal system differs as much; below 0.05 is marked. ", made.metrics.map((metric) => `${metric.name}|${metric.signature}`).join(", ")));
}

// Curves.

const xOf = (points) => points[state.x].map((x) => finite(x) ? AXES[state.x].of(x) : x);
function lineOf(run, points, values, extra) {
  return { x: xOf(points), y: values, ...extra };
}

function curves() {
  const charts = [], runs = content.runs.filter((run) => !state.hidden[run.name]);
  const axis = AXES[state.x];
  const common = { xName: axis.name, xText: axis.text, range: state.range, zoom: (range) => choose({ range }), log: state.scale === "log" };
  const named = (run, what) => several() ? (what ? `${run.name}, ${what}` : run.name) : what;
  const color = (run, single) => several() ? runColor(run) : single;
  const training = (run, values, what, single) => lineOf(run, run.train, values, { name: named(run, what), color: color(run, single), smooth: state.smooth });
  const validation = (run, name, what, single) => lineOf(run, run.validation, run.validation.scores[name], { name: named(run, what), color: color(run, single),
    points: true, dashed: several() && what !== "", best: [bestOf(run)] });
  const has = (name) => runs.some((run) => run.validation.scores[name]?.some(finite));

  const losses = runs.flatMap((run) => [training(run, run.train.loss, "training", "var(--c0)"),
    run.validation.scores.loss ? validation(run, "loss", "validation", "var(--c1)") : null]).filter(Boolean);
  charts.push(lineChart(losses, { ...common, title: "Loss, nats per target token" }));
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.validation.scores)))].filter((name) => name !== "loss");
  names.sort((a, b) => ["bleu", "chrf"].includes(b) - ["bleu", "chrf"].includes(a));
  for (const name of names) {
    if (!has(name)) continue;
    charts.push(lineChart(runs.filter((run) => run.validation.scores[name]).map((run) => validation(run, name, several() ? "" : "validation", "var(--c1)")),
      { ...common, title: `Validation: ${scoreName(name)}`, yText: (v) => scoreText(name, v) }));
  }
  const one = (title, member, options = {}) => {
    if (!runs.some((run) => run.train[member].some(finite))) return;
    charts.push(lineChart(runs.map((run) => ({ ...training(run, run.train[member], several() ? "" : options.name ?? title.toLowerCase(), options.color ?? "var(--c0)"),
      smooth: options.smooth === false ? 0 : state.smooth })), { ...common, title, ...options }));
  };
  one("Learning rate", "learning_rate", { smooth: false, color: "var(--c2)", clip: false });
  one("Gradient norm, before clipping", "gradient_norm", { name: "gradient norm", color: "var(--c3)" });
  one("Target tokens per second", "target_tokens_per_second", { name: "target tokens/s", color: "var(--c4)" });
  if (runs.some((run) => run.train.objective.some((v, i) => finite(v) && v !== run.train.loss[i]))) {
    one("Objective, with label smoothing", "objective", { name: "objective", color: "var(--c5)" });
  }
  const legend = several() ? el("div", { class: "row" }, content.runs.map((run) => el("button", { type: "button",
    "aria-pressed": String(!state.hidden[run.name]), style: "background:none;color:inherit", title: "Show or hide",
    click: () => choose({ hidden: { ...state.hidden, [run.name]: !state.hidden[run.name] } }) },
    swatch(state.hidden[run.name] ? "var(--grid)" : runColor(run)), state.hidden[run.name] ? el("s", {}, shown(run.name)) : shown(run.name)))) : null;
  const slider = el("input", { type: "range", min: 0, max: 0.98, step: 0.02, value: state.smooth, "aria-label": "smoothing of training curves",
    style: "width:110px", change: (event) => choose({ smooth: +event.target.value }) });
  const axes = Object.entries(AXES).filter(([key]) => content.runs.some((run) => run.train[key].some(finite) || run.validation[key].some(finite)));
  return [el("div", { class: "row tools" },
    choice("over", axes.map(([key, { label }]) => [key, label]), state.x, (x) => choose({ x, range: null })),
    choice("scale", [["linear", "linear"], ["log", "log"]], state.scale, (scale) => choose({ scale })),
    el("fieldset", {}, el("legend", {}, "smoothing"), slider),
    state.range ? el("button", { type: "button", click: () => choose({ range: null }) }, "Show all") : null, legend),
    el("div", { class: "charts" }, charts),
    el("p", {}, el("small", { class: "muted" }, "Point at a curve to read it; drag over a part to enlarge it. A ring marks the best model. ",
      state.smooth > 0 ? "Bold training curves are smoothed, an exponential moving average; thin ones are as measured." : ""))];
}
const curvesPlace = el("section", {});
function drawCurves() { curvesPlace.replaceChildren(el("h2", {}, "Curves"), ...curves()); }

// Translations of sample sentences.

/** The hypothesis with its words that the reference has too in green. */
function marked(text, reference) {
  const left = new Map();
  for (const word of wordsOf(reference)) if (!isSpace(word)) left.set(word, (left.get(word) ?? 0) + 1);
  return el("bdi", { dir: "auto" }, wordsOf(text).map((word) => {
    if (isSpace(word) || !(left.get(word) > 0)) return visible(word);
    left.set(word, left.get(word) - 1);
    return el("span", { class: "same" }, visible(word));
  }));
}
function hypothesisAt(sample, step) {
  let found;
  for (const [from, text] of sample.hypotheses) if (from <= step) found = text;
  return found;
}

/** Where each word of the translation looked, after this step. */
function attentionMap(sample, step) {
  const map = sample.attention?.filter(([from]) => from <= step).pop()?.[1];
  if (!Array.isArray(map?.weights) || !Array.isArray(map.source) || !Array.isArray(map.target)) return null;
  const cell = (weight, i, j) => el("td", { style: finite(weight) ? `--w:${Math.max(0, Math.min(1, weight)).toFixed(2)}` : null,
    title: `${visible(map.target[i])} → ${visible(map.source[j])}: ${fixed(weight, 2)}` });
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "attention of the translation" }, el("table", { class: "attention" },
    el("thead", {}, el("tr", {}, el("td", {}), map.source.map((word) => el("th", { scope: "col" }, el("span", {}, shown(word)))))),
    el("tbody", {}, map.target.map((word, i) => el("tr", {}, el("th", { scope: "row" }, shown(word)),
      map.source.map((_, j) => cell(map.weights[i]?.[j], i, j)))))));
}

function samples() {
  const runs = content.runs.filter((run) => run.samples.length);
  if (runs.length === 0) return null;
  const steps = [...new Set(runs.flatMap((run) => run.validation.step))].sort((a, b) => a - b);
  const place = el("div", {}), label = el("output", { class: "muted" });
  const slider = el("input", { type: "range", min: 0, max: steps.length - 1, value: state.sample ?? steps.length - 1,
    "aria-label": "validation whose translations are shown", input: (event) => {
      state.sample = +event.target.value === steps.length - 1 ? null : +event.target.value;
      draw();
    } });
  let player = 0;
  const play = el("button", { type: "button", click: () => {
    clearInterval(player);
    if (play.textContent === "Pause") { play.textContent = "Play"; return; }
    play.textContent = "Pause";
    let at = +slider.value >= steps.length - 1 ? -1 : +slider.value;
    player = setInterval(() => {
      slider.value = ++at;
      state.sample = at >= steps.length - 1 ? null : at;
      draw();
      if (at >= steps.length - 1) { clearInterval(player); play.textContent = "Play"; }
    }, Math.max(120, Math.min(700, 8000 / steps.length)));
  } }, "Play");
  function draw() {
    const at = Math.min(state.sample ?? steps.length - 1, steps.length - 1), step = steps[at];
    label.textContent = `after step ${count(step)}, validation ${at + 1} of ${steps.length}`;
    const keys = [...new Set(runs.flatMap((run) => run.samples.map((s) => JSON.stringify([s.source, s.reference]))))];
    place.replaceChildren(...keys.map((key) => {
      const [source, reference] = JSON.parse(key);
      const of = runs.map((run) => [run, run.samples.find((s) => s.source === source && s.reference === reference)]).filter(([, s]) => s);
      return el("article", { class: "card" }, el("dl", { class: "lines" },
        el("dt", {}, "source"), el("dd", {}, shown(source)), el("dt", {}, "reference"), el("dd", {}, shown(reference)),
        of.map(([run, sample]) => {
          const text = hypothesisAt(sample, step);
          return [el("dt", {}, several() ? [swatch(runColor(run)), shown(run.name)] : "hypothesis"),
            el("dd", {}, text === undefined ? el("span", { class: "muted" }, "not translated yet") : marked(text, reference))];
        })),
        of.map(([run, sample]) => {
          const map = attentionMap(sample, step);
          return map && el("details", { open: state.attention, toggle: (event) => { state.attention = event.target.open; } },
            el("summary", {}, el("small", {}, `where the words looked${several() ? ` (${visible(run.name)})` : ""}`)), map);
        }),
        of.map(([run, sample]) => sample.hypotheses.length < 2 ? null : el("details", {},
          el("summary", {}, el("small", {}, `how it changed${several() ? ` (${visible(run.name)})` : ""}`)),
          el("dl", { class: "lines" }, sample.hypotheses.map(([from, text]) => [el("dt", {}, `step ${count(from)}`), el("dd", {}, marked(text, reference))])))));
    }));
  }
  draw();
  return el("section", {}, el("h2", {}, "Translations of sample sentences"),
    el("div", { class: "row tools" }, play, el("div", { class: "wide" }, slider), label), place,
    el("p", {}, el("small", { class: "muted" }, "Sentences of the validation text, with valid.beam. Words that the reference has too are marked. ",
      runs.some((run) => run.samples.some((s) => s.attention)) ? "Where the words looked: the darker, the more a word of the translation (row) attends to a word of the source (column); the mean of the last layer's heads." : "")));
}

// The text.

const LEFT_OUT = { empty: "a side is empty", too_long: "too long", unlike_lengths: "lengths too different (data.max-length-ratio)",
  identical: "both sides identical (data.identical-sides)", other_script: "another script (data.source-script, data.target-script)",
  weightless: "weight 0", bad_rows: "not a pair (data.bad-rows)", duplicates: "repeats an earlier pair (data.duplicates)",
  leaking: "also in the validation text (data.leaking)" };

function lengths(name, corpus) {
  const sides = [["source", corpus.source_lengths, "var(--c0)"], ["target", corpus.target_lengths, "var(--c1)"]].filter(([, counts]) => counts);
  if (sides.length === 0) return null;
  const longest = Math.max(...sides.map(([, counts]) => counts.length));
  const width = Math.max(1, Math.ceil(longest / 24)), bins = Math.ceil(longest / width);
  const total = Math.max(1, ...sides.map(([, counts]) => counts.reduce((a, b) => a + b, 0)));
  const groups = sides.map(([side, counts, color]) => ({ name: side, color, values: Array.from({ length: bins }, (_, i) =>
    100 * counts.slice(i * width, (i + 1) * width).reduce((a, b) => a + b, 0) / total) }));
  const labels = Array.from({ length: bins }, (_, i) => width === 1 ? `${i}` : `${i * width}–${(i + 1) * width - 1}`);
  return barChart(`Lengths of the ${name} text: share of pairs, %`, labels.map((l) => l.split("–")[0]), groups,
    { text: (v) => `${fixed(v, 1)}%`, xName: `tokens${width > 1 ? `, in steps of ${width}` : ""}` });
}

function dataSection() {
  const run = content.runs[0], parts = [];
  if (several() || !run.data?.train) return null;
  const { counts, files, limits } = run.data.train, start = startOf(run);
  const row = (name, value, note) => [name, value, note ?? ""];
  const rows = [row("pairs read", count(counts.read)), row("pairs kept", count(counts.kept), percent(counts.kept, counts.read, 2))];
  for (const [name, reason] of Object.entries(LEFT_OUT)) {
    if (counts[name] > 0 && (name !== "leaking" || counts.kept < counts.read)) {
      rows.push(row(`left out: ${reason}${name === "too_long" ? ` (more than ${limits[0]} or ${limits[1]} tokens)` : ""}`, count(counts[name]), percent(counts[name], counts.read, 2)));
    }
  }
  rows.push(row("source tokens", compact(counts.source_tokens), counts.kept ? `${(counts.source_tokens / counts.kept).toFixed(1)} a pair` : ""),
    row("target tokens", compact(counts.target_tokens), counts.kept ? `${(counts.target_tokens / counts.kept).toFixed(1)} a pair` : ""),
    row("unknown tokens", `${count(counts.source_unknown)} / ${count(counts.target_unknown)}`, "source / target"));
  if (counts.replaced_lines > 0) rows.push(row("lines with replaced bytes", count(counts.replaced_lines), "not UTF-8"));
  if (finite(start.duplicate_pairs)) rows.push(row("pairs that repeat an earlier one", count(start.duplicate_pairs), percent(start.duplicate_pairs, counts.kept)));
  if (finite(start.leaking_pairs)) rows.push(row("pairs that are also in the validation text", count(start.leaking_pairs)));
  if (finite(start.valid_sources_in_training)) {
    rows.push(row("validation pairs in the training text", count(start.valid_pairs_in_training)), row("validation sources in it", count(start.valid_sources_in_training)));
  }
  parts.push(el("div", { class: "card" }, el("h3", {}, "Training text"), table([{ name: "" }, { name: "", number: true }, { name: "" }], rows, { label: "training text" }),
    el("details", {}, el("summary", {}, el("small", {}, "files")), table([{ name: "side" }, { name: "file", code: true }, { name: "lines", number: true }, { name: "size", number: true }],
      [...files, ...(run.data.valid?.files ?? []).map((f) => ({ ...f, side: `valid-${f.side}` }))].map((f) => [f.side, shown(f.path), count(f.lines), bytes(f.bytes)]), { label: "files" }))));
  parts.push(lengths("training", run.data.train), run.data.valid ? lengths("validation", run.data.valid) : null);
  return el("section", {}, el("h2", {}, "Data"), el("div", { class: "two" }, parts));
}

// Options.

function configuration() {
  const list = [];
  if (several()) {
    const all = content.runs.map(optionsOf);
    const names = [...new Set(content.runs.flatMap((run) => (run.config ?? []).map(([name]) => name)))];
    const different = names.filter((name) => name !== "model" && new Set(all.map((options) => options[name])).size > 1);
    list.push(el("div", { class: "card" }, different.length === 0 ? el("p", {}, "All options are the same.")
      : table([{ name: "option", code: true }, ...content.runs.map((run) => ({ name: run.name, code: true }))],
        different.map((name) => [name, ...all.map((options) => options[name] === undefined ? el("span", { class: "muted" }, "does not apply") : shown(options[name]))]), { label: "options that differ" })));
    return el("section", {}, el("h2", {}, "Options that differ"), list);
  }
  const run = content.runs[0], start = [...run.starts].reverse().find((s) => s.options) ?? {};
  if (!run.config) return null;
  if (start.options) {
    const rows = Object.entries(start.options).map(([name, [before, now]]) => [name, shown(before || "–"), shown(now || "–")]);
    list.push(el("div", { class: "card" }, el("h3", {}, `What differs from the preset ${visible(start.preset)}`), rows.length === 0 ? el("p", { class: "muted" }, "Nothing.")
      : table([{ name: "option", code: true }, { name: "preset", code: true }, { name: "this training", code: true }], rows, { label: "options that differ from the preset" })));
  }
  const place = el("div", {});
  const draw = () => place.replaceChildren(table([{ name: "option", code: true }, { name: "value", code: true }],
    run.config.filter(([name, value]) => `${name} ${value}`.includes(state.filter)).map(([name, value]) => [name, shown(value)]), { label: "all options" }));
  draw();
  list.push(el("div", { class: "card" }, el("details", {}, el("summary", {}, `all ${run.config.length} options (config.toml)`),
    el("input", { type: "search", placeholder: "Filter", "aria-label": "filter of options", value: state.filter, input: (event) => { state.filter = event.target.value; draw(); } }), place)));
  return el("section", {}, el("h2", {}, "Options"), list);
}

// Time, machine, disk.

const PHASES = [["forward", "forward pass", "var(--c0)"], ["backward", "backward pass", "var(--c6)"], ["optimizer", "optimizer", "var(--c2)"],
  ["exchange", "exchange with other ranks", "var(--c3)"], ["data", "waiting for data", "var(--c1)"], ["validation", "validation", "var(--c5)"]];

function timeBar(run) {
  const total = PHASES.reduce((sum, [phase]) => sum + (run.time[phase] ?? 0), 0);
  if (!(total > 0)) return null;
  const parts = PHASES.filter(([phase]) => run.time[phase] > 0);
  return el("div", {}, several() ? el("h3", {}, swatch(runColor(run)), shown(run.name)) : null,
    el("div", { class: "bar", style: "height:14px", "aria-hidden": "true" }, parts.map(([phase, , color]) => el("i", { style: `width:${100 * run.time[phase] / total}%;background:${color}` }))),
    el("div", { class: "row" }, parts.map(([phase, name, color]) => el("small", {}, swatch(color), `${name} ${percent(run.time[phase], total)} (${duration(run.time[phase])})`))));
}

function machine() {
  const bars = content.runs.map(timeBar).filter(Boolean), parts = [];
  if (bars.length) parts.push(el("div", { class: "card" }, el("h3", {}, "Time of the training steps and validations"), bars));
  for (const run of content.runs) {
    const rows = run.starts.map((s) => [visible(s.time ?? "–"), count(s.step), s.device ?? "–", s.processor ? shown(s.processor) : "–", finite(s.memory) ? bytes(s.memory) : "–",
      count(s.threads), count(s.replicas), count(s.ranks ?? 1), visible(s.matmul ?? "–")]);
    parts.push(el("div", { class: "card" }, el("h3", {}, several() ? [swatch(runColor(run)), shown(run.name), ": "] : null, rows.length > 1 ? `${rows.length} starts` : "Machine"),
      table([{ name: "started" }, { name: "at step", number: true }, { name: "device" }, { name: "processor" }, { name: "memory", number: true }, { name: "threads", number: true },
        { name: "replicas", number: true }, { name: "ranks", number: true }, { name: "precision" }], rows, { label: "starts" }),
      run.disk?.length ? el("details", {}, el("summary", {}, el("small", {}, `${bytes(run.disk.reduce((sum, [, size]) => sum + size, 0))} on disk`)),
        table([{ name: "file", code: true }, { name: "size", number: true }], run.disk.map(([name, size]) => [name, bytes(size)]), { label: "files" })) : null));
  }
  return el("section", {}, el("h2", {}, "Time and machine"), parts);
}

function draw() {
  drawCurves();
  document.getElementById("page").replaceChildren(...[head(), overview(), curvesPlace, samples(), dataSection(), configuration(), machine(),
    el("footer", {}, "Written by heed. The page is one file and loads nothing. ", el("code", {}, "heed report"), " puts several trainings side by side.")].filter(Boolean));
}

/** A page that a server shows asks it for news. */
async function renew() {
  try {
    const answer = await fetch(content.live);
    if (!answer.ok) throw new Error(answer.status);
    const text = await answer.text();
    if (text !== renew.last) {
      renew.last = text;
      content = { ...JSON.parse(text), live: content.live };
      const at = [scrollX, scrollY];
      draw();
      scrollTo(...at);
    }
  } catch {
    document.getElementById("live")?.replaceChildren(el("span", { class: "pill bad" }, "the server does not answer"));
    renew.last = null;
  }
}

readAddress();
draw();
scheduleReload();
if (content.live) setInterval(renew, 5000);
