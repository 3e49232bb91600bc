#include "heed/metrics/tokenizers.h"

#include "heed/metrics/tokenizer_13a.h"

namespace heed::metrics {
namespace {

class NoTokenizer : public TextTokenizer {
 public:
  std::string operator()(std::string_view line) const override { return std::string(line); }
  std::string name() const override { return "none"; }
};

}  // namespace

std::unique_ptr<const TextTokenizer> make_tokenizer(BleuTokenizer kind) {
  if (kind == BleuTokenizer::V13a) return std::make_unique<Tokenizer13a>();
  return std::make_unique<NoTokenizer>();
}

}  // namespace heed::metrics
