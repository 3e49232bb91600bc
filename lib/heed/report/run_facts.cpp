#include "heed/report/run_facts.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "heed/command_line/settings_file.h"
#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/text/json_nesting.h"
#include "heed/data/encoded/encoded_corpus.h"

namespace heed::report {

using Json = nlohmann::ordered_json;

namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostLengths = 100'000;  // pairs of a corpus whose lengths are counted
constexpr int64_t kLongest = 1024;         // longer ones are counted together

/// [pairs of length 0, of length 1, ...], counted in pairs that are evenly spread over the corpus.
Json length_counts(const data::EncodedCorpus& corpus, int64_t (data::EncodedCorpus::*length)(int64_t) const) {
  std::vector<int64_t> counts;
  const int64_t looked_at = std::min(corpus.size(), kMostLengths);
  for (int64_t i = 0; i < looked_at; ++i) {
    const auto pair = static_cast<int64_t>(static_cast<double>(i) * static_cast<double>(corpus.size()) /
                                           static_cast<double>(looked_at));
    const auto tokens = static_cast<size_t>(std::min((corpus.*length)(pair), kLongest));
    if (tokens >= counts.size()) counts.resize(tokens + 1);
    ++counts[tokens];
  }
  return counts;
}

Json corpus_facts(const std::string& path) {
  const data::EncodedCorpus corpus(path);
  Json facts = Json::object();
  Json& files = facts["files"] = Json::array();
  for (const data::CorpusFile& file : corpus.origin().files) {
    files.push_back({{"side", file.side}, {"path", file.path}, {"bytes", file.size}, {"lines", file.lines}});
  }
  Json& counts = facts["counts"] = Json::object();
  data::each_count(corpus.summary(), [&](const char* name, int64_t count) { counts[name] = count; });
  facts["limits"] = {corpus.limits().max_source_length, corpus.limits().max_target_length};
  if (corpus.has_source()) facts["source_lengths"] = length_counts(corpus, &data::EncodedCorpus::source_length);
  if (corpus.form().writes_text()) {
    facts["target_lengths"] = length_counts(corpus, &data::EncodedCorpus::target_length);
  }
  return facts;
}

/// Adds what `make` returns as a member, unless it throws: a page about half a directory is better than none.
template <class Make>
void add(Json& json, const char* name, const std::string& path, const Make& make) {
  std::error_code none;
  if (!fs::exists(path, none)) return;
  try {
    json[name] = make(path);
  } catch (const std::exception&) {
    json[name] = nullptr;
  }
}

Json config_facts(const std::string& path) {
  Json options = Json::array();
  for (const config::Setting& setting : config::read_model_settings(path)) {
    options.push_back({setting.name, fmt::format("{}", fmt::join(setting.values, " "))});
  }
  return options;
}

Json overlap_facts(const std::string& path) {
  const std::string text = read_regular_file(path);
  if (is_nested_deeper(text)) throw Error(nested_too_deep());
  return Json::parse(text);
}

std::string members(const Json& json) {
  const std::string object = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return object.substr(1, object.size() - 2);
}

}  // namespace

std::string run_facts(const std::string& directory) {
  Json facts = Json::object();
  add(facts, "config", directory + "/config.toml", config_facts);
  Json& data = facts["data"] = Json::object();
  add(data, "train", directory + "/train.corpus", corpus_facts);
  add(data, "valid", directory + "/valid.corpus", corpus_facts);
  add(facts, "overlap", directory + "/overlap.json", overlap_facts);
  return members(facts);
}

std::string disk_facts(const std::string& directory) {
  std::map<std::string, uint64_t> bytes;
  std::error_code error;  // files come and go during a training
  for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (!entry->is_regular_file(gone)) continue;
    const uint64_t size = entry->file_size(gone);
    if (!gone) bytes[*entry->path().lexically_relative(directory).begin()] += size;
  }
  Json disk = Json::array();
  for (const auto& [name, size] : bytes) {
    if (size > 0) disk.push_back({name, size});
  }
  return members(Json{{"disk", disk}});
}

}  // namespace heed::report
