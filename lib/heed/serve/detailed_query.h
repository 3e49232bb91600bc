// A request for /v1/translate, and its answer: for each line all that `heed translate --format json` tells.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "heed/api/translation_json.h"
#include "heed/serve/batcher.h"
#include "heed/serve/layer_attention.h"
#include "heed/serve/parameters.h"
#include "heed/serve/served_model.h"
#include "heed/serve/text_lines.h"

namespace heed::serve {

class DetailedQuery {
 public:
  /// Reads text, split, n_best, tokens, alignment, attention, search, terms, prefix and stream. max_n_best: the most
  /// that may be asked for. Throws RequestError.
  DetailedQuery(const Parameters& parameters, int64_t max_n_best, std::shared_ptr<const ServedModel> model,
                const std::string& target_tag);

  /// Lets the answer name the source language that was detected.
  void set_detected(std::string code) { detected_ = std::move(code); }
  const TextLines& texts() const { return texts_; }
  bool streams() const { return streams_; }
  /// What to translate, without a deadline and `done`.
  TranslationJob job() const;

  /// The answer, for the translations of all lines.
  nlohmann::ordered_json answer(const std::vector<translation::Translation>& translations) const;
  /// What a stream tells of a line.
  nlohmann::ordered_json line_event(size_t line, const translation::Translation& translation) const;

 private:
  nlohmann::ordered_json line_json(size_t line, const translation::Translation& translation) const;
  void read_attention(const Parameters& parameters);
  void require_one_line() const;
  std::vector<std::string> prefixes_of_lines(const Parameters::Texts& prefixes) const;

  std::shared_ptr<const ServedModel> model_;
  TextLines texts_;
  bool is_list_ = false;
  bool streams_ = false;
  TranslationSettings settings_;
  api::JsonContents contents_;
  bool attention_ = false;                // that of the search
  std::optional<LayerSelection> layers_;  // that of layers and heads
  bool search_ = false;                   // the tree of the search
  std::vector<std::string> prefixes_;
  std::string detected_;  // empty: the source language was named
};

}  // namespace heed::serve
