// Sources that are vectors, or have them, of targets that exist: item N belongs to pair N of the text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heed/data/corpus/corpus_files.h"
#include "heed/translation/lines/source_line.h"
#include "model_command.h"
#include "source_items.h"

namespace heed::apps {

class PairedItems {
 public:
  /// Of a model that reads text alone there are none. Throws ConfigError where the model reads other sources than the
  /// files are, or a needed one is missing; what opening files throws; InputError where there are not as many items as
  /// pairs, which is found here where the text can be read twice.
  PairedItems(const data::CorpusFiles& text, const data::TextFormat& format, const ItemFiles& items,
              const ModelUse& use, const UsedModel& model);

  bool any() const { return items_ != nullptr; }
  /// The next sources. text: a line of each, empty where vectors are the whole source. Throws InputError where items
  /// end or one is damaged.
  std::vector<translation::SourceLine> next(const std::vector<std::string>& text);
  /// Throws InputError where items are left.
  void finish() const;

 private:
  void require_pairs(int64_t pairs) const;
  [[noreturn]] void refuse(const std::string& lines) const;

  std::unique_ptr<const SourceItems> items_;
  bool has_text_;
  int64_t next_ = 0;
};

}  // namespace heed::apps
