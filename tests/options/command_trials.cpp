#include "options/command_trials.h"

#include <algorithm>
#include <stdexcept>

#include "heed/core/files/atomic_file.h"
#include "heed/text/short_list.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "options/train_trials.h"
#include "options/watched_command.h"
#include "options/watched_training.h"

namespace heed::options_test {
namespace {

const std::string kSpeed = "speed and memory alone: the walk asks that it changes nothing";
const Exemption kDevice{.option = "device", .reason = "there is only a CPU: tests/models/device_test.cpp"};
const Exemption kThreads{.option = "threads", .reason = kSpeed};
const Exemption kAutoPrecision{.option = "precision",
                               .value = "auto",
                               .reason = "depends on the processor: tests/engine/precision_test.cpp, end_to_end"};
const Exemption kWorkers{.option = "workers", .reason = kSpeed};
const Exemption kBatchTokens{.option = "batch-tokens",
                             .reason = "other batches are rounded otherwise: tests/translation"};

Settings of_model(const std::string& folder) { return {{"model", {folder + "/model"}}, {"threads", {"1"}}}; }
Settings of_pairs(const std::string& folder) {
  Settings settings = of_model(folder);
  settings["source"] = {folder + "/dev.en"};
  settings["target"] = {folder + "/dev.de"};
  return settings;
}

/// Options that every command with a model has.
std::vector<Special> model_specials(const std::string& folder) {
  return {{.option = "model", .value = folder + "/other"},
          {.option = "checkpoint", .value = "20"},
          {.option = "output", .value = "OUT/output"}};
}
std::vector<Special> pair_specials(const std::string& folder) {
  return {{.option = "source", .values = {folder + "/dev2.en"}},
          {.option = "target", .values = {folder + "/dev2.de"}},
          {.option = "pairs",
           .with = {{"source", {}}, {"target", {}}, {"pairs", {folder + "/one.tsv"}}},
           .values = {folder + "/two.tsv"}},
          {.option = "quotes",
           .value = "double",
           .with = {{"source", {}}, {"target", {}}, {"pairs", {folder + "/quoted.tsv"}}}},
          {.option = "header", .with = {{"source", {}}, {"target", {}}, {"pairs", {folder + "/one.tsv"}}}},
          {.option = "invalid-text", .with = {{"source", {folder + "/invalid6.en"}}}}};
}

std::vector<Special> alignment_specials(const std::string& prefix, const Settings& with) {
  const auto name = [&](const std::string& option) { return prefix + option; };
  Settings as_json = with;
  as_json[name("format")] = {"json"};
  Settings as_weights = with;
  as_weights[name("format")] = {"soft"};
  return {{.option = name("format"), .value = "pharaoh", .with = as_weights},
          {.option = name("format"), .with = with},
          {.option = name("threshold"), .value = "0.01", .with = with},
          {.option = name("layer"), .value = "1", .with = as_json},
          {.option = name("head"), .value = "1", .with = as_json},
          {.option = name("all-heads"), .with = as_json},
          {.option = name("subwords"), .with = with}};
}

void add(std::vector<Special>& to, const std::vector<Special>& more) { to.insert(to.end(), more.begin(), more.end()); }

/// Values of `tokenize`, where it is BLEU's.
void add_bleu_tokenizers(Tables& tables, const std::string& folder) {
  for (const std::string name : {"spm", "flores101", "flores200", "spBLEU-1K"}) {
    tables.specials.push_back(
        {.option = "tokenize", .value = name, .besides = {{"tokenizer-model", {folder + "/one.spm"}}}});
  }
  for (const std::string name : {"ja-mecab", "ko-mecab"}) {
    tables.exemptions.push_back(
        {.option = "tokenize", .value = name, .reason = "needs a dictionary: tests/metrics/tokenizers"});
  }
}

void exempt_items(Tables& tables) {
  for (const std::string option : {"source-vectors", "source-images", "source-audio"}) {
    tables.exemptions.push_back(
        {.option = option, .reason = "read as for predict: tests/end_to_end/model/prediction_test.cpp"});
  }
}

Tables translate_tables(const std::string& folder) {
  Tables tables{.base = of_model(folder), .small = {}, .specials = model_specials(folder), .exemptions = {}};
  tables.base["input"] = {folder + "/long6.en"};
  tables.base["search.workers"] = {"1"};
  const Settings links{{"alignment", {"OUT/links"}}};
  const Settings wide{{"search.n-best", {"3"}}};
  const Settings samples{{"search.method", {"sample"}}, {"search.temperature", {"9"}}, {"search.n-best", {"5"}}};
  add(tables.specials, alignment_specials("alignment-", links));
  add(tables.specials,
      {{.option = "invalid-text", .with = {{"input", {folder + "/invalid6.en"}}}},
       {.option = "input", .values = {folder + "/dev2.en"}},
       {.option = "alignment", .value = "OUT/links"},
       {.option = "format", .value = "tsv"},
       {.option = "format", .value = "json", .with = {{"input", {folder + "/dev.jsonl"}}}},
       {.option = "protect-pattern", .values = {"[a-z]+"}},
       {.option = "shard", .value = "1/2"},
       {.option = "json-tokens", .with = {{"input", {folder + "/dev.jsonl"}}, {"format", {"json"}}}},
       {.option = "json-alignment", .with = {{"input", {folder + "/dev.jsonl"}}, {"format", {"json"}}}},
       {.option = "ensemble", .values = {folder + "/other"}},
       {.option = "ensemble-weights",
        .with = wide + Settings{{"ensemble", {folder + "/other"}}},
        .values = {"1", "100"}},
       {.option = "language-model", .value = folder + "/lm"},
       {.option = "language-model-weight", .value = "2", .with = {{"language-model", {folder + "/lm"}}}},
       {.option = "precision", .value = "bf16", .with = wide},
       {.option = "precision", .value = "int8", .with = wide},
       {.option = "shortlist"},
       {.option = "search.beam", .value = "1"},
       {.option = "search.length-penalty", .with = wide},
       {.option = "search.length-alpha", .with = wide},
       {.option = "search.max-length-factor", .value = "0", .with = {{"search.max-length-constant", {"1"}}}},
       {.option = "search.max-length-constant", .value = "1", .with = {{"search.max-length-factor", {"0"}}}},
       {.option = "search.min-length", .value = "20"},
       {.option = "search.unknown", .with = {{"model", {folder + "/unknowing"}}}},
       {.option = "search.n-best", .value = "2"},
       {.option = "split",
        .value = "sentences",
        .with = {{"input", {folder + "/sentences6.en"}}, {"search.n-best", {"1"}}, {"format", {"tsv"}}}},
       {.option = "split", .value = "none", .with = {{"input", {folder + "/long6.en"}}}},
       {.option = "prefix", .value = folder + "/begins"},
       {.option = "terminology", .value = folder + "/terms"},
       {.option = "terminology-fold-case", .with = {{"terminology", {folder + "/capital-terms"}}}},
       {.option = "forbid", .value = folder + "/never"},
       {.option = "target-tag", .value = "neun"},
       {.option = "replace-unknown", .with = {{"model", {folder + "/unknowing"}}}},
       {.option = "dictionary",
        .value = folder + "/replacements",
        .with = {{"model", {folder + "/unknowing"}}, {"replace-unknown", {"true"}}}},
       {.option = "mbr", .value = "chrf", .with = samples},
       {.option = "mbr", .value = "bleu", .with = samples},
       {.option = "mbr-scale", .value = "5", .with = samples + Settings{{"mbr", {"chrf"}}}},
       {.option = "search.method"},
       {.option = "search.temperature", .value = "9", .with = {{"search.method", {"sample"}}}},
       {.option = "search.top-k", .value = "1", .with = {{"search.method", {"sample"}}, {"search.temperature", {"9"}}}},
       {.option = "search.top-p",
        .value = "0.01",
        .with = {{"search.method", {"sample"}}, {"search.temperature", {"9"}}}},
       {.option = "search.epsilon",
        .value = "0.9",
        .with = {{"search.method", {"sample"}}, {"search.temperature", {"9"}}}},
       {.option = "search.seed", .with = {{"search.method", {"sample"}}, {"search.temperature", {"9"}}}},
       {.option = "search.word-reward", .value = "-5", .with = wide},
       {.option = "search.coverage-penalty", .value = "1", .with = wide},
       {.option = "search.no-repeat-ngram", .value = "1"},
       {.option = "search.repetition-penalty", .value = "100", .with = wide},
       {.option = "search.stop", .with = wide},
       {.option = "search.patience", .value = "10", .with = wide},
       {.option = "search.groups", .value = "5", .with = wide},
       {.option = "search.diversity", .value = "50", .with = wide + Settings{{"search.groups", {"5"}}}},
       {.option = "search.max-source-length", .value = "8"}});
  tables.exemptions = {kDevice, kThreads, kAutoPrecision};
  exempt_items(tables);
  for (const std::string option :
       {"batch-sentences", "batch-tokens", "continuous-batching", "buffer-lines", "workers"}) {
    tables.exemptions.push_back({.option = "search." + option, .reason = kSpeed});
  }
  tables.exemptions.push_back(
      {.option = "continue", .reason = "makes the same file: tests/end_to_end/translate/continue_test.cpp"});
  const std::string kDocuments = "needs a document: tests/end_to_end/translate/document_test.cpp, tests/documents";
  for (const std::string format : {"text", "html", "xml", "xliff", "po", "tmx", "srt", "vtt", "markdown", "docx"}) {
    tables.exemptions.push_back({.option = "format", .value = format, .reason = kDocuments});
  }
  tables.exemptions.push_back({.option = "target-language", .reason = kDocuments});
  tables.exemptions.push_back(
      {.option = "protect", .reason = "needs such text: tests/end_to_end/translate/document_test.cpp"});
  tables.exemptions.push_back(
      {.option = "terminology-strict", .reason = "refuses terms: tests/end_to_end/translate/constraints_test.cpp"});
  return tables;
}

Tables predict_tables(const std::string& folder) {
  const auto of_items = [&](const std::string& model, const std::string& kind) {
    return Settings{{"model", {folder + "/" + model}}, {"input", {}}, {"source-" + kind, {folder + "/dev." + kind}}};
  };
  return {.base = {{"model", {folder + "/languages"}}, {"threads", {"1"}}, {"input", {folder + "/long6.en"}}},
          .small = {},
          .specials = {{.option = "model", .value = folder + "/counts"},
                       {.option = "checkpoint", .value = "2", .with = {{"format", {"json"}}}},
                       {.option = "invalid-text", .with = {{"input", {folder + "/invalid6.en"}}}},
                       {.option = "input", .values = {folder + "/dev2.en"}},
                       {.option = "output", .value = "OUT/predictions"},
                       {.option = "attention", .value = "OUT/decided.html"},
                       {.option = "ensemble", .with = {{"format", {"json"}}}, .values = {folder + "/languages2"}},
                       {.option = "max-source-length", .value = "8", .with = {{"format", {"json"}}}},
                       {.option = "source-vectors",
                        .value = folder + "/dev2.npy",
                        .with = {{"model", {folder + "/grids"}},
                                 {"input", {}},
                                 {"format", {"json"}},
                                 {"source-vectors", {folder + "/dev.npy"}}}},
                       {.option = "source-images",
                        .value = folder + "/dev2.images",
                        .with = of_items("pixels", "images") + Settings{{"format", {"json"}}}},
                       {.option = "source-audio",
                        .value = folder + "/dev2.audio",
                        .with = of_items("tones", "audio") + Settings{{"format", {"json"}}}}},
          .exemptions = {kDevice, kThreads, kWorkers, kBatchTokens}};
}

Tables score_tables(const std::string& folder) {
  Tables tables{.base = of_pairs(folder),
                .small = {},
                .specials = {},
                .exemptions = {kDevice, kThreads, kWorkers, kBatchTokens, kAutoPrecision}};
  tables.specials = {{.option = "model", .value = folder + "/other"},
                     {.option = "checkpoint", .value = "20"},
                     {.option = "precision", .value = "bf16"},
                     {.option = "precision", .value = "int8"},
                     {.option = "context", .with = {{"model", {folder + "/lm"}}, {"source", {}}}}};
  add(tables.specials, pair_specials(folder));
  exempt_items(tables);
  return tables;
}

Tables rerank_tables(const std::string& folder) {
  const Settings with_models{{"forward", {folder + "/model"}}};
  const Settings with_many{{"forward", {folder + "/model", folder + "/other"}},
                           {"reverse", {folder + "/other"}},
                           {"language-model", {folder + "/lm"}}};
  const Settings uses_weights{{"reference", {}}, {"weights", {folder + "/weights.json"}}};
  Tables tables{.base = {{"input", {folder + "/one.list"}},
                         {"source", {folder + "/dev.en"}},
                         {"reference", {folder + "/dev.de"}},
                         {"weights", {"OUT/weights.json"}},
                         {"threads", {"1"}}},
                .small = {},
                .specials = {{.option = "input", .value = folder + "/two.list"},
                             {.option = "source", .value = folder + "/dev2.en", .with = with_models},
                             {.option = "output", .value = "OUT/best", .with = uses_weights},
                             {.option = "n-best", .with = uses_weights},
                             {.option = "forward", .values = {folder + "/other"}},
                             {.option = "reverse", .values = {folder + "/other"}},
                             {.option = "right-to-left", .values = {folder + "/other"}},
                             {.option = "language-model", .values = {folder + "/lm"}},
                             {.option = "weights", .value = "OUT/others.json"},
                             {.option = "reference", .value = folder + "/dev2.de"},
                             {.option = "oracle", .besides = {{"source", {}}, {"weights", {}}}},
                             {.option = "metric", .value = "chrf"},
                             {.option = "tokenize", .value = "char"},
                             {.option = "tokenizer-model",
                              .value = folder + "/one.spm",
                              .with = {{"tokenize", {"spm"}}, {"tokenizer-model", {folder + "/model/target.spm"}}}},
                             {.option = "starts", .value = "1", .with = with_many},
                             {.option = "seed", .with = with_many},
                             {.option = "invalid-text", .with = {{"source", {folder + "/invalid6.en"}}}}},
                .exemptions = {kDevice, kThreads, kWorkers, kBatchTokens}};
  add_bleu_tokenizers(tables, folder);
  for (const std::string name : {"intl", "zh"}) {
    tables.exemptions.push_back({.option = "tokenize", .value = name, .reason = "cuts this text as 13a does"});
  }
  return tables;
}

Tables align_tables(const std::string& folder) {
  Tables tables{
      .base = of_pairs(folder), .small = {}, .specials = model_specials(folder), .exemptions = {kDevice, kThreads}};
  for (Special& special : tables.specials) special.with["format"] = {"soft"};
  add(tables.specials, alignment_specials("", {}));
  add(tables.specials, pair_specials(folder));
  exempt_items(tables);
  return tables;
}

Tables generate_tables(const std::string& folder) {
  const Exemption batch{.option = "batch-sentences", .reason = kSpeed};
  const Settings lines{{"prompt", {}}, {"input", {folder + "/dev.de"}}};
  return {.base = {{"model", {folder + "/lm"}},
                   {"threads", {"1"}},
                   {"prompt", {"eins", "zwei drei"}},
                   {"max-length", {"12"}}},
          .small = {},
          .specials = {{.option = "model", .value = folder + "/lm2"},
                       {.option = "checkpoint", .value = "40"},
                       {.option = "output", .value = "OUT/texts"},
                       {.option = "precision", .value = "bf16", .with = {{"scores", {"true"}}}},
                       {.option = "precision", .value = "int8", .with = {{"scores", {"true"}}}},
                       {.option = "invalid-text", .with = {{"prompt", {}}, {"input", {folder + "/invalid6.en"}}}},
                       {.option = "prompt", .values = {"drei"}},
                       {.option = "input", .with = lines, .values = {folder + "/dev2.de"}},
                       {.option = "max-length", .value = "2"},
                       {.option = "unknown", .with = {{"temperature", {"100"}}, {"samples", {"30"}}}},
                       {.option = "top-k", .value = "1"},
                       {.option = "top-p", .value = "0.1"}},
          .exemptions = {kDevice, kThreads, kWorkers, batch, kAutoPrecision}};
}

Tables average_tables(const std::string& folder) {
  const Settings named{{"last", {}}, {"checkpoints", {"20", "40"}}}, best{{"last", {}}, {"best", {"2"}}};
  return {.base = {{"model", {folder + "/model"}}, {"last", {"2"}}, {"output", {"OUT/mean"}}},
          .small = {},
          .specials = {{.option = "model", .value = folder + "/other"},
                       {.option = "checkpoints", .with = named, .values = {"40", "60"}},
                       {.option = "best", .value = "3", .with = best},
                       {.option = "last", .value = "3"},
                       {.option = "output", .value = "OUT/elsewhere"}},
          .exemptions = {}};
}

Tables tokenize_tables(const std::string& folder) {
  return {.base = {{"tokenizer", {folder + "/one.spm"}}, {"input", {folder + "/dev.en"}}},
          .small = {},
          .specials = {{.option = "tokenizer", .value = folder + "/one.words"},
                       {.option = "input", .value = folder + "/dev2.en"},
                       {.option = "output", .value = "OUT/tokens"}},
          .exemptions = {}};
}

std::vector<Special> metric_specials() {
  std::vector<Special> specials;
  for (const std::string option : {"char-order", "word-order", "beta", "lowercase", "whitespace", "eps-smoothing"}) {
    specials.push_back({.option = "chrf." + option, .with = {{"metric", {"chrf"}}}});
  }
  for (const std::string option : {"normalized", "no-punct", "case-sensitive"}) {
    specials.push_back({.option = "ter." + option, .with = {{"metric", {"ter"}}}});
  }
  specials.push_back({.option = "ter.asian-support", .with = {{"metric", {"ter"}}, {"ter.normalized", {"true"}}}});
  specials.push_back({.option = "multi-bleu.lowercase", .with = {{"metric", {"multi-bleu"}}}});
  return specials;
}

Tables evaluate_tables(const std::string& folder) {
  const std::string one = folder + "/one.out", two = folder + "/two.out";
  const Settings by_length{{"by-length", {"true"}}, {"bucket-width", {"3"}}};
  Settings labelled = by_length;
  labelled["label"] = {"first", "second"};
  Tables tables{.base = {{"reference", {folder + "/out.ref"}}, {kPositionals, {one, two}}},
                .small = {},
                .specials = metric_specials(),
                .exemptions = {kThreads}};
  add(tables.specials, {{.option = "reference", .values = {folder + "/out.ref", two}},
                        {.option = "tab-references", .with = {{"reference", {folder + "/tabs.ref"}}}},
                        {.option = "metric", .values = {"chrf"}},
                        {.option = "sentence-level"},
                        {.option = "worst-first", .with = {{"sentence-level", {"true"}}, {kPositionals, {two, one}}}},
                        {.option = "source", .value = folder + "/three.source", .with = by_length},
                        {.option = "length-unit", .with = by_length},
                        {.option = "bucket-width", .value = "2", .with = by_length},
                        {.option = "longest", .value = "3", .with = by_length},
                        {.option = "figure", .value = "OUT/lengths.svg", .with = by_length},
                        {.option = "confusion", .with = {{"reference", {two}}, {kPositionals, {two}}}},
                        {.option = "label", .with = labelled, .values = {"old", "new"}},
                        {.option = "report", .value = "OUT/page.html"},
                        {.option = "frequencies", .value = two, .with = {{"report", {"OUT/page.html"}}}},
                        {.option = "samples", .value = "40"},
                        {.option = "tokenizer-model",
                         .value = folder + "/one.spm",
                         .with = {{"tokenize", {"spm"}}, {"tokenizer-model", {folder + "/model/target.spm"}}}}});
  add_bleu_tokenizers(tables, folder);
  return tables;
}

Tables embeddings_train_tables(const std::string& folder) {
  return {.base = {{"input", {folder + "/train.en"}}, {"width", {"5"}}, {"epochs", {"2"}}, {"subsample", {"0"}}},
          .small = {},
          .specials = {{.option = "input", .values = {folder + "/other.en"}},
                       {.option = "output", .value = "OUT/vectors"},
                       {.option = "min-count", .value = "1"},
                       {.option = "subsample", .value = "0.001"},
                       {.option = "learning-rate", .value = "0.1"}},
          .exemptions = {}};
}

Tables embeddings_nearest_tables(const std::string& folder) {
  const Settings of_model{{"vectors", {}}, {"model", {folder + "/model"}}, {kPositionals, {"one"}}};
  return {
      .base = {{"vectors", {folder + "/three.vec"}}, {kPositionals, {"one"}}},
      .small = {},
      .specials =
          {{.option = "vectors", .value = folder + "/other.vec"},
           {.option = "model", .value = folder + "/other", .with = of_model},
           {.option = "side",
            .value = "target",
            .with = {{"vectors", {}}, {"model", {folder + "/untied"}}, {kPositionals, {"nine"}}}},
           {.option = "side",
            .value = "source",
            .with = {{"vectors", {}}, {"model", {folder + "/untied"}}, {"side", {"target"}}, {kPositionals, {"nine"}}}},
           {.option = "count", .value = "1"},
           {.option = "analogy", .with = {{kPositionals, {"one", "two", "three"}}}}},
      .exemptions = {}};
}

const Exemption kBpeWorkers{.option = "num-workers", .reason = "speed, and which line ends count: tests/text/bpe"};

Tables bpe_learn_tables(const std::string& folder) {
  return {
      .base = {{"input", {folder + "/train.en"}}, {"symbols", {"20"}}},
      .small = {},
      .specials = {{.option = "input", .value = folder + "/other.en"},
                   {.option = "output", .value = "OUT/codes"},
                   {.option = "min-frequency", .value = "60"},
                   {.option = "byte", .with = {{"symbols", {"60"}}}},
                   {.option = "dict-input", .with = {{"input", {folder + "/words.tsv"}}, {"min-frequency", {"3"}}}}},
      .exemptions = {kBpeWorkers}};
}

Tables bpe_apply_tables(const std::string& folder) {
  const Settings dropout{{"dropout", {"0.5"}}}, units{{"vocabulary", {folder + "/units"}}};
  return {.base = {{"input", {folder + "/train.de"}}, {"codes", {folder + "/codes"}}},
          .small = {},
          .specials = {{.option = "input", .value = folder + "/other.de"},
                       {.option = "output", .value = "OUT/units"},
                       {.option = "codes", .value = folder + "/other.codes"},
                       {.option = "merges", .value = "1"},
                       {.option = "separator", .value = "##"},
                       {.option = "vocabulary", .value = folder + "/units"},
                       {.option = "vocabulary-threshold", .value = "10", .with = units},
                       {.option = "dropout", .value = "0.5"},
                       {.option = "glossaries", .values = {"ei"}},
                       {.option = "seed", .with = dropout}},
          .exemptions = {kBpeWorkers}};
}

Tables bpe_vocabulary_tables(const std::string& folder) {
  return {.base = {{"input", {folder + "/train.de"}}},
          .small = {},
          .specials = {{.option = "input", .value = folder + "/other.de"}, {.option = "output", .value = "OUT/units"}},
          .exemptions = {}};
}

Tables bpe_joint_tables(const std::string& folder) {
  return {.base = {{"input", {folder + "/train.en", folder + "/train.de"}},
                   {"output", {"OUT/codes"}},
                   {"write-vocabulary", {"OUT/en", "OUT/de"}},
                   {"symbols", {"20"}}},
          .small = {},
          .specials = {{.option = "input", .values = {folder + "/other.en", folder + "/other.de"}},
                       {.option = "output", .value = "OUT/other"},
                       {.option = "write-vocabulary", .values = {"OUT/one", "OUT/two"}},
                       {.option = "min-frequency", .value = "60"},
                       {.option = "separator", .value = "##"}},
          .exemptions = {kBpeWorkers}};
}

Tables spm_encode_tables(const std::string& folder) {
  const Settings drawn{{"nbest", {"-1"}}};
  return {.base = {{"model", {folder + "/one.spm"}}, {"input", {folder + "/train.en"}}},
          .small = {},
          .specials = {{.option = "model", .value = folder + "/model/target.spm"},
                       {.option = "input", .value = folder + "/other.en"},
                       {.option = "output", .value = "OUT/pieces"},
                       {.option = "nbest", .value = "4"},
                       {.option = "alpha", .value = "2", .with = drawn},
                       {.option = "seed", .with = drawn},
                       {.option = "extra-options", .value = "bos"}},
          .exemptions = {}};
}

Tables spm_decode_tables(const std::string& folder) {
  return {.base = {{"model", {folder + "/one.spm"}}, {"input", {folder + "/ids"}}, {"input-format", {"id"}}},
          .small = {},
          .specials = {{.option = "model", .value = folder + "/model/target.spm"},
                       {.option = "input", .value = folder + "/other.ids"},
                       {.option = "output", .value = "OUT/text"}},
          .exemptions = {}};
}

void make_model(const std::string& folder, const std::string& name, Settings settings) {
  const Left left = train(settings, folder + "/" + name);
  if (left.contains("error")) throw std::runtime_error(name + ": " + left.at("error"));
}

/// For each line of a text the line itself and worse ones, in an order of their own.
std::string n_best_lists(const std::string& path, int seed) {
  std::string list;
  int line = 0;
  for (const std::string& text : read_lines(path)) {
    const size_t last = text.rfind(' ');
    const std::string all[]{text,       text + " " + text, last == std::string::npos ? "" : text.substr(0, last),
                            "neun",     text + " neun",    "eins " + text,
                            "eins neun"};
    for (int c = 0; c < 7; ++c) {
      const int mixed = (line * 7 + c * 5 + seed) % 11;
      list += std::to_string(line) + " ||| " + all[(c + line) % 7] + " ||| -0." + std::to_string(mixed) + "\n";
    }
    ++line;
  }
  return list;
}

/// What commands read beside the text of the training.
void write_inputs(const std::string& folder) {
  const std::string lines = read_file(folder + "/dev.en");
  write_file(folder + "/invalid6.en", "\xff" + lines);
  write_file(folder + "/long6.en", lines + "one two three four nine one two three four nine one two three four nine\n");
  const auto count = std::ranges::count(read_file(folder + "/long6.en"), '\n');
  std::string begins, objects;
  for (std::ptrdiff_t line = 0; line < count; ++line) begins += "neun neun\n";
  write_file(folder + "/begins", begins);
  write_file(folder + "/sentences6.en", "one two . three four . nine . ten\n" + lines);
  for (const std::string& line : read_lines(folder + "/dev.en")) objects += R"({"source": ")" + line + "\"}\n";
  write_file(folder + "/dev.jsonl", objects);
  write_file(folder + "/terms", "one\tneun neun neun\n");
  write_file(folder + "/capital-terms", "ONE\tneun neun neun\n");
  std::string dictionary;
  for (const char* number : {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}) {
    dictionary += std::string(number) + "\tnumber\n";
  }
  write_file(folder + "/replacements", dictionary);
  write_file(folder + "/never", "eins\nzwei\ndrei\nvier\n");
  write_file(folder + "/out.ref", "The Cat sits , on <it> & the mat 猫 .\nA dog ran away!\nfour words are here\n");
  write_file(folder + "/three.source", "one\none two three four five six\none two\n");
  write_file(folder + "/one.out", "the cat sits, on the &amp; mat 猫 .\nA dog walked away!\nfour words are  there\n");
  write_file(folder + "/two.out", "The cat sat on a mat 猫.\nA dog ran\nfive words were here\n");
  write_file(folder + "/tabs.ref",
             "The Cat sits\tthe cat sits, on the mat\nA dog ran away!\nfour words\tfour words are there\n");
  write_file(folder + "/three.vec", "one 1 2\ntwo 2 1\nthree 1 1\nfour 0 2\nfive 3 1\n");
  write_file(folder + "/other.vec", "one 1 2\ntwo -2 1\nthree -1 1\nfour 0 2\nfive 3 1\n");
  write_file(folder + "/other.codes", "#version: 0.2\nn e\nn s</w>\n");
  write_file(folder + "/words.tsv", "one 5\ntwo 4\none 3\n");
  write_file(folder + "/one.list", n_best_lists(folder + "/dev.de", 1));
  write_file(folder + "/two.list", n_best_lists(folder + "/dev.de", 2));
  write_file(folder + "/weights.json",
             R"({"features": [{"kind": "list", "weight": 0.5}, {"kind": "length", "weight": 0.5}]})");
  write_file(folder + "/ids", "5 6 7 8\n");
  write_file(folder + "/other.ids", "9 10 11\n");
}

}  // namespace

