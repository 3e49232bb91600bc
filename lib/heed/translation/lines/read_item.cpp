#include "heed/translation/lines/read_item.h"

namespace heed::translation {

std::shared_ptr<const search::SourceItem> read_item(const data::SourceVectors& vectors, int64_t item, bool has_text) {
  const VectorFile& file = vectors.file();
  auto read = std::make_shared<search::SourceItem>();
  read->shape = file.shape(item);
  read->values.resize(static_cast<size_t>(read->shape.vectors() * file.width()));
  file.read(item, read->values);
  read->positions = vectors.length(item);
  read->has_text = has_text;
  return read;
}

}  // namespace heed::translation
