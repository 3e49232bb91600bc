#include "heed/curation/files/text_lines.h"

#include <utility>

namespace heed::curation {

TextLines::TextLines(std::vector<std::string> paths, const data::CorpusFiles& files)
    : paths_(std::move(paths)), files_(files) {
  open_next();
}

bool TextLines::open_next() {
  if (opened_ == paths_.size()) return false;
  const std::string& path = paths_[opened_++];
  reader_.emplace(path, InvalidText::Replace, data::name_of(path, files_));
  replaced_ = unreadable_ = 0;
  return true;
}

bool TextLines::next(std::string& line) {
  while (reader_) {
    if (reader_->next(line)) {
      ++lines_;
      ill_formed_ = reader_->replaced_lines() > replaced_;
      replaced_ = reader_->replaced_lines();
      refuse_binary(line);
      return true;
    }
    if (!open_next()) return false;
  }
  return false;
}

void TextLines::refuse_binary(const std::string& line) {
  constexpr int64_t kFirstLines = 20;
  constexpr int64_t kEnough = 3;
  const int64_t number = reader_->line_number();
  if (number > kFirstLines) return;
  const bool has_nul = line.find('\0') != std::string::npos;
  if (ill_formed_ || has_nul) ++unreadable_;
  if (!has_nul && (unreadable_ < kEnough || unreadable_ * 2 <= number)) return;
  throw InputError(
      reader_->path(), number,
      "is not text in UTF-8: " +
          std::string(has_nul ? "the line has a NUL character" : "most of its first lines have other bytes") +
          "; text in another encoding is converted by `iconv -f ENCODING -t UTF-8`");
}

}  // namespace heed::curation
