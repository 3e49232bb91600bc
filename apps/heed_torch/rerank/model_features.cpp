#include "rerank/model_features.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed_torch/translation/lines/line_length.h"

namespace heed::apps {
namespace {

using reranking::FeatureKind;

/// The pairs that a model scores: each candidate and its source.
struct Pairs {
  std::vector<std::string> sources, targets;
};

Pairs pairs_for(FeatureKind kind, const ListedLines& lines) {
  Pairs pairs;
  for (size_t i = 0; i < lines.lists.size(); ++i) {
    for (const reranking::Candidate& candidate : lines.lists[i].candidates) {
      const bool backward = kind == FeatureKind::RightToLeft;
      std::string text = backward ? reranking::from_right_to_left(candidate.text) : candidate.text;
      if (kind == FeatureKind::LanguageModel) {
        pairs.targets.push_back(std::move(text));
      } else if (kind == FeatureKind::Reverse) {
        pairs.sources.push_back(std::move(text));
        pairs.targets.push_back(lines.sources[i]);
      } else {
        pairs.sources.push_back(lines.sources[i]);
        pairs.targets.push_back(std::move(text));
      }
    }
  }
  return pairs;
}

std::vector<double> of_list(FeatureKind kind, const reranking::NBestList& list) {
  std::vector<double> values;
  if (kind == FeatureKind::Length) {
    std::vector<std::string> texts;
    for (const auto& candidate : list.candidates) texts.push_back(candidate.text);
    return reranking::relative_lengths(texts);
  }
  for (const auto& candidate : list.candidates) values.push_back(candidate.score);
  return values;
}

/// The source line of a candidate, from 0.
int64_t line_of(size_t candidate, const ListedLines& lines) {
  for (const reranking::NBestList& list : lines.lists) {
    if (candidate < list.candidates.size()) return list.line;
    candidate -= list.candidates.size();
  }
  throw std::logic_error("a candidate beyond the lists");
}

}  // namespace

size_t ListedLines::candidates() const {
  size_t count = 0;
  for (const auto& list : lists) count += list.candidates.size();
  return count;
}

struct ModelFeatures::Column {
  reranking::Feature feature;
  std::shared_ptr<const translation::Scorer> scorer;  // for features with a model
};

ModelFeatures::ModelFeatures(std::span<const reranking::Feature> features, const ModelUse& use,
                             const translation::ScorerOptions& options) {
  for (const reranking::Feature& feature : features) {
    columns_.push_back({.feature = feature, .scorer = nullptr});
    if (!has_model(feature.kind)) continue;
    const std::string option(enum_name(feature.kind));
    const ModelUse its = beside(use, feature.model, option);
    const OpenedTorchModel model = open_model(its);
    if (feature.kind == FeatureKind::LanguageModel) {
      require_language_model(its, model, option);
    } else {
      require_translation_model(its, model, option);
    }
    columns_.back().scorer =
        std::make_shared<translation::Scorer>(model.opened.model, model.opened.tokenizers, options, model.device);
  }
}

bool ModelFeatures::need_source() const {
  return std::ranges::any_of(columns_, [](const Column& column) {
    return column.scorer != nullptr && column.feature.kind != FeatureKind::LanguageModel;
  });
}

std::vector<double> ModelFeatures::column(const Column& column, const ListedLines& lines) const {
  std::vector<double> values;
  const FeatureKind kind = column.feature.kind;
  if (column.scorer == nullptr) {
    for (const auto& list : lines.lists) {
      const std::vector<double> of = of_list(kind, list);
      values.insert(values.end(), of.begin(), of.end());
    }
    return values;
  }
  const Pairs pairs = pairs_for(kind, lines);
  for (const translation::ScoredTranslation& scored : column.scorer->score(pairs.sources, pairs.targets)) {
    const auto tokens = static_cast<double>(scored.token_log_probabilities.size());
    values.push_back(tokens > 0 ? scored.log_probability / tokens : 0);
  }
  return values;
}

std::vector<double> ModelFeatures::of(const ListedLines& lines, const std::string& path) const {
  std::vector<double> rows(lines.candidates() * columns_.size());
  for (size_t f = 0; f < columns_.size(); ++f) {
    try {
      const std::vector<double> values = column(columns_[f], lines);
      for (size_t c = 0; c < values.size(); ++c) rows[c * columns_.size() + f] = values[c];
    } catch (const translation::LineTooLong& error) {
      throw InputError(path, 0,
                       fmt::format("a translation of line {}, under {}: {}", line_of(error.pair(), lines),
                                   columns_[f].feature.model, error.what()));
    }
  }
  return rows;
}

}  // namespace heed::apps
