#include "make/stage_commands.h"

#include <filesystem>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/text/counted.h"

namespace heed::apps::make {
namespace {

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// `--NAME VALUE...`, or nothing without values.
Words option(const std::string& name, const Words& values) {
  return values.empty() ? Words{} : Words{"--" + name} + values;
}
Words option(const std::string& name, const std::string& value) {
  return value.empty() ? Words{} : Words{"--" + name, value};
}

Words threads_of(int64_t threads) { return threads > 0 ? Words{"--threads", fmt::format("{}", threads)} : Words{}; }

/// The tokenizer file of a model directory. Before it exists: the usual name.
std::string tokenizer_of(const std::string& directory, const std::string& side) {
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(directory, missing)) {
    if (entry.path().stem() == side) return entry.path();
  }
  return fmt::format("{}/{}.spm", directory, side);
}

}  // namespace

StageCommands::StageCommands(const MakeOptions& options, const MakeInput& input) : options_(options), input_(input) {}

std::string StageCommands::source(const std::string& part) const {
  return made(fmt::format("data/{}.{}", part, input_.source_ending));
}

std::string StageCommands::target(const std::string& part) const {
  return made(fmt::format("data/{}.{}", part, input_.target_ending));
}

Words StageCommands::data(const std::string& command) const {
  return Words{"data", command} + threads_of(options_.threads);
}

Words StageCommands::pair_of(const std::string& prefix, const std::string& part) const {
  return {"--" + prefix + "source", source(part), "--" + prefix + "target", target(part)};
}

Words StageCommands::input() const {
  const CorpusInput& given = options_.input;
  Words words = option("source", given.source) + option("target", given.target) + option("pairs", given.pairs);
  if (given.format != FormatChoice::Auto) words = words + option("input-format", std::string(enum_name(given.format)));
  return words + option("source-field", given.source_field) + option("target-field", given.target_field) +
         option("document-field", given.document_field);
}

Words StageCommands::held_out() const {
  const HeldOutInput& given = options_.held_out;
  return option("valid-source", given.valid_source) + option("valid-target", given.valid_target) +
         option("valid-pairs", given.valid_pairs) + option("test-source", given.test_source) +
         option("test-target", given.test_target) + option("test-pairs", given.test_pairs);
}

Stage StageCommands::report() const {
  return {.name = "report",
          .purpose = "what the text is like, and what is wrong with it",
          .words = data("report") + input() + held_out() + Words{"--output", made("data.html")},
          .outputs = {made("data.html")}};
}

Stage StageCommands::filter() const {
  const bool split = !options_.gives_valid() || !options_.gives_test();
  const std::string part = split ? "clean" : "train";
  const std::string table = made("data/clean.tsv");
  const bool as_table = split && has_documents();  // which keeps the names of documents
  const Words output = as_table ? Words{"--output-pairs", table} : pair_of("output-", part);
  return {.name = "filter",
          .purpose = "removes bad pairs; removed.jsonl has each with its reasons",
          .words = data("filter") + input() + held_out() + output + Words{"--log", made("removed.jsonl")},
          .outputs = as_table ? Words{table} : Words{source(part), target(part)}};
}

Stage StageCommands::convert(const std::string& part, const Words& from) const {
  return {.name = "convert-" + part,
          .purpose = fmt::format("the {} text as two files", part),
          .words = Words{"data", "convert"} + from + pair_of("output-", part),
          .outputs = {source(part), target(part)}};
}

/// The parts that are not given are split off. Then the given ones replace the empty ones of the split.
std::vector<Stage> StageCommands::split(int64_t pairs) const {
  std::vector<Stage> stages;
  const HeldOutInput& held = options_.held_out;
  const bool valid = options_.gives_valid(), test = options_.gives_test();
  if (!valid || !test) {
    Words words = data("split");
    if (has_documents()) {
      words = words + Words{"--pairs", made("data/clean.tsv"), "--document-field", "3"};
    } else {
      words = words + pair_of("", "clean");
      if (options_.block_lines > 0) words = words + Words{"--block-lines", fmt::format("{}", options_.block_lines)};
    }
    const std::string number = fmt::format("{}", pairs);
    stages.push_back(
        {.name = "split",
         .purpose = "sets validation and test text aside that the training text does not contain",
         .words = words + Words{"--valid", valid ? "0" : number, "--test", test ? "0" : number, "--output",
                                made("data"), "--overwrite"},
         .outputs = has_documents() ? Words{made("data/train.tsv")} : Words{source("train"), target("train")}});
    for (const auto& [part, is_given] :
         {std::pair("train", false), std::pair("valid", valid), std::pair("test", test)}) {
      if (!has_documents() || is_given) continue;
      stages.push_back(convert(part, {"--pairs", made(fmt::format("data/{}.tsv", part))}));
    }
  }
  const auto given = [&](const std::string& part, const Words& from, const Words& to, const Words& files) {
    Words words = option("source", from) + option("target", to) + option("pairs", files);
    if (!files.empty()) {
      words = words + option("source-field", options_.input.source_field) +
              option("target-field", options_.input.target_field);
    }
    stages.push_back(convert(part, words));
  };
  if (valid) given("valid", held.valid_source, held.valid_target, held.valid_pairs);
  if (test) given("test", held.test_source, held.test_target, held.test_pairs);
  return stages;
}

