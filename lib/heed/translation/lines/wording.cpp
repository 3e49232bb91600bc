#include "heed/translation/lines/wording.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/unicode.h"
#include "heed/translation/lines/term_file.h"

namespace heed::translation {

void Wording::read_terms(const std::string& path) {
  TermFile file(path);
  for (std::string source, target; file.next(source, target);) {
    const text::Ids ids = target_->encode(target);
    if (ids.empty() || std::ranges::count(ids, text::kUnk) > 0) {
      file.fail(fmt::format("the model's vocabulary cannot spell '{}'", target));
    }
    if (!terms_.add(source, target)) file.fail(fmt::format("'{}' has a translation in an earlier line", source));
  }
}

void Wording::read_forbidden(const std::string& path) {
  const text::Speller speller(*target_);
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    if (!strip(line).empty()) forbidden_.push_back(speller.of(strip(line)));
  }
}

void Wording::tag(const std::string& text) {
  tag_ = target_->encode(text);
  if (tag_.empty() || std::ranges::count(tag_, text::kUnk) > 0) {
    throw ConfigError("--target-tag", fmt::format("'{}' is none that the model's vocabulary can spell", text));
  }
}

std::shared_ptr<const search::Demands> Wording::demands(std::string_view source, std::string_view prefix) const {
  search::Demands demands{.prefix = tag_, .tag = tag_.size(), .forbidden = forbidden_};
  const text::Ids begin = strip(prefix).empty() ? text::Ids{} : target_->encode(prefix);
  demands.prefix.insert(demands.prefix.end(), begin.begin(), begin.end());
  for (const std::string& target : terms_.targets_in(source)) demands.required.push_back(target_->encode(target));
  if (demands.tokens() == 0 && forbidden_.empty()) return nullptr;
  return std::make_shared<const search::Demands>(std::move(demands));
}

}  // namespace heed::translation
