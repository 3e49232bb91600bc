#include "heed/translation/lines/unknown_word_replacer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/text/one_line.h"
#include "heed/core/text/unicode.h"
#include "heed/translation/lines/term_file.h"

namespace heed::translation {
namespace {

bool is_word(std::string_view text) { return split_whitespace(text).size() == 1; }

/// The word that gets most of a token's attention; null: no word gets any.
const std::string* most_attended(const std::vector<float>& weights, const text::AlignmentUnits& source) {
  std::vector<float> of_word(source.names.size(), 0);
  for (size_t i = 0; i < std::min(weights.size(), source.of_token.size()); ++i) {
    if (source.of_token[i] >= 0) of_word[static_cast<size_t>(source.of_token[i])] += weights[i];
  }
  const auto most = std::ranges::max_element(of_word);
  if (most == of_word.end() || *most <= 0) return nullptr;
  return &source.names[static_cast<size_t>(most - of_word.begin())];
}

}  // namespace

void UnknownWordReplacer::read_dictionary(const std::string& path) {
  TermFile file(path);
  for (std::string source, target; file.next(source, target);) {
    if (!is_word(source) || !is_word(target)) file.fail("expected one word on each side of the tab");
    if (!dictionary_.emplace(source, target).second) {
      file.fail(fmt::format("'{}' has a translation in an earlier line", source));
    }
  }
}

std::string UnknownWordReplacer::instead_of(const std::string& source) const {
  const auto found = dictionary_.find(source);
  return found == dictionary_.end() ? source : found->second;
}

std::string UnknownWordReplacer::text_of(const text::Ids& ids, size_t given, const text::AlignmentUnits& source,
                                         const text::AlignmentWeights& attention,
                                         const search::ForbiddenPhrases* forbidden) const {
  std::string text = on_one_line(target_->decode(ids));
  const std::string unknown_text = target_->decode(text::Ids{text::kUnk});
  const std::string_view unknown = strip(unknown_text);
  // From last to first, so that earlier text does not move.
  for (size_t i = std::min(ids.size(), attention.size()); i-- > given;) {
    if (ids[i] != text::kUnk) continue;
    const std::string* word = most_attended(attention[i], source);
    const auto before = static_cast<std::ptrdiff_t>(i);
    const std::string begin = on_one_line(target_->decode(text::Ids(ids.begin(), ids.begin() + before)));
    const size_t place = text.find(unknown, strip_right(begin).size());
    if (word == nullptr || place == text.npos) continue;
    std::string replaced = text;
    replaced.replace(place, unknown.size(), instead_of(*word));
    if (forbidden == nullptr || !forbidden->is_found_in(replaced)) text = std::move(replaced);
  }
  return text;
}

}  // namespace heed::translation