Settings model_settings(const std::string& folder) {
  Settings settings = train_tables(folder).base;
  const auto set = [&](const std::string& option, const std::string& value) { settings[option] = {value}; };
  for (const std::string side : {"arch.encoder", "arch.decoder"}) {
    set(side + ".layers", "2");
    set(side + ".heads", "2");
    set(side + ".feed-forward.hidden", "16");
  }
  set("arch.d-model", "16");
  set("arch.dropout", "0");
  set("text.type", "unigram");
  set("text.vocab-size", "60");
  set("train.max-steps", "80");
  set("valid.every", "20");
  set("train.keep-last", "4");
  set("train.keep-best", "4");
  set("data.batch-tokens", "400");
  set("data.max-source-length", "60");
  set("data.max-target-length", "60");
  // What validation finds then does not depend on options of search.
  set("valid.metric", "loss");
  set("valid.translate", "none");
  settings.erase("valid.samples");
  settings.erase("search.workers");
  return settings;
}

/// A shortlist of hardly any tokens.
text::ShortListContent of_few_tokens(const std::string& model) {
  const text::Tokenizers tokenizers = text::load_tokenizers(model);
  return {.target_size = tokenizers.target->size(),
          .frequent = {static_cast<int32_t>(tokenizers.target->size() - 1)},
          .by_token = std::vector<std::vector<int32_t>>(static_cast<size_t>(tokenizers.source->size()))};
}

