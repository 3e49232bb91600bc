"use strict";
// The page of `heed serve`: translates the text sentence by sentence as it is typed, and shows how the model did it.
// Each sentence has an entry in a cache, by everything that its translation depends on: an answer always belongs to its
// sentence, in whatever order answers come.

const $ = id => document.getElementById(id);
const DOUBT = 0.3;          // a word is marked whose probability is below this
const PAUSE = 200;          // milliseconds without a key before the server is asked
const MANY = 200;           // sentences of a text of which not every change is shown at once
const TOGETHER = 40;        // sentences of a request
const LONGEST = 1 << 18;    // bytes of a text file that is shown; a longer one is translated as a document
const FORM = 1 << 10;       // bytes of a request besides the document

/** An element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "rect", "text", "title"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
const percent = p => `${Math.round(100 * p)} %`;
const number = value => (value ?? NaN).toFixed(2).replace("-", "−");
const sum = list => list.reduce((a, b) => a + b, 0);
/** A size in the largest unit below it, as file managers write it. */
function size_of(bytes) {
  const power = bytes < 1000 ? 0 : bytes < 1e6 ? 1 : bytes < 1e9 ? 2 : 3;
  return `${(bytes / 1000 ** power).toFixed(power && bytes / 1000 ** power < 10 ? 1 : 0)} ${[bytes === 1 ? "byte" : "bytes", "kB", "MB", "GB"][power]}`;
}

/** What the browser keeps of a visit, if it may. */
const store = {
  get(name) { try { return JSON.parse(localStorage.getItem("heed." + name)); } catch { return null; } },
  set(name, value) { try { localStorage.setItem("heed." + name, JSON.stringify(value)); } catch { /* not allowed */ } },
};

const state = {
  models: [], languages: {}, key: null, detect: false, detected: null,
  formats: [], body_limit: 0,  // of documents: endings of their names, bytes of a request
  terms: store.get("terms of pairs") ?? {},  // of two languages, by the pair
  sentences: [],            // {text, before, after}: what is between them is kept
  chosen: new Map(),        // pair and sentence -> what its translation begins with
  cache: new Map(),         // key -> {line} or {failed} or {waiting}
  current: 0, word: -1,     // the sentence and the word that the reader looks at
  documents: [],            // {name, bytes, ...}: those in the list
};

// ---- the server

class Refused extends Error {}

async function ask(path, body, signal) {
  const form = body instanceof FormData, headers = body && !form ? { "Content-Type": "application/json" } : {};
  if (state.key) headers.Authorization = "Bearer " + state.key;
  const response = await fetch(path, { method: body ? "POST" : "GET", headers, body: form ? body : body && JSON.stringify(body), signal });
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  const refused = new Refused(told.error ?? `the server answers ${response.status}`);
  refused.status = response.status;
  refused.seconds = Number(response.headers.get("Retry-After"));
  throw refused;
}
const askJson = async (path, body, signal) => (await ask(path, body, signal)).json();

/** Calls take(name, data) for each server-sent event of an answer. */
async function events(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const [, name, data] = /^event: (.*)\ndata: (.*)/.exec(text.slice(0, end)) ?? [];
      if (name) take(name, JSON.parse(data));
    }
  }
}

