#include "heed/metrics/ter/ter.h"

#include <algorithm>
#include <limits>

#include "heed/core/text/unicode.h"
#include "heed/metrics/id_table.h"
#include "heed/metrics/ter/translation_edits.h"

namespace heed::metrics {

class Ter::TerExtractor : public Extractor {
 public:
  explicit TerExtractor(const TerOptions& options) : options_(options) {}

  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    split(hypothesis, hypothesis_text_);
    numbers_.reset(words_.size());
    hypothesis_.clear();
    for (const std::string_view word : words_) hypothesis_.push_back(numbers_.insert(word));
    int64_t fewest = std::numeric_limits<int64_t>::max();
    int64_t length = 0;
    for (const std::string_view reference : references) {
      split(reference, reference_text_);
      split_again();
      // No word of the hypothesis is kAbsent, so words that it lacks match nothing.
      reference_.clear();
      for (const std::string_view word : words_) reference_.push_back(numbers_.find(word));
      fewest = std::min(fewest, edits_.count(hypothesis_, reference_));
      length += static_cast<int64_t>(reference_.size());
    }
    statistics[0] = static_cast<double>(fewest);
    statistics[1] = static_cast<double>(length) / static_cast<double>(references.size());
  }

 private:
  void split(std::string_view line, std::string& tokens) {
    tokenize_ter(options_, strip_right(line), tokens, scratch_);
    split_whitespace(tokens, words_);
  }

  /// sacreBLEU tokenizes references twice: "dog's." first becomes "dog's ." and then "dog 's .".
  void split_again() {
    if (!options_.normalized && !options_.no_punct) return;  // the second time would change nothing
    joined_.clear();
    for (const std::string_view word : words_) joined_.append(joined_.empty() ? "" : " ").append(word);
    split(joined_, reference_text_);
  }

  const TerOptions& options_;
  TranslationEdits edits_;
  IdTable<std::string_view> numbers_;
  std::string scratch_;
  std::string hypothesis_text_;  // numbers_ points into it
  std::string reference_text_;
  std::string joined_;
  std::vector<std::string_view> words_;
  std::vector<uint32_t> hypothesis_;
  std::vector<uint32_t> reference_;
};

std::unique_ptr<Extractor> Ter::extractor() const { return std::make_unique<TerExtractor>(options_); }

double Ter::value(const Sums& sums) const {
  if (sums[1] > 0) return 100 * sums.quotient(0, 1);
  return sums[0] > 0 ? 100 : 0;
}

std::vector<SignatureEntry> Ter::signature_entries() const {
  const auto yes_or_no = [](bool yes) { return yes ? "yes" : "no"; };
  return {{"case", "c", options_.case_sensitive ? "mixed" : "lc"},
          {"tok", "t", "tercom"},
          {"norm", "nr", yes_or_no(options_.normalized)},
          {"punct", "pn", yes_or_no(!options_.no_punct)},
          {"asian", "as", yes_or_no(options_.asian_support)}};
}

}  // namespace heed::metrics
