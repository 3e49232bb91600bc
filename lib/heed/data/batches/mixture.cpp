#include "heed/data/batches/mixture.h"

#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>

#include <fnmatch.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/random.h"

namespace heed::data {
namespace {

constexpr const char* kOption = "data.corpus-weights";

WeightedCorpus parse_part(const std::string& entry) {
  const size_t sign = entry.rfind('=');
  const auto fail = [&] {
    throw ConfigError(kOption,
                      fmt::format("must have entries PATTERN=WEIGHT with a weight above 0, but has `{}`", entry));
  };
  if (sign == std::string::npos || sign == 0) fail();
  WeightedCorpus part{.pattern = entry.substr(0, sign)};
  try {
    size_t end = 0;
    const std::string weight = entry.substr(sign + 1);
    part.weight = std::stod(weight, &end);
    if (end != weight.size()) fail();
  } catch (const std::logic_error&) {  // not a number, or out of range
    fail();
  }
  if (!std::isfinite(part.weight) || part.weight <= 0) fail();
  return part;
}

bool matches(const std::string& pattern, const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  return fnmatch(pattern.c_str(), path.c_str(), 0) == 0 || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// The index of the first pattern that matches a file.
size_t part_of(const std::string& path, const std::vector<WeightedCorpus>& parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (matches(parts[i].pattern, path)) return i;
  }
  throw ConfigError(kOption, fmt::format("says nothing of {}: each file of the training text needs a weight", path));
}

}  // namespace

std::vector<WeightedCorpus> parse_mix(const std::vector<std::string>& mix) {
  std::vector<WeightedCorpus> parts;
  for (const std::string& entry : mix) parts.push_back(parse_part(entry));
  return parts;
}

Mixture::Mixture(const EncodedCorpus& corpus, const std::vector<std::string>& mix) {
  if (mix.empty()) return;
  const std::vector<WeightedCorpus> parts = parse_mix(mix);
  const std::vector<CorpusFile>& files = corpus.target_files();
  std::vector<size_t> part_of_file;
  std::vector<int64_t> pairs(parts.size());
  for (const CorpusFile& file : files) {
    part_of_file.push_back(part_of(file.path, parts));
    pairs[part_of_file.back()] += file.kept;
  }
  double weights = 0;
  for (const WeightedCorpus& part : parts) weights += part.weight;
  std::vector<double> copies;
  std::vector<std::string> said;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (pairs[i] == 0) {
      throw ConfigError(kOption,
                        fmt::format("has `{}`, but no pair of the training text is of such a file", parts[i].pattern));
    }
    const double share = parts[i].weight / weights;
    copies.push_back(share * static_cast<double>(corpus.size()) / static_cast<double>(pairs[i]));
    said.push_back(fmt::format("{}: {:.1f}% of the pairs, each {:.3g} times an epoch", parts[i].pattern, 100 * share,
                               copies.back()));
  }
  for (const size_t part : part_of_file) copies_.push_back(copies[part]);
  description_ = fmt::format("{}", fmt::join(said, "; "));
}

int64_t Mixture::copies(const EncodedCorpus& corpus, int64_t pair, uint64_t seed, int64_t epoch) const {
  if (!any()) return 1;
  const double wanted = copies_[corpus.target_file(pair)];
  RandomStream random(stream_key(seed, Purpose::Mixing, static_cast<uint64_t>(epoch), static_cast<uint64_t>(pair)));
  return static_cast<int64_t>(wanted + random.uniform());  // rounded down: the fraction is the probability of one more
                                                           // copy
}

}  // namespace heed::data