function say(text, bad = false) {
  if ($("status").textContent !== text) $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

let lost = null;  // a timer, while the server does not answer
function fail(error) {
  if (error.name === "AbortError") return;
  if (!(error instanceof Refused)) return wait_for_server();
  $("key-form").hidden = error.status !== 403;
  say(error.message, true);
  if (error.status === 429 || error.status === 503) setTimeout(translate, 1000 * (error.seconds || 2));
}
function wait_for_server() {
  if (lost) return;
  say("The server does not answer. The page tries again until it does.", true);
  lost = setInterval(async () => {
    try {
      await ask("health");
    } catch { return; }
    clearInterval(lost);
    lost = null;
    say("The server is back.");
    begin();
  }, 1500);
}

// ---- languages

function option(value, text) { return make("option", { value }, text); }
function fill(select, options, value) {
  select.replaceChildren(...options);
  if ([...select.options].some(o => o.value === value)) select.value = value;
}
const name_of = code => state.languages[code] ?? code;
const source = () => $("from").value === "auto" ? state.detected : $("from").value;
/** Both languages, as the key of what is kept for them. */
const pair = () => `${source()}-${$("to").value}`;
const terms = () => state.terms[pair()] ?? {};
const chosen_key = text => `${pair()} ${text}`;
const prefix_of = text => state.chosen.get(chosen_key(text)) ?? "";
const model = () => state.models.find(m => m.source === source() && m.target === $("to").value);

function fill_targets() {
  const from = $("from").value, targets = new Set();
  for (const m of state.models) if (from === "auto" || m.source === from) targets.add(m.target);
  fill($("to"), [...targets].map(code => option(code, name_of(code))), $("to").value || store.get("to"));
  $("swap").disabled = !state.models.some(m => m.source === $("to").value && m.target === source());
}

/** Asks which models there are, then translates. */
async function begin() {
  try {
    const [models, settings] = await Promise.all([askJson("v1/models"), askJson("frontend/settings")]);
    state.models = models;
    state.most = Math.min(6, settings.alternatives + 1);
    state.formats = settings.supportedFilesFormat;
    state.body_limit = settings.bodyLimit;
    const names = new Intl.DisplayNames(["en"], { type: "language" });
    for (const m of models) for (const code of [m.source, m.target]) state.languages[code] = names.of(code);
    $("key-form").hidden = !settings.keyRequired || state.key !== null;
    state.detect = settings.detection && new Set(models.map(m => m.source)).size > 1;
    const sources = [...new Set(models.map(m => m.source))].map(code => option(code, name_of(code)));
    if (state.detect) sources.unshift(option("auto", "Detect"));
    fill($("from"), sources, $("from").value || store.get("from"));
    fill_targets();
    show_parts();
    show_openable();
    inspect();
    translate();
    has_begun();
    send_again(d => d.state === "waiting" || d.state === "locked");
  } catch (error) { fail(error); }
}
let has_begun = null;
const begun = new Promise(resolve => { has_begun = resolve; });

async function detect(text) {
  if ($("from").value !== "auto" || !text.trim()) return;
  const found = await askJson("detect", { q: text.slice(0, 2000).replace(/[\ud800-\udbff]$/, "") });
  const served = found.map(f => state.models.find(m => m.source === f.language || m.source.split("-")[0] === f.language))
    .find(m => m && state.models.some(other => other.source === m.source && other.target === $("to").value));
  const before = state.detected;
  state.detected = served?.source ?? state.detected ?? state.models[0].source;
  if (state.detected !== before) show_parts();
  $("from").options[0].textContent = `Detect: ${name_of(state.detected)}`;
}

// ---- sentences

/** The sentences of a text, with the white space between them. */
function split(text) {
  const found = [];
  const segmenter = Intl.Segmenter ? new Intl.Segmenter(source() || "en", { granularity: "sentence" }) : null;
  for (const line of text.split(/(?<=\n)/)) {
    const parts = segmenter ? [...segmenter.segment(line)].map(s => s.segment) : line.match(/[^.!?]+[.!?]*\s*|[.!?]+\s*/g) ?? [];
    for (const part of parts) {
      const words = part.replace(/^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g, ""), before = part.slice(0, part.indexOf(words));
      if (words) found.push({ before, text: words, after: part.slice(before.length + words.length) });
      else if (found.length) found[found.length - 1].after += part;
      else found.push({ before: part, text: "", after: "" });
    }
  }
  return found;
}

const key_of = text => JSON.stringify([pair(), terms(), prefix_of(text), text]);
const entry_of = text => state.cache.get(key_of(text));

/** What is asked of a sentence. */
function question(extra) {
  const shown = Boolean(model()?.has_attention);
  return { source: source(), target: $("to").value, tokens: true, alignment: shown, attention: shown, terms: terms(), ...extra };
}

let pause = null, running = null, updating = null;
function typed() {
  clearTimeout(pause);
  if (state.sentences.length <= MANY) update_sentences();
  else updating ??= setTimeout(() => { updating = null; update_sentences(); }, PAUSE / 2);
  pause = setTimeout(translate, PAUSE);
}
function update_sentences() {
  const text = $("source").value;
  state.sentences = split(text);
  state.current = Math.min(state.current, Math.max(state.sentences.length - 1, 0));
  $("count").textContent = text ? `${text.length.toLocaleString("en")} characters` : "";
  show_source();
  show_target();
}

async function translate() {
  clearTimeout(pause);
  try {
    await detect($("source").value);
    update_sentences();
    if (!model() || lost) return;
    running?.abort();
    const mine = running = new AbortController();
    for (;;) {
      const missing = [...new Set(state.sentences.map(s => s.text))].filter(t => t && !entry_of(t)?.line);
      if (missing.length === 0) break;
      const done = state.sentences.length - missing.length;
      say(`Translating: ${done} of ${state.sentences.length} sentences`);
      await translate_some(missing.slice(0, TOGETHER), mine.signal);
      if (mine !== running) return;
    }
    show_target();
    if (!state.sentences.some(s => s.text)) return say("");
    $("key-form").hidden = true;
    say("Translated.");
  } catch (error) { fail(error); }
}

async function translate_some(texts, signal) {
  const keys = texts.map(key_of);
  const prefixes = texts.map(t => prefix_of(t));
  const asked = question({ text: texts, stream: true });
  if (prefixes.some(Boolean)) asked.prefix = prefixes;
  let wrong = null;
  await events(await ask("v1/translate", asked, signal), (name, data) => {
    if (name === "error") wrong = new Refused(data.error);
    if (name !== "line") return;
    state.cache.set(keys[data.text], { line: data });
    show_soon();
  });
  if (wrong) throw wrong;
  if (keys.some(key => !state.cache.has(key))) throw new TypeError("the answer ended early");
}

// ---- text and translation

/** [begin, end) of each word in a text. */
function places(text, words) {
  let at = 0;
  return words.map(word => {
    const begin = text.indexOf(word, at);
    if (begin < 0) return null;
    at = begin + word.length;
    return [begin, at];
  });
}

/** The text in spans, so that its words can be marked. */
function show_source() {
  const sentences = state.sentences.map((sentence, i) => {
    const line = entry_of(sentence.text)?.line;
    const nodes = [sentence.before];
    let at = 0;
    places(sentence.text, line?.source_words ?? []).forEach((place, word) => {
      if (!place) return;
      nodes.push(sentence.text.slice(at, place[0]), make("span", { "data-sentence": i, "data-word": word }, sentence.text.slice(...place)));
      at = place[1];
    });
    nodes.push(sentence.text.slice(at), sentence.after);
    return nodes;
  });
  $("backdrop").replaceChildren(...sentences.flat(), "\n");
}

/** The probability of each word of a translation: that of its least probable token. */
function probabilities(line) {
  const of_words = [];
  (line.target_token_words ?? []).forEach((word, token) => {
    if (word >= 0) of_words[word] = Math.min(of_words[word] ?? 1, Math.exp(line.token_log_probabilities[token] ?? 0));
  });
  return of_words;
}

function sentence_element(sentence, i, shown) {
  const line = shown?.line;
  if (!line) return make("span", { class: "sentence waiting", "data-key": "" }, sentence.text ? "… " : "");
  const words = line.target_words ?? line.translation.split(/\s+/).filter(Boolean);
  const sure = probabilities(line), nodes = [], fixed = prefix_of(sentence.text).length;
  let at = 0;
  places(line.translation, words).forEach((place, word) => {
    if (!place) return;
    const doubt = sure[word] !== undefined && sure[word] < DOUBT;
    const classes = ["word", doubt && "doubt", place[1] <= fixed && "fixed"].filter(Boolean).join(" ");
    nodes.push(line.translation.slice(at, place[0]),
      make("span", { class: classes, role: "button", tabindex: -1, "aria-haspopup": "dialog", "data-sentence": i, "data-word": word },
        line.translation.slice(...place)));
    at = place[1];
  });
  return make("span", { class: "sentence" + (fixed ? " chosen" : "") }, ...nodes, line.translation.slice(at));
}

let showing = null;
/** Shows what is translated, a long text less often. */
function show_soon() {
  showing ??= setTimeout(() => { showing = null; show_target(); }, state.sentences.length > MANY ? 2 * PAUSE : 0);
}
/** Shows what is translated; a sentence that waits keeps what was there. */
function show_target() {
  const old = [...$("target").querySelectorAll(".sentence")];
  const focused = document.activeElement?.closest?.("#target .word")?.dataset;
  const nodes = [];
  let changed = old.length !== state.sentences.length;
  state.sentences.forEach((sentence, i) => {
    const entry = entry_of(sentence.text);
    let element = old[i];
    if (!element || !entry?.line && !element.shown || entry?.line && element.shown !== entry.line) {
      element = sentence_element(sentence, i, entry);
      element.shown = entry?.line ?? null;
      changed = true;
    }
    element.classList.toggle("waiting", Boolean(sentence.text) && !entry?.line);
    nodes.push(sentence.before, element, sentence.after);
  });
  for (const id of ["copy", "save"]) $(id).disabled = !translation().trim();
  if (!changed && $("target").textContent === nodes.map(n => n.textContent ?? n).join("")) return;
  $("target").replaceChildren(...nodes);
  const first = $("target").querySelector(".word");
  if (first) first.tabIndex = 0;
  if (focused) word_element(focused.sentence, focused.word)?.focus();
  show_source();
  look(state.current, -1);
}

const word_element = (sentence, word) => document.querySelector(`#target [data-sentence="${sentence}"][data-word="${word}"]`);

// ---- what a word looked at

/** Adds up the columns of a word's tokens and takes the mean of the rows, as text/alignment.h does. */
function merge(weights, row_words, column_words) {
  const merged = [], counts = [];
  row_words.forEach((row, i) => {
    if (row < 0 || !weights[i]) return;
    merged[row] ??= [];
    counts[row] = (counts[row] ?? 0) + 1;
    column_words.forEach((column, j) => {
      if (column >= 0) merged[row][column] = (merged[row][column] ?? 0) + (weights[i][j] ?? 0);
    });
  });
  return merged.map((row, i) => Array.from(row ?? [], w => (w ?? 0) / counts[i]));
}
function cross_weights(line) {
  if (!line?.attention || !line.target_token_words) return [];
  return line.merged ??= merge(line.attention, line.target_token_words, line.source_token_words);
}

function mark(elements, weight) {
  for (const element of elements) {
    const w = weight(element.dataset);
    w > 0.02 ? element.style.setProperty("--w", Math.min(1, w ** 0.7).toFixed(3)) : element.style.removeProperty("--w");
  }
}
const clear_marks = () => mark(document.querySelectorAll("#backdrop span, #target .word"), () => 0);

/** Shows where word `word` of the translation of a sentence looked; -1: no word. */
function look(sentence, word) {
  const changed = sentence !== state.current || state.line !== entry_of(state.sentences[sentence]?.text ?? "")?.line;
  state.current = sentence;
  state.word = word;
  const line = entry_of(state.sentences[sentence]?.text ?? "")?.line;
  clear_marks();
  document.querySelectorAll("#target .current").forEach(e => e.classList.remove("current"));
  if (line && word >= 0) {
    word_element(sentence, word)?.classList.add("current");
    const row = cross_weights(line)[word] ?? [];
    mark(document.querySelectorAll(`#backdrop [data-sentence="${sentence}"]`), d => row[d.word] ?? 0);
    const most = row.map((w, i) => [w, line.source_words[i]]).sort((a, b) => b[0] - a[0]).filter(([w]) => w >= 0.05).slice(0, 3);
    const p = probabilities(line)[word];
    $("about").textContent = [`“${(line.target_words ?? line.translation.split(/\s+/))[word]}”`, p !== undefined && `probability ${percent(p)}`,
      most.length && "looked at " + most.map(([w, name]) => `${name} ${percent(w)}`).join(", ")].filter(Boolean).join(" · ");
  } else {
    $("about").textContent = line ? "Point at a word to see where it looked; choose it for other translations." : "";
  }
  if (changed) {
    clearTimeout(inspecting);
    inspecting = setTimeout(inspect, PAUSE);
  }
  mark_map();
}

/** Marks the words of the translation that looked at the word of the text under this offset. */
function look_from_source(offset) {
  let at = 0;
  for (const [i, sentence] of state.sentences.entries()) {
    const begin = at + sentence.before.length, end = begin + sentence.text.length;
    at = end + sentence.after.length;
    if (offset < begin || offset > end) continue;
    const line = entry_of(sentence.text)?.line;
    const word = places(sentence.text, line?.source_words ?? []).findIndex(p => p && offset - begin >= p[0] && offset - begin <= p[1]);
    if (word < 0) return clear_marks();
    if (i !== state.current) look(i, -1);
    const weights = cross_weights(line);
    mark(document.querySelectorAll(`#target [data-sentence="${i}"]`), d => weights[d.word]?.[word] ?? 0);
    mark(document.querySelectorAll("#backdrop span"), d => d.sentence == i && d.word == word ? 0.6 : 0);
    return;
  }
}

// ---- other translations

let asked_menu = null;
async function open_menu(element) {
  const sentence = Number(element.dataset.sentence), word = Number(element.dataset.word);
  const { text } = state.sentences[sentence], line = entry_of(text).line;
  const begin = places(line.translation, line.target_words ?? line.translation.split(/\s+/))[word][0];
  const before = line.translation.slice(0, begin).trimEnd();
  look(sentence, word);
  const words = make("div", { class: "row" }, make("p", {}, "…")), wholes = make("div", {}, make("p", {}, "…"));
  const own = make("input", { "aria-label": "What the translation begins with", value: before ? before + " " : "" });
  const menu = $("menu");
  menu.replaceChildren(
    make("h3", {}, "Another word here"), words,
    make("h3", {}, "Or begin the sentence with"),
    make("form", { onsubmit: event => { event.preventDefault(); choose(text, own.value.trim()); } }, own, make("button", {}, "Use")),
    make("h3", {}, "The whole sentence"), wholes);
  if (prefix_of(text)) menu.append(make("h3", {}, ""), make("button", { onclick: () => choose(text, "") }, "Translate freely again"));
  menu.hidden = false;
  menu.opener = element;
  const box = element.getBoundingClientRect(), width = menu.offsetWidth;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8)) + scrollX}px`;
  menu.style.top = `${box.bottom + 6 + scrollY}px`;
  (matchMedia("(pointer: coarse)").matches ? menu : own).focus();  // no keyboard on a phone's screen before it is asked for
  own.setSelectionRange(own.value.length, own.value.length);
  own.scrollLeft = own.scrollWidth;
  asked_menu?.abort();
  const mine = asked_menu = new AbortController();
  const with_prefix = prefix => askJson("v1/translate", { source: source(), target: $("to").value, terms: terms(), text, n_best: state.most, ...prefix && { prefix } }, mine.signal);
  try {
    const [next, whole] = await Promise.all([with_prefix(before), before ? with_prefix("") : null]);
    const list = answer => answer.lines[0]?.n_best ?? answer.lines;
    const followers = new Set(list(next).map(t => t.translation.slice(before.length).trim().split(/\s+/)[0]).filter(Boolean));
    followers.delete(element.textContent);
    words.replaceChildren(...[...followers].map(w => make("button", { type: "button", onclick: () => choose(text, before ? `${before} ${w}` : w) }, w)));
    if (followers.size === 0) words.append(make("p", {}, "The search found no other."));
    wholes.replaceChildren(...list(whole ?? next).slice(0, 5).map(t => make("button",
      { type: "button", class: "whole", onclick: () => choose(text, t.translation) }, t.translation, make("span", {}, ` ${number(t.score)}`))));
  } catch (error) {
    if (error.name === "AbortError") return;
    words.replaceChildren();
    wholes.replaceChildren(make("p", {}, error instanceof Refused ? error.message : "The server does not answer."));
    if (!(error instanceof Refused)) fail(error);
  }
}
function close_menu(focus = true) {
  if ($("menu").hidden) return;
  asked_menu?.abort();
  $("menu").hidden = true;
  const { sentence, word } = $("menu").opener.dataset;
  if (focus) (word_element(sentence, word) ?? $("target").querySelector(".word"))?.focus();
}
/** Lets the translation of a sentence begin with this. */
function choose(text, prefix) {
  prefix ? state.chosen.set(chosen_key(text), prefix) : state.chosen.delete(chosen_key(text));
  close_menu();
  translate();
}

// ---- look inside: attention

const PARTS = {
  cross: "from the translation to the text", encoder: "inside the text (encoder)", decoder: "inside the translation (decoder)",
};
/** Shows what belongs to the two languages: their model's attention, and their terms. */
function show_parts() {
  show_terms();
  const shown = model()?.attention ?? {};
  fill($("part"), Object.keys(PARTS).filter(p => shown[p]).map(p => option(p, PARTS[p])), $("part").value);
  show_layers();
}
function show_layers() {
  const shape = model()?.attention?.[$("part").value];
  const numbers = count => Array.from({ length: count ?? 0 }, (_, i) => option(i + 1, i + 1));
  fill($("layer"), numbers(shape?.layers), $("layer").value || String(shape?.layers));
  fill($("head"), [...shape?.heads > 1 ? [option("mean", "mean of all")] : [], ...numbers(shape?.heads)], $("head").value);
  show_formula(shape?.score);
}

const IN_PARTS = "The sentence is too long: the model reads it in parts.";
let asked_inside = null, inspecting = null;
/** Asks for what the panel shows of the current sentence. */
async function inspect() {
  const text = state.sentences[state.current]?.text ?? "", entry = entry_of(text), line = state.line = entry?.line;
  $("inside-of").textContent = line ? `“${text.length > 120 ? text.slice(0, 120) + "…" : text}”` : "Write a sentence to see how the model translates it.";
  asked_inside?.abort();
  if (!line) {
    $("map").replaceChildren();
    return clear_search();
  }
  const mine = asked_inside = new AbortController();
  try {
    if (!$("search").hidden) {
      entry.search ??= (await askJson("v1/translate", more(text, { search: true }), mine.signal)).lines[0].search;
      if (mine === asked_inside) show_tree(entry.search);
    } else if ($("part").value) {
      const layer = `${$("part").value} ${$("layer").value}`;
      entry.layers ??= {};
      entry.layers[layer] ??= (await askJson("v1/translate",
        more(text, { alignment: true, attention: { of: $("part").value, layers: [Number($("layer").value)] } }), mine.signal)).lines[0];
      if (mine === asked_inside) show_map(entry.layers[layer]);
    } else {
      $("map").replaceChildren(make("p", { class: "quiet" }, model()?.has_attention
        ? "The attention of layers is there for models that the inference engine runs." : "This model has no attention."));
    }
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Refused)) return fail(error);
    const searched = !$("search").hidden;
    if (searched) clear_search();
    (searched ? $("tree") : $("map")).replaceChildren(make("p", { class: "quiet" }, searched && error.status === 400 ? IN_PARTS : error.message));
  }
}
const more = (text, extra) => ({ source: source(), target: $("to").value, terms: terms(), text,
  ...prefix_of(text) && { prefix: prefix_of(text) }, ...extra });

function show_map(line) {
  const found = line.attention;
  if (!found) return $("map").replaceChildren(make("p", { class: "quiet" }, IN_PARTS));
  const heads = found.weights[0], head = $("head").value;
  let weights = head === "mean" || !heads[head - 1]
    ? heads[0].map((row, i) => row.map((_, j) => sum(heads.map(h => h[i][j])) / heads.length)) : heads[head - 1];
  let rows = found.rows, columns = found.columns;
  const words = $("units").value === "words";
  if (words) {
    const [row_names, column_names] = [found.of === "encoder" ? line.source_words : line.target_words,
      found.of === "decoder" ? line.target_words : line.source_words];
    weights = merge(weights, found.row_words, found.column_words);
    rows = row_names;
    columns = column_names;
  }
  const table = make("table", {},
    make("caption", { class: "hidden" }, `Attention ${PARTS[found.of]}, layer ${found.layers[0]}, head ${head}, in percent: rows look at columns`),
    make("thead", {}, make("tr", {}, make("td"), ...columns.map((c, j) => make("th", { scope: "col", "data-column": j }, make("span", {}, c))))),
    make("tbody", {}, ...rows.map((row, i) => make("tr", { "data-row": i }, make("th", { scope: "row" }, row),
      ...columns.map((column, j) => {
        const w = weights[i]?.[j] ?? 0;
        const cell = make("td", { class: "cell", title: `${row} → ${column}: ${percent(w)}`, "data-column": j }, w >= 0.1 ? Math.round(100 * w) : "");
        cell.style.setProperty("--w", w.toFixed(3));
        return cell;
      })))));
  table.weights = weights;
  table.of = words ? found.of : null;
  $("map").replaceChildren(table);
  mark_map();
}

/** Marks the row of the current word. */
function mark_map() {
  const table = $("map").querySelector("table");
  if (!table) return;
  for (const row of table.tBodies[0].rows) {
    row.classList.toggle("current", (table.of === "cross" || table.of === "decoder") && Number(row.dataset.row) === state.word);
  }
}

/** Marks the words that a row of the map is about. */
function look_from_map(event) {
  const row = event.target.closest?.("tr[data-row]"), table = event.target.closest?.("table");
  if (!row || !table?.of) return;
  const i = Number(row.dataset.row), weights = table.weights[i] ?? [];
  clear_marks();
  const source_words = document.querySelectorAll(`#backdrop [data-sentence="${state.current}"]`);
  const target_words = document.querySelectorAll(`#target [data-sentence="${state.current}"]`);
  mark(table.of === "decoder" ? target_words : source_words, d => weights[d.word] ?? 0);
  document.querySelectorAll("#target .current").forEach(e => e.classList.remove("current"));
  if (table.of !== "encoder") word_element(state.current, i)?.classList.add("current");
}

