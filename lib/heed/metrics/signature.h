// The signature of a score, in sacreBLEU's format: `nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::metrics {

/// The version of sacreBLEU that scores are identical to. Signatures name it.
inline constexpr std::string_view kSacreBleuVersion = "2.6.0";

struct SignatureEntry {
  std::string key;        ///< "smooth"
  std::string short_key;  ///< "s"
  std::string value;      ///< "exp"
  bool operator==(const SignatureEntry&) const = default;
};

/// What a signature contains in addition to the settings of the metric. Absent: left out (references: "var").
struct SignatureContext {
  std::optional<int64_t> references = 1;
  std::optional<int64_t> bootstrap_samples = {};
  std::optional<int64_t> randomization_trials = {};
  std::optional<std::string> seed = {};
  std::optional<std::string> test_set = {};
  std::optional<std::string> language_pair = {};
  std::optional<std::string> original_language = {};
  std::optional<std::string> subset = {};
};

/// The entries are in sacreBLEU's order: context, metric, version.
class Signature {
 public:
  /// version: left out if empty.
  Signature(const SignatureContext& context, std::vector<SignatureEntry> of_metric, std::string_view version);

  const std::vector<SignatureEntry>& entries() const { return entries_; }
  /// "nrefs:1|case:mixed|...|version:2.6.0"
  std::string text() const;
  /// "#:1|c:mixed|...|v:2.6.0"
  std::string short_text() const;

 private:
  std::vector<SignatureEntry> entries_;
};

}  // namespace heed::metrics
