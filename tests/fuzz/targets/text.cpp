// Text through each tokenizer and metric.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/targets/targets.h"
#include "heed/core/random.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/segment_builder.h"
#include "heed/metrics/alignment_error_rate.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/bleu/multi_bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/metrics/labels/accuracy.h"
#include "heed/metrics/labels/confusion.h"
#include "heed/metrics/labels/macro_f1.h"
#include "heed/metrics/labels/span_f1.h"
#include "heed/metrics/ter/ter.h"
#include "heed/metrics/token_metrics.h"
#include "heed/text/protected_text.h"
#include "heed/text/targets/word_ids.h"
#include "heed/text/tokenizers/learn_tokenizers.h"
#include "heed/translation/lines/lost_text.h"
#include "heed/translation/lines/sentences.h"
#include "heed/translation/lines/term_list.h"

namespace heed::fuzz {
namespace {

using namespace metrics;

/// The input's lines, well-formed, at most `most`; the last has the rest.
std::vector<std::string> lines_of(std::string_view input, size_t most) {
  std::vector<std::string> lines(1);
  for (const char c : input) {
    if (c == '\n' && lines.size() < most)
      lines.emplace_back();
    else
      lines.back() += c == '\n' ? ' ' : c;
  }
  for (std::string& line : lines) line = replace_invalid_utf8(line);
  return lines;
}

std::vector<std::unique_ptr<Metric>> make_metrics() {
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const auto tokenize :
       {BleuTokenizer::V13a, BleuTokenizer::Intl, BleuTokenizer::Zh, BleuTokenizer::Char, BleuTokenizer::None}) {
    metrics.push_back(std::make_unique<Bleu>(BleuOptions{.tokenize = tokenize,
                                                         .lowercase = tokenize != BleuTokenizer::Zh,
                                                         .effective_order = tokenize != BleuTokenizer::None}));
  }
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{.smooth = FloorSmoothing{}}));
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{.smooth = AddKSmoothing{}}));
  metrics.push_back(std::make_unique<Chrf>());
  metrics.push_back(std::make_unique<Chrf>(
      ChrfOptions{.word_order = 2, .lowercase = true, .whitespace = true, .eps_smoothing = true}));
  metrics.push_back(std::make_unique<MultiBleu>(MosesBleuOptions{.lowercase = true}));
  metrics.push_back(std::make_unique<TokenAccuracy>());
  metrics.push_back(std::make_unique<LengthRatio>());
  metrics.push_back(std::make_unique<ErrorRate>(ErrorUnit::Words));
  metrics.push_back(std::make_unique<ErrorRate>(ErrorUnit::Characters));
  for (const bool normalized : {false, true}) {
    metrics.push_back(std::make_unique<Ter>(TerOptions{.normalized = normalized, .asian_support = normalized}));
    metrics.push_back(
        std::make_unique<Ter>(TerOptions{.normalized = normalized, .no_punct = true, .asian_support = true}));
  }
  return metrics;
}

void score(const Metric& metric, const std::string& hypothesis, const std::vector<std::string>& references) {
  const auto statistics = metric.extract(std::vector{hypothesis}, References::from_lines({references}));
  require(std::ranges::all_of(statistics.values(), [](double value) { return std::isfinite(value) && value >= 0; }));
  const double value = metric.score(statistics.row(0)).value;
  require(std::isfinite(value) && value >= 0);
  const bool is_bounded = metric.name() == "BLEU" || metric.name().starts_with("chrF");
  require(!is_bounded || value <= 100 + 1e-9);
  const Sums resampled(statistics.row(0), Sums::Type::Float32);
  require(std::abs(metric.value(resampled) - value) <= 1e-3 * (1 + value));
}

void score_macro_f1(const std::string& hypothesis, const std::vector<std::string>& references) {
  const std::vector<std::vector<std::string>> systems{{hypothesis}};
  score(MacroF1(References::from_lines({references}), systems), hypothesis, references);
}