// ---- formulas, as in the lecture notes

const mi = name => `<mi>${name}</mi>`, mo = name => `<mo>${name}</mo>`, mtext = name => `<mtext>${name}</mtext>`;
const msub = (a, b) => `<msub>${mi(a)}${mi(b)}</msub>`;
const log = mtext("log") + '<mspace width=".2em"/>';
const math = body => `<math display="block"><mrow>${body}</mrow></math>`;
const softmax = body => mi("a") + mo("=") + mtext("softmax") + mo("(") + body + mo(")");
const q = mi("q"), h = msub("h", "s"), e = msub("e", "s") + mo("=");
const SCORES = {
  "additive": [e + mi("v") + mo("·") + mtext("tanh") + mo("(") + mi("W") + q + mo("+") + mi("U") + h + mo("+") + mi("b") + mo(")"), "Bahdanau et al. 2015"],
  "dot": [e + q + mo("·") + h, "Luong et al. 2015"],
  "scaled-dot": [e + `<mfrac><mrow>${q + mo("·") + h}</mrow><msqrt>${mi("d")}</msqrt></mfrac>`, "Vaswani et al. 2017"],
  "general": [e + q + mo("·") + mi("W") + h, "Luong et al. 2015"],
  "cosine": [e + mi("g") + `<mfrac><mrow>${q + mo("·") + h}</mrow><mrow><mo>|</mo>${q}<mo>|</mo><mo>|</mo>${h}<mo>|</mo></mrow></mfrac>`, "g is learned"],
  "location": [e + `<msub><mrow><mo>(</mo>${mi("W") + q}<mo>)</mo></mrow>${mi("s")}</msub>`, "Luong et al. 2015"],
};
function show_formula(score) {
  const part = $("part").value, transformer = model() && (part === "encoder" ? model().encoder : model().decoder) === "transformer";
  if (!score) return $("attention-formula").replaceChildren();
  const who = { cross: "The decoder writes a word: its state is", encoder: "Each word of the text is read: its state is",
    decoder: "The decoder reads what it has written: its state is" }[part];
  let html;
  if (transformer) {
    const product = mi("Q") + `<msup>${mi("K")}${mi("T")}</msup>`;
    const scaled = score === "scaled-dot" ? `<mfrac><mrow>${product}</mrow><msqrt>${msub("d", "k")}</msqrt></mfrac>` : product;
    const keys = part === "cross" ? "H" : "X";
    html = math(softmax(scaled)) +
      math(mi("Q") + mo("=") + mi("X") + msub("W", "Q") + mo("&#x2003;") + mi("K") + mo("=") + mi(keys) + msub("W", "K")) +
      `<p>${who} a row of X.${part === "cross" ? " H has the encoder's states, a row for each word of the text." : ""}
       The map shows a in percent: a row sums to 100 over all tokens, the ${part === "decoder" ? "beginning" : "end"} of the sentence included.
       Each head has its own W<sub>Q</sub> and W<sub>K</sub>. <span>Vaswani et al. 2017</span></p>`;
  } else {
    const [formula, paper] = SCORES[score] ?? ["", score];
    html = math(softmax(mi("e"))) + (formula ? math(formula) : "") +
      `<p>${who} q. h<sub>s</sub> is the state of the encoder at word s. The map shows a in percent: a row for each word of the
       translation, which is the alignment that the model has learned. <span>${paper}</span></p>`;
  }
  $("attention-formula").innerHTML = html;
}
$("search-formula").innerHTML = math(log + mi("p") + mo("(") + mi("y") + mo("|") + mi("x") + mo(")") + mo("=") +
  `<munder>${mo("∑")}${mi("t")}</munder>` + log + mi("p") + mo("(") + msub("y", "t") + mo("|") + `<msub>${mi("y")}<mrow>${mo("&lt;") + mi("t")}</mrow></msub>` + mo(",") + mi("x") + mo(")")) +
  `<p>At each step beam search continues every hypothesis by every token and keeps the best ones. The number under a token
   is log p of the hypothesis so far. A hypothesis that ends is ranked by its score: log p with the length penalty.</p>`;

