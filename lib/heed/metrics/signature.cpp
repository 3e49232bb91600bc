#include "heed/metrics/signature.h"

#include <fmt/format.h>

namespace heed::metrics {
namespace {

std::string join(const std::vector<SignatureEntry>& entries, std::string SignatureEntry::* key) {
  std::string text;
  for (const SignatureEntry& entry : entries) {
    if (!text.empty()) text += '|';
    text += entry.*key + ':' + entry.value;
  }
  return text;
}

}  // namespace

Signature::Signature(const SignatureContext& context, std::vector<SignatureEntry> of_metric, std::string_view version) {
  const auto add = [this](const char* key, const char* short_key, const auto& value) {
    if (value) entries_.push_back({key, short_key, fmt::format("{}", *value)});
  };
  entries_.push_back({"nrefs", "#", context.references ? fmt::format("{}", *context.references) : "var"});
  add("bs", "bs", context.bootstrap_samples);
  add("ar", "ar", context.randomization_trials);
  add("seed", "rs", context.seed);
  add("test", "t", context.test_set);
  add("lang", "l", context.language_pair);
  add("origlang", "o", context.original_language);
  add("subset", "S", context.subset);
  entries_.insert(entries_.end(), of_metric.begin(), of_metric.end());
  if (!version.empty()) entries_.push_back({"version", "v", std::string(version)});
}

std::string Signature::text() const { return join(entries_, &SignatureEntry::key); }
std::string Signature::short_text() const { return join(entries_, &SignatureEntry::short_key); }

}  // namespace heed::metrics