namespace {

/// `languages` and `counts` of text, `grids`, `pixels` and `tones` of what their names say.
void make_models_with_heads(const std::string& folder) {
  const auto make = [&](const std::string& name, const std::string& ending, const Settings& more) {
    Settings settings{{"task", {"classification"}},
                      {"target", {folder + "/train." + ending}},
                      {"valid-target", {folder + "/dev." + ending}},
                      {"threads", {"1"}},
                      {"arch.d-model", {"8"}},
                      {"arch.encoder.layers", {"1"}},
                      {"arch.encoder.heads", {"2"}},
                      {"arch.encoder.feed-forward.hidden", {"8"}},
                      {"train.schedule.type", {"constant"}},
                      {"train.schedule.learning-rate", {"0.3"}},
                      {"train.max-steps", {"2"}},
                      {"train.average", {"none"}},
                      {"train.replicas", {"1"}},
                      {"valid.every", {"1"}}};
    for (const auto& [option, values] : more) settings[option] = values;
    make_model(folder, name, settings);
  };
  const Settings text{
      {"source", {folder + "/train.en"}}, {"valid-source", {folder + "/dev.en"}}, {"text.type", {"words"}}};
  make("languages", "label", text);
  make("languages2", "label", text + Settings{{"seed", {"2"}}});
  make("counts", "numbers", text + Settings{{"task", {"regression"}}});
  for (const auto& [name, kind, ending] :
       {std::tuple{"grids", "vectors", ".npy"}, {"pixels", "images", ".images"}, {"tones", "audio", ".audio"}}) {
    make(name, "label",
         {{std::string("source-") + kind, {folder + "/train" + ending}},
          {std::string("valid-source-") + kind, {folder + "/dev" + ending}}});
  }
}

}  // namespace

