// A request for /v1/translate, and its answer: for each line all that `heed translate --format json` tells.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "heed/api/translation_json.h"
#include "heed/serve/batcher.h"
#include "heed/serve/parameters.h"
#include "heed/serve/served_model.h"
#include "heed/serve/text_lines.h"

namespace heed::serve {

class DetailedQuery {
 public:
  /// Reads text, split, n_best, tokens, alignment, attention, prefix and stream. max_n_best: the most that may be asked
  /// for. Throws RequestError.
  DetailedQuery(const Parameters& parameters, int64_t max_n_best, std::shared_ptr<const ServedModel> model);

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
  std::vector<std::string> prefixes_of_lines(const Parameters::Texts& prefixes) const;

  std::shared_ptr<const ServedModel> model_;
  TextLines texts_;
  bool is_list_ = false;
  bool streams_ = false;
  TranslationSettings settings_;
  api::JsonContents contents_;
  bool attention_ = false;
  std::vector<std::string> prefixes_;
};

}  // namespace heed::serve
