#include "heed/data/corpus/corpus_layout.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"

namespace heed::data {

namespace {

/// The counts of a summary under their names, for reading and writing alike.
template <class Summary, class Visit>
void each_count(Summary& summary, Visit visit) {
  visit("read", summary.read);
  visit("kept", summary.kept);
  visit("empty", summary.empty);
  visit("too_long", summary.too_long);
  visit("replaced_lines", summary.replaced_lines);
  visit("source_tokens", summary.source_tokens);
  visit("target_tokens", summary.target_tokens);
  visit("source_unknown", summary.source_unknown);
  visit("target_unknown", summary.target_unknown);
}

constexpr auto kKinds = std::to_array<std::pair<text::TargetKind, const char*>>({
    {text::TargetKind::Text, "text"},
    {text::TargetKind::Class, "class"},
    {text::TargetKind::WordLabels, "word-labels"},
    {text::TargetKind::Numbers, "numbers"},
});

const char* name_of(text::TargetKind kind) {
  return std::ranges::find(kKinds, kind, &decltype(kKinds)::value_type::first)->second;
}

text::TargetKind kind_named(const std::string& name) {
  for (const auto& [kind, its_name] : kKinds) {
    if (name == its_name) return kind;
  }
  throw Error(fmt::format("has a target of `{}`, which this program does not know", name));
}

}  // namespace

std::string to_json(const CorpusSummary& summary, const CorpusOrigin& origin, const CorpusForm& form) {
  nlohmann::json json = {{"format", kCorpusFormat},
                         {"has_source", form.has_source},
                         {"target", name_of(form.target)},
                         {"tokenizers", origin.tokenizers},
                         {"max_source_length", origin.options.max_source_length},
                         {"max_target_length", origin.options.max_target_length},
                         {"replace_invalid_text", origin.options.invalid_text == InvalidText::Replace},
                         {"files", nlohmann::json::array()}};
  each_count(summary, [&json](const char* name, int64_t count) { json[name] = count; });
  for (const CorpusFile& file : origin.files) {
    json["files"].push_back({{"side", file.side},
                             {"path", file.path},
                             {"size", file.size},
                             {"lines", file.lines},
                             {"sha256", file.sha256}});
  }
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void from_json(const std::string& text, CorpusSummary& summary, CorpusOrigin& origin, CorpusForm& form) {
  const nlohmann::json json = nlohmann::json::parse(text);
  const int64_t format = json.at("format");
  if (format != kCorpusFormat)
    throw Error(fmt::format("has format {}, this program reads format {}", format, kCorpusFormat));
  form.has_source = json.at("has_source");
  form.target = kind_named(json.value("target", "text"));  // the first versions had no other
  origin.tokenizers = json.at("tokenizers");
  origin.options.max_source_length = json.at("max_source_length");
  origin.options.max_target_length = json.at("max_target_length");
  origin.options.invalid_text = json.at("replace_invalid_text") ? InvalidText::Replace : InvalidText::Fail;
  for (const auto& file : json.at("files")) {
    origin.files.push_back({.side = file.at("side"),
                            .path = file.at("path"),
                            .size = file.at("size"),
                            .lines = file.at("lines"),
                            .sha256 = file.at("sha256")});
  }
  each_count(summary, [&json](const char* name, int64_t& count) { count = json.at(name); });
}

}  // namespace heed::data