void make_models(const std::string& folder) {
  write_training_files(folder);
  write_inputs(folder);
  Settings settings = model_settings(folder);
  const auto set = [&](const std::string& option, const std::string& value) { settings[option] = {value}; };
  make_model(folder, "model", settings);
  text::write_short_list(folder + "/model/" + text::kShortListFile, of_few_tokens(folder + "/model"));
  Settings unknowing = settings;
  unknowing["text.type"] = {"words"};
  unknowing["text.vocab-size"] = {"8"};
  make_model(folder, "unknowing", unknowing);
  for (const std::string option : {"text.type", "text.vocab-size"}) settings.erase(option);
  set("seed", "2");
  set("text.tokenizers", "given");
  set("text.source-tokenizer", folder + "/model/source.spm");
  make_model(folder, "other", settings);
  set("arch.tied-embeddings", "none");
  make_model(folder, "untied", settings);
  const Settings lm{{"task", {"language-model"}},
                    {"preset", {"lm-lstm"}},
                    {"target", settings["target"]},
                    {"valid-target", settings["valid-target"]},
                    {"threads", {"1"}},
                    {"text.tokenizers", {"given"}},
                    {"text.target-tokenizer", {folder + "/model/target.spm"}},
                    {"arch.d-model", {"16"}},
                    {"arch.decoder.hidden", {"16"}},
                    {"train.max-steps", {"60"}},
                    {"train.average", {"none"}},
                    {"train.schedule.type", {"constant"}},
                    {"train.schedule.learning-rate", {"0.02"}},
                    {"train.replicas", {"1"}},
                    {"train.keep-last", {"4"}},
                    {"valid.every", {"20"}}};
  make_model(folder, "lm", lm);
  Settings other = lm;
  other["seed"] = {"2"};
  make_model(folder, "lm2", other);
  make_models_with_heads(folder);
}

