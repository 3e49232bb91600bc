"use strict";
// The page of `heed evaluate --report`. Its data: apps/heed/evaluate/evaluation_page.cpp.

const { systems, metrics, sentences } = pageData;
const shownAtOnce = 15;
const view = { metric: 0, order: "worst", system: 0, search: "", shown: shownAtOnce };
const scoreOf = (metric, x) => finite(x) ? x.toFixed(Math.max(1, metric.decimals)) : "–";
/** Higher for a worse score. */
const badness = (metric, x) => !finite(x) ? -Infinity : metric.lower_is_better ? x : -x;

function head() {
  return el("header", { class: "row spread" }, el("div", {}, el("h1", {}, "Evaluation of translations"),
    el("small", { class: "muted" }, `${counted(systems.length, "system")}, ${counted(pageData.lines, "line")}`)), themeButton());
}

function scoreTable() {
  const rows = systems.map((name, s) => [el("span", {}, swatch(colorOf(s)), shown(name)), ...metrics.flatMap((metric) => {
    const { score, margin, p } = metric.scores[s], baseline = metric.scores[0].score;
    const cells = [el("span", {}, el("b", {}, scoreOf(metric, score)), el("span", { class: "muted" }, ` ± ${scoreOf(metric, margin)}`))];
    if (systems.length > 1) {
      const better = badness(metric, score) < badness(metric, baseline);
      cells.push(p === null ? el("span", { class: "muted" }, "baseline")
        : el("span", { class: p < 0.05 ? (better ? "pill good" : "pill bad") : "muted" }, finite(p) && p < 0.001 ? "< 0.001" : fixed(p, 3)));
    }
    return cells;
  })]);
  const columns = [{ name: "system" }, ...metrics.flatMap((metric) => [{ name: metric.name + (metric.lower_is_better ? " (lower is better)" : ""), number: true },
    ...systems.length > 1 ? [{ name: "p", number: true }] : []])];
  return el("section", {}, el("h2", {}, "Scores"), el("div", { class: "card" }, table(columns, rows, { label: "scores" }),
    el("p", {}, el("small", { class: "muted" }, `± is half the 95% confidence interval of ${count(pageData.samples)} bootstrap resamples (Koehn 2004). `,
      systems.length > 1 ? "p is from the paired bootstrap against the first system: the probability that a system as good as it differs as much. Green is significantly better, red worse (p < 0.05). " : "")),
    metrics.map((metric) => el("div", {}, el("small", { class: "muted" }, el("code", {}, `${metric.name}|${metric.signature}`))))));
}

const systemGroups = (valuesOf) => systems.map((name, s) => ({ name, color: colorOf(s), ...valuesOf(s) }));