// ---- look inside: beam search

const CELL = 92, LINE = 40;

/** The line of each node. The best hypothesis is the first line; a branch has the first free line below its parent. */
function lines_of(nodes, children, best) {
  const line = [], taken = [];  // taken[line]: the steps that it has
  const chain_of = i => {  // the node with its best continuation
    const chain = [i];
    while (children[chain.at(-1)].length) chain.push(children[chain.at(-1)][0]);
    return chain;
  };
  const place = (i, at) => {
    const chain = chain_of(i);
    const steps = [nodes[i].step - (at > 0 ? 1 : 0), ...chain.map(node => nodes[node].step), nodes[chain.at(-1)].step + 1];
    while (steps.some(step => taken[at]?.has(step))) at++;
    taken[at] ??= new Set();
    steps.forEach(step => taken[at].add(step));
    chain.forEach(node => { line[node] = at; });
    chain.reverse().forEach(node => children[node].slice(1).forEach(child => place(child, at + 1)));
  };
  for (const list of children) {
    list.sort((a, b) => best.has(b) - best.has(a) || nodes[b].log_probability - nodes[a].log_probability);
  }
  if (nodes.length) place(0, 0);
  return line;
}

function clear_search() {
  stop_playing();
  $("steps").hidden = true;
  $("tree").replaceChildren();
  $("finished").replaceChildren();
}
function show_tree(search) {
  const { nodes, finished } = search;
  const children = nodes.map(() => []);
  nodes.forEach((node, i) => { if (node.parent >= 0) children[node.parent].push(i); });
  const best = new Set();
  for (let i = finished[0]?.node ?? -1; i >= 0; i = nodes[i].parent) best.add(i);
  const y = lines_of(nodes, children, best);
  const last = Math.max(0, ...nodes.map(n => n.step));
  const svg = make("svg", { width: (last + 1) * CELL + 90, height: (Math.max(0, ...y) + 1) * LINE + 8, role: "img",
    "aria-label": `${nodes.length} hypotheses in ${last + 1} steps; the list below has those that ended` });
  nodes.forEach((node, i) => {
    if (node.parent < 0) return;
    const x0 = node.parent < 0 ? 0 : nodes[node.parent].step * CELL + CELL - 14, y0 = y[node.parent] * LINE + 16, x1 = node.step * CELL + 4, y1 = y[i] * LINE + 16;
    svg.append(make("path", { class: "edge" + (best.has(i) ? " best" : ""), "data-step": node.step, d: `M${x0} ${y0}C${x0 + 12} ${y0} ${x1 - 12} ${y1} ${x1} ${y1}` }));
  });
  nodes.forEach((node, i) => {
    const token = node.token.length > 9 ? node.token.slice(0, 8) + "…" : node.token;
    svg.append(make("g", { class: "node" + (best.has(i) ? " best" : ""), "data-step": node.step, transform: `translate(${node.step * CELL + 4} ${y[i] * LINE})` },
      make("title", {}, `${node.token}: log p ${node.log_probability}`),
      make("rect", { y: 4, width: CELL - 18, height: 22, rx: 6 }),
      make("text", { x: (CELL - 18) / 2, y: 20, "text-anchor": "middle" }, token),
      make("text", { class: "number", x: (CELL - 18) / 2, y: 37, "text-anchor": "middle" }, number(node.log_probability))));
  });
  finished.forEach((one, rank) => svg.append(make("text", { class: "number", "data-step": nodes[one.node].step + 1,
    x: nodes[one.node].step * CELL + CELL - 10, y: y[one.node] * LINE + (children[one.node].length ? 37 : 20) }, `■ ${rank + 1}.`)));
  $("steps").hidden = false;
  $("tree").replaceChildren(svg);
  $("finished").replaceChildren(...finished.map(one => make("li", {}, one.translation + " ",
    make("span", {}, `score ${number(one.score)}, log p ${number(one.log_probability)}`))));
  $("step").max = last + 1;
  $("step").value = last + 1;
  state.search = search;
  show_step();
}
function show_step() {
  const step = Number($("step").value), nodes = state.search?.nodes ?? [];
  for (const element of $("tree").querySelectorAll("[data-step]")) {
    element.classList.toggle("later", Number(element.dataset.step) > step);
    element.classList.toggle("now", Number(element.dataset.step) === step);
  }
  const now = nodes.filter(n => n.step === step).length;
  $("step-text").textContent = `${step} of ${$("step").max}` + (now ? `: ${now} ${now > 1 ? "hypotheses" : "hypothesis"}` : ": all have ended");
  $("tree").scrollLeft = Math.max(0, step * CELL - $("tree").clientWidth + 2 * CELL);
}
let playing = null;
function stop_playing() {
  clearInterval(playing);
  playing = null;
  $("play").textContent = "Play";
}
function move(step) {
  $("step").value = Number($("step").value) + step;
  show_step();
}
function play() {
  if (playing) return stop_playing();
  if ($("step").value === $("step").max) $("step").value = 0;
  $("play").textContent = "Stop";
  show_step();
  playing = setInterval(() => $("step").value === $("step").max ? stop_playing() : move(1), 700);
}