std::map<std::string, Tables> command_tables(const std::string& folder) {
  return {{"translate", translate_tables(folder)},
          {"predict", predict_tables(folder)},
          {"score", score_tables(folder)},
          {"rerank", rerank_tables(folder)},
          {"align", align_tables(folder)},
          {"generate", generate_tables(folder)},
          {"average", average_tables(folder)},
          {"tokenize", tokenize_tables(folder)},
          {"evaluate", evaluate_tables(folder)},
          {"embeddings train", embeddings_train_tables(folder)},
          {"embeddings nearest", embeddings_nearest_tables(folder)},
          {"bpe learn", bpe_learn_tables(folder)},
          {"bpe apply", bpe_apply_tables(folder)},
          {"bpe vocabulary", bpe_vocabulary_tables(folder)},
          {"bpe learn-joint", bpe_joint_tables(folder)},
          {"spm encode", spm_encode_tables(folder)},
          {"spm decode", spm_decode_tables(folder)}};
}

std::map<std::string, std::string> commands_not_walked() {
  return {{"train", "train_options_test.cpp walks it"},
          {"make", "tests/end_to_end/make_test.cpp tries it"},
          {"data report", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data filter", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data restore", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data dedup", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data split", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data sample", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data shuffle", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data convert", "tests/end_to_end/text/data_test.cpp tries them"},
          {"data perturb", "tests/end_to_end/text/data_test.cpp tries them"},
          {"shortlist", "it changes the model directory: tests/end_to_end/text/shortlist_test.cpp tries them"},
          {"distill", "it translates as translate, which is walked: tests/end_to_end/translate/distill_test.cpp"},
          {"pack", "its options are what it reads and where it writes: tests/end_to_end/model/packed_model_test.cpp"},
          {"completion bash", "it has no options"},
          {"completion zsh", "it has no options"},
          {"completion fish", "it has no options"},
          {"import", "its options are what it reads and where it writes: tests/interchange"},
          {"export", "its options are what it reads and where it writes: tests/interchange"},
          {"man-pages", "its option is where it writes: tests/end_to_end/documents_test.cpp"},
          {"serve", "it writes nothing and runs until it is stopped: tests/serve/server_test.py tries them"},
          {"report", "its options are where it writes and names on the page: tests/report/pages_test.py"},
          {"watch", "it writes nothing and runs until it is stopped: tests/report/pages_test.py"},
          {"doctor", "it has no options"},
          {"spm train", "its options are SentencePiece's own and go to the library as they are"}};
}

}  // namespace heed::options_test