/// Tokenizers of every kind, learned from a few lines.
std::vector<text::Tokenizers> make_tokenizers() {
  const auto lines = [] {
    return [left = 8](std::string& line) mutable {
      line =
          "the lower house, a newer one; 2 houses were lower than the newest \xc3\xa9t\xc3\xa9 \xe4\xbd\xa0\xe5\xa5\xbd";
      return left-- > 0;
    };
  };
  std::vector<text::Tokenizers> all;
  const auto add = [&](auto type) {
    all.push_back(text::learn_tokenizers({.type = std::move(type)}, lines(), lines()));
  };
  text::UnigramOptions unigram;
  unigram.subwords.size.vocab_size = 45;
  add(unigram);
  text::SentencePieceBpeOptions pieces;
  pieces.subwords.size.vocab_size = 45;
  add(pieces);
  text::BpeOptions merges;
  merges.merges = 20;
  add(merges);
  add(text::WordsOptions{});
  add(text::CharactersOptions{});
  add(text::PretokenizedOptions{});
  return all;
}

void tokenize(const text::Tokenizer& tokenizer, const std::string& line) {
  const text::Ids ids = tokenizer.encode(line);
  for (const int32_t id : ids) require(id >= 0 && id < tokenizer.size());
  const std::string decoded = tokenizer.decode(ids);
  require(!first_invalid_utf8(decoded) && decoded.find('\n') == std::string::npos);
  require(tokenizer.words(ids).size() == ids.size());
  require(tokenizer.line_words(line).of_id.size() == ids.size());
  text::word_ids(tokenizer, line);
}

}  // namespace

void tokenize_text(std::string_view input) {
  static const auto tokenizers = make_tokenizers();
  for (const std::string& line : lines_of(input, 4)) {
    for (const text::Tokenizers& both : tokenizers) attempt([&] { tokenize(*both.source, line); });
  }
}

void find_in_text(std::string_view input) {
  static const text::ProtectedText rules({text::ProtectedKind::Url, text::ProtectedKind::Mail,
                                          text::ProtectedKind::Placeholder, text::ProtectedKind::Reference,
                                          text::ProtectedKind::Tag, text::ProtectedKind::Number});
  const auto lines = lines_of(input, 3);
  const std::string& line = lines[0];
  for (const text::ProtectedMatch& match : rules.find(line))
    require(match.begin < match.end && match.end <= line.size());
  size_t bytes = 0;
  for (const std::string_view sentence : translation::sentences(line)) bytes += sentence.size();
  require(bytes <= line.size());
  translation::loses_placeholder(line, lines.back());
  translation::loses_number(line, lines.back());
  for (const bool fold : {false, true}) {
    translation::TermList terms(fold);
    attempt([&] { terms.add(lines.back(), "x"); });
    for (const auto& match : terms.matches_in(line)) require(match.begin <= match.end && match.end <= line.size());
  }
}

void score_translations(std::string_view input) {
  static const auto metrics = make_metrics();
  auto lines = lines_of(input.substr(0, 4000), 4);
  if (lines.size() == 1) lines.push_back(lines[0]);
  const std::vector<std::string> references(lines.begin() + 1, lines.end());
  for (const auto& metric : metrics) score(*metric, lines[0], references);
  require(std::isfinite(AlignmentErrorRate().sentence_score(lines[0], std::vector{references[0]}).value));
}

void score_labels(std::string_view input) {
  const auto lines = lines_of(input.substr(0, 4000), 2);
  const std::vector<std::string> references{lines.back()};
  attempt([&] { score(Accuracy(), lines[0], references); });
  attempt([&] { score_macro_f1(lines[0], references); });
  attempt([&] { score(SpanF1(), lines[0], references); });
  attempt([&] { Confusion(std::vector{lines[0]}, References::from_lines({references})).mistakes(); });
}

}  // namespace heed::fuzz