// ---- terms, text files, theme

function show_terms() {
  $("terms-of").textContent = source() ? `${name_of(source())} to ${name_of($("to").value)}` : "";
  $("terms").replaceChildren(...Object.entries(terms()).map(([from, to]) => make("li", {},
    make("span", {}, `${from} → ${to}`),
    make("button", { type: "button", "aria-label": `Remove the term ${from}`, onclick: () => change_terms(from) }, "Remove"))));
}
/** Sets a term of the two languages, or removes it. */
function change_terms(from, to) {
  state.terms[pair()] = { ...terms(), [from]: to };
  if (to === undefined) delete state.terms[pair()][from];
  store.set("terms of pairs", state.terms);
  show_terms();
  translate();
}

async function copy() {
  if (navigator.clipboard) return navigator.clipboard.writeText(translation());
  const area = make("textarea", { class: "hidden" });  // of a page without HTTPS
  document.body.append(area);
  area.value = translation();
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("not allowed");
}
/** page.html, or page.en.html, in German: page.de.html. */
function translated_name(name, from, to) {
  const [, stem, ending] = /^(.+?)(\.[^.]*)?$/.exec(name);
  if (ending === "." + from) return `${stem}.${to}`;
  return `${stem.endsWith("." + from) ? stem.slice(0, -from.length - 1) : stem}.${to}${ending ?? ""}`;
}
function save_as(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
const translation = () => state.sentences.map(s => s.before + (entry_of(s.text)?.line.translation ?? "") + s.after).join("");

const THEMES = { auto: "Theme: automatic", light: "Theme: light", dark: "Theme: dark" };
function set_theme(theme) {
  theme = theme in THEMES ? theme : "auto";
  theme === "auto" ? delete document.documentElement.dataset.theme : document.documentElement.dataset.theme = theme;
  $("theme").textContent = THEMES[theme];
  $("theme").value = theme;
  store.set("theme", theme);
}

// ---- documents
// Files of which the server translates the text and keeps the rest. They have a list with a line for each, and are sent
// one after the other. The state of one: waiting, translating, done, failed, or locked until there is a key.

const ending_of = name => (/\.[^.]*$/.exec(name)?.[0] ?? "").toLowerCase();
const is_document = name => state.formats.includes(ending_of(name)) && ending_of(name) !== ".txt";

/** Offers what the server translates. */
function show_openable() {
  const documents = state.formats.length > 0;
  $("file").accept = ["text/*", ...state.formats].join(",");
  $("source").placeholder = "Type or paste a text, or drop " +
    (documents ? "a file here: text, Word, HTML, Markdown, subtitles, …" : "a text file here");
}

/** A text file by itself becomes the text; other files are documents. */
async function open_files(list) {
  const files = [...list];  // an input's list does not stay
  await begun;
  for (const file of files) {
    const found = await read(file);
    if (found.error) add_document(file, { state: "failed", told: found.error });
    else if (found.text === undefined || files.length > 1 || file.size > LONGEST) add_document(file, { state: "waiting", bytes: found.bytes });
    else show_text(file.name, found.text);
  }
  send_documents();
}
function show_text(name, text) {
  state.file = name;
  $("source").value = text.replace(/\r\n?/g, "\n");
  translate();
}

/** The bytes of a file, and its text unless it is a document; or why the page cannot translate it. */
async function read(file) {
  const refuse = why => ({ error: why });
  const most = state.formats.length ? Math.max(state.body_limit - FORM, 0) : LONGEST;
  if (file.size > (is_document(file.name) ? most : Math.max(most, LONGEST))) {
    return refuse(`It has ${size_of(file.size)}, and this server takes files of at most ${size_of(most)}.`);
  }
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return refuse("The browser cannot read it. Is it a folder?");
  }
  if (bytes.byteLength === 0) return refuse("It is empty.");
  if (is_document(file.name)) return { bytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return { bytes, text };
  } catch { /* not in UTF-8 */ }
  if (ending_of(file.name) === ".txt") return refuse("It is not a text file in UTF-8.");
  return refuse(state.formats.length ? `It is neither text nor one of ${state.formats.join(", ")}.` : "It is not text.");
}

