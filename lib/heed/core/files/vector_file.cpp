#include "heed/core/files/vector_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed {

VectorFile::VectorFile(const std::string& path)
    : path_(path), file_(path), layout_(find_vectors(file_.bytes(), path)) {}

int64_t VectorFile::first_vector(int64_t item) const {
  return layout_.every ? item * layout_.every->vectors() : layout_.starts[static_cast<size_t>(item)];
}

GridShape VectorFile::shape(int64_t item) const {
  check(item >= 0 && item < size(), "VectorFile: no such item");
  if (layout_.every) return *layout_.every;
  const int64_t vectors = first_vector(item + 1) - first_vector(item);
  const int64_t rows = layout_.is_grid ? layout_.rows[static_cast<size_t>(item)] : 1;
  return {.rows = rows, .columns = vectors / rows};
}

void VectorFile::read(int64_t item, std::span<float> values) const {
  check(values.size() == static_cast<size_t>(shape(item).vectors() * width()),
        "VectorFile: read an item into place for as many numbers as it has");
  const size_t before = static_cast<size_t>(first_vector(item) * width());
  read_numbers(layout_.type, file_.bytes().data() + layout_.begin + before * number_size(layout_.type), values);
  const auto wrong = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (wrong == values.end()) return;
  const int64_t place = wrong - values.begin();
  throw InputError(path_, 0,
                   fmt::format("expected finite numbers of float32, item {} has {} as number {} of vector {}", item + 1,
                               *wrong, place % width() + 1, place / width() + 1));
}

}  // namespace heed
