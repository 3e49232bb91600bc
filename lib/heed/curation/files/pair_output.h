// Writes pairs, in any format.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "heed/curation/files/pair.h"
#include "heed/curation/files/pair_form.h"
#include "heed/curation/files/pair_format.h"

namespace heed::curation {

/// Takes the text of a file as it is written.
using TextSink = std::function<void(std::string_view)>;

/// Writes pairs as text of a format. Line breaks inside a text, and TABs in TSV, become spaces if the format cannot
/// have them. In XML, control characters become U+FFFD.
class PairWriter {
 public:
  /// Two text files whose N-th lines belong together.
  PairWriter(TextSink source, TextSink target) : source_(std::move(source)), target_(std::move(target)) {}
  /// One file of pairs. languages: codes for TMX, XLIFF and PO.
  PairWriter(PairFormat format, TextSink pairs, const std::pair<std::string, std::string>& languages);

  void write(const Pair& pair);
  /// Writes the end of the file.
  void finish();
  /// Texts in which a line break or TAB became a space.
  int64_t changed_texts() const { return changed_; }
  /// Texts in which control characters became U+FFFD.
  int64_t replaced_texts() const { return replaced_; }

 private:
  std::string on_one_line(const std::string& text, bool tabs);
  Pair fitting(const Pair& pair);

  TextSink source_, target_, pairs_;
  PairFormat format_ = PairFormat::Tsv;
  std::unique_ptr<PairForm> form_;  // null: two files
  int64_t changed_ = 0, replaced_ = 0;
};

}  // namespace heed::curation