function add_document(file, more) {
  const [from, to] = [$("from").value, $("to").value];
  const told = make("div", { class: "told" });
  const remove = make("button", { type: "button", onclick: () => remove_document(added) });
  const facts = [size_of(file.size), ending_of(file.name).slice(1).toUpperCase() || "text", from === "auto" ? `to ${name_of(to)}` : `${name_of(from)} to ${name_of(to)}`];
  const element = make("li", {}, make("div", { class: "facts" }, make("strong", {}, file.name), make("span", {}, facts.join(" · "))), told, remove);
  const added = { name: file.name, from, to, terms: terms(), element, told_element: told, broken: 0, ...more };
  state.documents.push(added);
  $("documents").append(element);
  show_documents();
  set_state(added, added.state, added.told);
}
function remove_document(removed) {
  removed.asked?.abort();
  if (removed.url) URL.revokeObjectURL(removed.url);
  const next = removed.element.nextElementSibling ?? removed.element.previousElementSibling;
  state.documents = state.documents.filter(d => d !== removed);
  removed.element.remove();
  show_documents();
  (next?.lastElementChild ?? $("open")).focus();
}
const show_documents = () => { $("documents-panel").hidden = state.documents.length === 0; };

/** Shows what became of a document, and tells it to screen readers. told: a sentence, of one that cannot go on. */
function set_state(changed, is, told = "") {
  changed.state = is;
  changed.element.dataset.state = is;
  const again = () => make("button", { type: "button", "aria-label": `Try ${changed.name} again`, onclick: () => {
    changed.broken = 0;
    changed.element.lastElementChild.focus();  // this button goes
    set_state(changed, "waiting");
    send_documents();
  } }, "Try again");
  const nodes = {
    waiting: () => [make("span", {}, told || "Waiting")],
    translating: () => [make("progress", { "aria-label": `Translating ${changed.name}` }), make("span", {}, "Translating")],
    done: () => [make("a", { class: "button", href: changed.url, download: changed.result }, `Download ${changed.result}`)],
    locked: () => [make("span", { class: "bad" }, told)],
    failed: () => [make("span", { class: "bad" }, told), ...changed.can_try_again ? [again()] : []],
  }[is]();
  changed.told_element.replaceChildren(...nodes);
  const label = is === "waiting" || is === "translating" ? "Cancel" : "Remove", button = changed.element.lastElementChild;
  button.textContent = label;
  button.setAttribute("aria-label", `${label} ${changed.name}`);
  const news = { waiting: told, translating: "Translating.", done: `Ready to download as ${changed.result}.`, locked: told, failed: told }[is];
  if (news) $("news").textContent = `${changed.name}: ${news}`;
}

