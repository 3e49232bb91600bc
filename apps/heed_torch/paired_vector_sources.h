// Sources with vectors, for given targets: item N belongs to pair N of the text.
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

class PairedVectorSources {
 public:
  /// Empty for a model that reads text only. Throws ConfigError if the model reads other kinds of sources than the
  /// files have, or a needed file is missing; what opening files throws; InputError if the numbers of items and pairs
  /// differ. This is checked here if the text can be read twice.
  PairedVectorSources(const data::CorpusFiles& text, const data::TextFormat& format, const ItemFiles& items,
                      const ModelUse& use, const OpenedTorchModel& model);

  bool any() const { return items_ != nullptr; }
  /// The next sources. text: a line for each source, empty if vectors are the whole source. Throws InputError if there
  /// are too few items or one is damaged.
  std::vector<translation::SourceLine> next(const std::vector<std::string>& text);
  /// Throws InputError if items are left.
  void finish() const;

 private:
  void require_pairs(int64_t pairs) const;
  [[noreturn]] void refuse(const std::string& lines) const;

  std::unique_ptr<const SourceItems> items_;
  bool has_text_;
  int64_t next_ = 0;
};

}  // namespace heed::apps