Stage StageCommands::sample(int64_t pairs) const {
  return {.name = "sample",
          .purpose = "some text, to measure the speed with",
          .words = data("sample") + pair_of("", "train") + Words{"--size", fmt::format("{}", pairs)} +
                   pair_of("output-", "sample"),
          .outputs = {source("sample"), target("sample")}};
}

Stage StageCommands::measure(const std::string& name, const std::string& settings, const std::string& part,
                             const std::string& tokenizers, double seconds) const {
  const std::string model = made("measure/" + name);
  Words words = Words{"train", "--config", settings} + options_.config + pair_of("", part) +
                Words{"--model",
                      model,
                      "--train.max-steps",
                      "none",
                      "--train.max-minutes",
                      fmt::format("{:.3f}", seconds / 60),
                      "--train.average",
                      "none",
                      "--valid.every",
                      "1000000",
                      "--train.save-every",
                      "none",
                      "--log.every",
                      "1"};
  if (!tokenizers.empty()) {
    words = words + Words{"--text.tokenizers",       "given",
                          "--text.source-tokenizer", tokenizer_of(tokenizers, "source"),
                          "--text.target-tokenizer", tokenizer_of(tokenizers, "target")};
  }
  return {.name = "measure-" + name,
          .purpose = "how fast this machine trains",
          .words = words + threads_of(options_.threads),
          .log_file = made(fmt::format("measure-{}.log", name))};
}

Stage StageCommands::train(const std::string& name, const std::string& model, const std::string& settings,
                           const std::string& target, double deadline) const {
  return {.name = name,
          .purpose = "trains the model",
          .words = Words{"train", "--config", settings} + options_.config +
                   Words{"--source", source("train"), "--target", target} + pair_of("valid-", "valid") +
                   Words{"--model", model} + threads_of(options_.threads),
          .deadline = deadline,
          .begun_file = model + "/metrics.jsonl"};
}

Stage StageCommands::end_training(const std::string& name, const std::string& model, double minutes) const {
  return {.name = name,
          .purpose = "the time for the training is over",
          .words = Words{"train", "--model", model, "--train.max-minutes", fmt::format("{:.2f}", minutes)} +
                   threads_of(options_.threads)};
}

Stage StageCommands::translate(const std::string& name, const std::string& purpose, const std::string& model,
                               const std::string& input, const std::string& output, const Words& more) const {
  return {.name = name,
          .purpose = purpose,
          .words = Words{"translate", "--model", model, "--input", input, "--output", output} + more +
                   threads_of(options_.threads),
          .outputs = {output}};
}

Stage StageCommands::distill(const Words& more) const {
  return {.name = "distillation",
          .purpose = "the larger model translates the training text",
          .words = Words{"distill", "--model", teacher()} + pair_of("", "train") +
                   Words{"--output", target("distilled")} + more + threads_of(options_.threads),
          .outputs = {target("distilled")}};
}

Stage StageCommands::evaluate(const std::string& name, const std::string& purpose, const std::string& part,
                              const Words& systems, const std::string& output, const Words& more) const {
  return {.name = name,
          .purpose = purpose,
          .words = Words{"evaluate", "--reference", target(part), "--tokenize", input_.tokenize} + more + systems,
          .outputs = {output},
          .output_file = output};
}

Stage StageCommands::set_length_penalty(const std::string& alpha) const {
  return {.name = "set-length-penalty",
          .purpose = "the model's own length penalty",
          .words =
              Words{"train", "--model", options_.model, "--search.length-alpha", alpha} + threads_of(options_.threads)};
}

}  // namespace heed::apps::make