let sending = null, later = null;  // the document that the server has; a timer, while it has too much to do
async function send_documents() {
  if (sending) return;
  while (!lost && !later && (sending = state.documents.find(d => d.state === "waiting"))) await send(sending);
  sending = null;
}
function send_again(which) {
  for (const again of state.documents) if (which(again)) set_state(again, "waiting");
  send_documents();
}
async function send(sent) {
  set_state(sent, "translating");
  sent.asked = new AbortController();
  const name = "document" + (is_document(sent.name) ? ending_of(sent.name) : ".txt");
  const form = new FormData();
  for (const [field, value] of [["source", sent.from], ["target", sent.to], ["terms", JSON.stringify(sent.terms)]]) form.append(field, value);
  form.append("file", new Blob([sent.bytes]), name);
  try {
    const { translatedFileUrl } = await (await ask("translate_file", form, sent.asked.signal)).json();
    const address = "download_file/" + translatedFileUrl.split("/").pop();  // a proxy may give the server another address
    sent.url = URL.createObjectURL(await (await ask(address, null, sent.asked.signal)).blob());
    sent.result = translated_name(sent.name, sent.from, sent.to);
    set_state(sent, "done");
  } catch (error) {
    if (error.name !== "AbortError") explain(sent, error, name);
  }
}
/** What becomes of a document that the server did not translate. name: what the server calls it. */
function explain(failed, error, name) {
  failed.can_try_again = error.status !== 400 && error.status !== 413;
  if (!(error instanceof Refused)) {
    if (++failed.broken > 2) return set_state(failed, "failed", "The connection broke while the server had it, three times.");
    set_state(failed, "waiting", "The server does not answer. The page sends it again when the server is back.");
    return wait_for_server();
  }
  if (error.status === 403) {
    $("key-form").hidden = false;
    return set_state(failed, "locked", state.key ? "The server does not know this key." : "The server needs a key.");
  }
  if (error.status === 429) {
    const seconds = error.seconds || 2;
    set_state(failed, "waiting", `The server has too much to do. The page tries again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`);
    later = setTimeout(() => { later = null; send_documents(); }, 1000 * seconds);
    return;
  }
  const message = error.message.replaceAll(name, failed.name);
  set_state(failed, "failed", message.replace(/^[a-z]+ /, word => word[0].toUpperCase() + word.slice(1)) + ".");
}