function charts() {
  const metric = metrics[view.metric], { of, buckets, lines } = pageData.lengths;
  const parts = [barChart(`${metric.name} by ${of}`, buckets, systemGroups((s) => metric.by_length[s]),
    { text: (v) => scoreOf(metric, v), xName: `${of}; lines: ${lines.join(", ")}` })];
  const frequency = pageData.frequency;
  const f1 = ([reference, hypothesis, match]) => reference + hypothesis > 0 ? 200 * match / (reference + hypothesis) : null;
  parts.push(barChart("F1 of words by their frequency, %", frequency.classes, systemGroups((s) => ({ values: frequency.systems[s].map(f1) })),
    { text: (v) => `${fixed(v, 1)}%`, xName: `times that a word is in ${visible(frequency.of)}` }));
  parts.push(barChart("Precision of n-grams, %", ["1-grams", "2-grams", "3-grams", "4-grams"], systemGroups((s) => ({ values: pageData.ngrams[s].precisions })),
    { text: (v) => `${fixed(v, 1)}%` }));
  const scores = systems.map((_, s) => sentences.map((sentence) => sentence.scores[view.metric][s]).filter(finite));
  const high = Math.max(1e-9, ...scores.flat()), width = high <= 1 ? 0.1 : high <= 100 ? 10 : high / 10, bins = Array.from({ length: 10 }, (_, i) => i);
  parts.push(barChart(`Sentences by ${metric.name}, %`, bins.map((i) => significant(i * width, 3)), systemGroups((s) => ({ values: bins.map((i) =>
    100 * scores[s].filter((x) => Math.min(9, Math.floor(x / width)) === i).length / Math.max(1, scores[s].length)) })),
    { text: (v) => `${fixed(v, 1)}%`, xName: `${metric.name} of a sentence` }));
  const rows = systems.map((name, s) => {
    const n = pageData.ngrams[s];
    return [el("span", {}, swatch(colorOf(s)), shown(name)), ...n.precisions.map((p) => fixed(p, 1)), fixed(n.brevity_penalty, 3), fixed(n.ratio, 3), count(n.hypothesis_length), count(n.reference_length)];
  });
  const columns = ["1-grams", "2-grams", "3-grams", "4-grams", "brevity penalty", "length ratio", "tokens", "in references"].map((name) => ({ name, number: true }));
  return el("section", {}, el("h2", {}, "Where the scores come from"),
    metrics.length > 1 ? el("div", { class: "row tools" }, choice("metric", metrics.map((m, i) => [i, m.name]), view.metric, (m) => { view.metric = m; draw(); })) : null,
    el("div", { class: "charts" }, parts), el("div", { class: "card", style: "margin-top:12px" }, el("h3", {}, "n-grams and length, with BLEU's tokenizer"),
      table([{ name: "system" }, ...columns], rows, { label: "n-grams" })));
}

// Words colored by edit.

/** The edits that turn the hypothesis into the reference, with as few as possible: [kind, word] with kind same, other (only in the hypothesis) or gone (only in the reference). */
function editsOf(hypothesis, reference) {
  const a = wordsOf(hypothesis).filter((w) => !isSpace(w)), b = wordsOf(reference).filter((w) => !isSpace(w));
  if (a.length * b.length > 250000) return [["other", hypothesis]];  // too long to color
  const cost = Array.from({ length: a.length + 1 }, (_, i) => new Uint16Array(b.length + 1).fill(i));
  for (let j = 0; j <= b.length; ++j) cost[0][j] = j;
  for (let i = 1; i <= a.length; ++i) {
    for (let j = 1; j <= b.length; ++j) {
      cost[i][j] = Math.min(cost[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), cost[i - 1][j] + 1, cost[i][j - 1] + 1);
    }
  }
  const edits = [];
  let i = a.length, j = b.length;
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && a[i - 1] === b[j - 1] && cost[i][j] === cost[i - 1][j - 1]) edits.push(["same", a[--i], --j]);
    else if (i > 0 && j > 0 && cost[i][j] === cost[i - 1][j - 1] + 1) { edits.push(["gone", b[--j]]); edits.push(["other", a[--i]]); }
    else if (i > 0 && cost[i][j] === cost[i - 1][j] + 1) edits.push(["other", a[--i]]);
    else edits.push(["gone", b[--j]]);
  }
  edits.reverse();
  // A word that is elsewhere in the reference has only moved.
  const missing = new Map();
  for (const [kind, word] of edits) if (kind === "gone") missing.set(word, (missing.get(word) ?? 0) + 1);
  for (const edit of edits) {
    if (edit[0] === "other" && missing.get(edit[1]) > 0) {
      missing.set(edit[1], missing.get(edit[1]) - 1);
      edit[0] = "moved";
    }
  }
  return edits;
}
const EDITS = { same: "in the reference", moved: "elsewhere in the reference", other: "not in the reference", gone: "missing" };
function colored(hypothesis, references) {
  const edits = references.map((reference) => editsOf(hypothesis, reference)).reduce((best, e) =>
    e.filter(([kind]) => kind !== "same").length < best.filter(([kind]) => kind !== "same").length ? e : best);
  const spaced = /\s/.test(hypothesis.trim()) || !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(hypothesis);
  return el("bdi", { dir: "auto" }, edits.map(([kind, word], i) => [i > 0 && spaced ? " " : null, kind === "same" ? visible(word)
    : el("span", { class: kind, title: EDITS[kind] }, visible(word))]));
}

