#include "translate/choice_metric.h"

#include "heed/core/error.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"

namespace heed::apps {

void describe(ChoiceMetric& o, OptionVisitor& visit, const std::string& purpose) {
  visit("metric", o.type, purpose);
  visit("tokenize", o.tokenize, "tokenizer of BLEU");
  visit("tokenizer-model", o.tokenizer_model,
        "SentencePiece model of `tokenize` spm, or folder of the dictionary of ja-mecab or ko-mecab");
}

void check_options(const ChoiceMetric& options, const config::Arguments& given) {
  if (options.type == ChoiceMetricType::Bleu) return;
  for (const char* option : {"tokenize", "tokenizer-model"}) {
    if (given.gives(option)) throw ConfigError(std::string("--") + option, "has no effect but on BLEU");
  }
}

std::shared_ptr<const metrics::Metric> metric_of(const ChoiceMetric& options, bool effective_order) {
  if (options.type == ChoiceMetricType::Chrf) return std::make_shared<metrics::Chrf>();
  return std::make_shared<metrics::Bleu>(metrics::BleuOptions{
      .tokenize = options.tokenize, .tokenizer_model = options.tokenizer_model, .effective_order = effective_order});
}

}  // namespace heed::apps