// ---- events

$("source").addEventListener("input", typed);
document.addEventListener("selectionchange", () => {
  if (document.activeElement === $("source") && $("source").selectionStart === $("source").selectionEnd) look_from_source($("source").selectionStart);
});
$("source").addEventListener("mousemove", event => {
  const at = document.caretPositionFromPoint?.(event.clientX, event.clientY);
  if (at?.offsetNode === $("source")) look_from_source(at.offset);
});
$("source").addEventListener("mouseleave", clear_marks);
for (const [id, other] of [["from", "source"], ["to", "target"]]) {
  $(id).addEventListener("change", () => {
    store.set(id, $(id).value);
    $("target").replaceChildren();
    fill_targets();
    show_parts();
    translate();
  });
}
$("swap").addEventListener("click", () => {
  const [from, to, text] = [source(), $("to").value, translation()];
  $("from").value = to;
  fill_targets();
  $("to").value = from;
  fill_targets();
  $("source").value = text;
  show_parts();
  translate();
});
$("key-form").addEventListener("submit", event => {
  event.preventDefault();
  state.key = $("key").value.trim();
  begin();
});

$("target").addEventListener("mouseover", event => {
  const word = event.target.closest(".word");
  if (word && $("menu").hidden) look(Number(word.dataset.sentence), Number(word.dataset.word));
});
$("target").addEventListener("mouseleave", () => { if ($("menu").hidden) look(state.current, -1); });
$("target").addEventListener("focusin", event => {
  const word = event.target.closest(".word");
  if (!word) return;
  for (const other of $("target").querySelectorAll('.word[tabindex="0"]')) other.tabIndex = -1;
  word.tabIndex = 0;
  look(Number(word.dataset.sentence), Number(word.dataset.word));
});
$("target").addEventListener("click", event => {
  const word = event.target.closest(".word");
  if (word) open_menu(word);
});
$("target").addEventListener("keydown", event => {
  const words = [...$("target").querySelectorAll(".word")], at = words.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: words.length - 1 }[event.key];
  if (at >= 0 && (event.key === "Enter" || event.key === " ")) open_menu(words[at]);
  else if (at >= 0 && words[to]) words[to].focus();
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", event => { if (event.key === "Escape") close_menu(); });
$("menu").addEventListener("focusout", event => {
  if (event.relatedTarget && !event.relatedTarget.closest("#menu")) close_menu(false);
});
document.addEventListener("mousedown", event => {
  if (!$("menu").hidden && !event.target.closest("#menu, .word")) close_menu(false);
});

for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.addEventListener("click", () => {
    for (const other of document.querySelectorAll("[role=tab]")) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", chosen);
      other.tabIndex = chosen ? 0 : -1;
      $(other.getAttribute("aria-controls")).hidden = !chosen;
    }
    inspect();
  });
  tab.addEventListener("keydown", event => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    const other = tab.nextElementSibling ?? tab.previousElementSibling;
    other.focus();
    other.click();
  });
}
$("part").addEventListener("change", () => { show_layers(); inspect(); });
for (const id of ["layer", "head", "units"]) $(id).addEventListener("change", inspect);
$("map").addEventListener("mouseover", look_from_map);
$("map").addEventListener("mouseleave", () => look(state.current, state.word));
$("step").addEventListener("input", () => { stop_playing(); show_step(); });
$("step-back").addEventListener("click", () => { stop_playing(); move(-1); });
$("step-on").addEventListener("click", () => { stop_playing(); move(1); });
$("play").addEventListener("click", play);

$("term-form").addEventListener("submit", event => {
  event.preventDefault();
  const from = $("term-source").value.trim(), to = $("term-target").value.trim();
  if (!from || !to) return;
  $("term-form").reset();
  $("term-source").focus();
  change_terms(from, to);
});
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", () => { open_files($("file").files); $("file").value = ""; });
$("clear").addEventListener("click", () => { $("source").value = ""; state.file = null; state.chosen.clear(); translate(); $("source").focus(); });
$("copy").addEventListener("click", () => copy().then(() => say("Copied."), () => say("The browser does not let the page copy.", true)));
$("save").addEventListener("click", () => save_as(translated_name(state.file ?? "translation.txt", source(), $("to").value), translation(), "text/plain"));
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, event => {
    if (!event.dataTransfer.types.includes("Files")) return;  // text that is dragged is the browser's
    event.preventDefault();
    document.body.classList.toggle("dropping", name === "dragover");
    if (name === "drop") open_files(event.dataTransfer.files);
  });
}
$("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  set_theme(names[(names.indexOf($("theme").value) + 1) % names.length]);
});

set_theme(store.get("theme"));
begin();