function ordered() {
  const metric = metrics[view.metric], needle = view.search.toLowerCase();
  const found = sentences.filter((s) => !needle || [s.source ?? "", ...s.references, ...s.systems].some((text) => text.toLowerCase().includes(needle)));
  const scores = (s) => s.scores[view.metric];
  const difference = (s) => Math.max(...scores(s).filter(finite)) - Math.min(...scores(s).filter(finite));
  const gain = (s) => badness(metric, scores(s)[0]) - badness(metric, scores(s)[view.system]);
  const keys = { worst: (s) => badness(metric, scores(s)[view.system]), different: difference, gain, loss: (s) => -gain(s), line: (s) => -s.line };
  const key = keys[view.order];
  return found.map((s) => [key(s), s]).sort((x, y) => (y[0] > x[0]) - (y[0] < x[0]) || x[1].line - y[1].line).map(([, s]) => s);
}

const place = el("div", {}), summary = el("small", { class: "muted" }), more = el("button", { type: "button", click: () => { view.shown += 50; drawSentences(); } });
function drawSentences() {
  const found = ordered();
  summary.textContent = counted(found.length, "sentence");
  place.replaceChildren(...found.slice(0, view.shown).map((s) => el("article", { class: "card" },
    el("dl", { class: "lines" }, s.source !== undefined ? [el("dt", {}, "source"), el("dd", {}, shown(s.source))] : null,
      s.references.map((reference) => [el("dt", {}, "reference"), el("dd", {}, shown(reference))]),
      systems.map((name, i) => [el("dt", {}, swatch(colorOf(i)), shown(name)), el("dd", {}, colored(s.systems[i], s.references),
        el("small", { class: "muted", style: "display:block" }, metrics.map((metric, m) => `${metric.name} ${scoreOf(metric, s.scores[m][i])}`).join(" · ")))])),
    el("small", { class: "muted" }, `line ${count(s.line)}`))));
  more.hidden = found.length <= view.shown;
  more.textContent = `Show ${Math.min(50, found.length - view.shown)} more`;
}

function sentenceSection() {
  const change = (changes) => { Object.assign(view, changes, { shown: shownAtOnce }); draw(); };
  const orders = [["worst", "worst"], ...systems.length > 1 ? [["different", "most different"], ["gain", "better than the first"], ["loss", "worse than the first"]] : [], ["line", "line"]];
  return el("section", {}, el("h2", {}, "Sentences"), el("div", { class: "row tools" },
    choice("order", orders, view.order, (order) => change({ order, system: ["gain", "loss"].includes(order) && view.system === 0 ? 1 : view.system })),
    systems.length > 1 ? el("label", {}, el("small", { class: "muted" }, "system "), el("select", { change: (event) => change({ system: +event.target.value }) },
      systems.map((name, i) => el("option", { value: i, selected: i === view.system }, visible(name))))) : null,
    metrics.length > 1 ? el("label", {}, el("small", { class: "muted" }, "by "), el("select", { change: (event) => change({ metric: +event.target.value }) },
      metrics.map((metric, i) => el("option", { value: i, selected: i === view.metric }, metric.name)))) : null,
    el("input", { type: "search", placeholder: "Search", "aria-label": "search in sentences", value: view.search, input: (event) => { view.search = event.target.value; view.shown = shownAtOnce; drawSentences(); } }), summary),
    el("p", {}, el("small", {}, "Words of a translation: ", el("span", { class: "moved" }, "elsewhere in the reference"), ", ", el("span", { class: "other" }, "not in the reference"),
      "; ", el("span", { class: "gone" }, "missing"), " in it. Edits are those of the closest reference.",
      sentences.length < pageData.lines ? ` The page has ${count(sentences.length)} of ${count(pageData.lines)} lines: the worst, the most different and the first.` : "")),
    place, el("p", {}, more));
}

function draw() {
  drawSentences();
  const at = [scrollX, scrollY];
  document.getElementById("page").replaceChildren(head(), scoreTable(), charts(), sentenceSection(),
    el("footer", {}, "Written by heed evaluate --report. The page is one file and loads nothing."));
  scrollTo(...at);
}
draw();
