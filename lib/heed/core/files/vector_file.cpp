#include "heed/core/files/vector_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"

namespace heed {
namespace {

constexpr size_t kHeaderBytes = 512;  // reserved for the header with its length; it needs about 300
constexpr size_t kMostBytesWaiting = 1 << 20;
constexpr uint64_t kAlignment = sizeof(int64_t);

}  // namespace

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

VectorWriter::VectorWriter(const std::string& path, int64_t width, NumberType type, VectorItems items)
    : path_(path), width_(width), type_(type), is_grid_(items == VectorItems::Grids), file_(path) {
  check(width >= 1, "VectorWriter: the width must be at least 1");
  if (!path.ends_with(".safetensors")) throw InputError(path, 0, "expected a name with the ending .safetensors");
  file_.write(std::string(kHeaderBytes, ' '));
  file_.write_at(0, std::string(kHeaderBytes, ' '));  // fails immediately if the file is a pipe
}

void VectorWriter::add_shape(const GridShape& shape, size_t numbers) {
  check(shape.rows >= 1 && shape.columns >= 1 && (is_grid_ || shape.rows == 1),
        "VectorWriter: an item has at least one vector, a sequence one row");
  check(numbers == static_cast<size_t>(shape.vectors() * width_), "VectorWriter: the numbers must fit the shape");
  if (is_grid_) shapes_.push_back(shape.rows);
  shapes_.push_back(shape.columns);
  vectors_ += shape.vectors();
}

void VectorWriter::check_finite(std::span<const float> values) const {
  const auto wrong = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (wrong == values.end()) return;
  throw InputError(path_, 0,
                   fmt::format("expected numbers that are finite in {}, item {} has {}", enum_name(type_),
                               shapes_.size() / (is_grid_ ? 2 : 1) + 1, *wrong));
}

void VectorWriter::add(const GridShape& shape, std::span<const float> values) {
  std::vector<std::byte> stored(values.size() * number_size(type_));
  write_numbers(type_, values, stored.data());
  std::vector<float> rounded(values.size());
  read_numbers(type_, stored.data(), rounded);
  check_finite(rounded);
  add_shape(shape, values.size());
  append(stored);
}

void VectorWriter::add(const GridShape& shape, std::span<const uint8_t> values) {
  check(type_ == NumberType::U8, "VectorWriter: bytes are numbers of U8");
  add_shape(shape, values.size());
  append(std::as_bytes(values));
}

void VectorWriter::append(std::span<const std::byte> bytes) {
  waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
  if (waiting_.size() >= kMostBytesWaiting) flush();
}

void VectorWriter::flush() {
  file_.write(waiting_.data(), waiting_.size());
  waiting_.clear();
}

std::string VectorWriter::header(uint64_t padding) const {
  const uint64_t vectors_end = static_cast<uint64_t>(vectors_ * width_) * number_size(type_);
  const uint64_t shapes_begin = vectors_end + padding, shapes_end = shapes_begin + shapes_.size() * sizeof(int64_t);
  nlohmann::json header;
  header["vectors"] = {
      {"dtype", enum_name(type_)}, {"shape", {vectors_, width_}}, {"data_offsets", {uint64_t{0}, vectors_end}}};
  if (padding > 0) {
    header["padding"] = {{"dtype", "U8"}, {"shape", {padding}}, {"data_offsets", {vectors_end, shapes_begin}}};
  }
  nlohmann::json& shapes = header[is_grid_ ? "grids" : "lengths"];
  shapes = {{"dtype", "I64"}, {"data_offsets", {shapes_begin, shapes_end}}};
  shapes["shape"] = is_grid_ ? std::vector<uint64_t>{shapes_.size() / 2, 2} : std::vector<uint64_t>{shapes_.size()};
  return header.dump();
}

void VectorWriter::finish() {
  check(!shapes_.empty(), "VectorWriter: a file has at least one item");
  flush();
  // Other programs need aligned int64 numbers, and the format allows no gaps. So the padding is a tensor.
  const uint64_t bytes = static_cast<uint64_t>(vectors_ * width_) * number_size(type_);
  const uint64_t padding = (kAlignment - bytes % kAlignment) % kAlignment;
  file_.write(std::string(padding, '\0'));
  file_.write(shapes_.data(), shapes_.size() * sizeof(int64_t));
  const uint64_t length = kHeaderBytes - sizeof length;
  const std::string text = header(padding);
  check(text.size() <= length, "VectorWriter: the header needs more place");
  file_.write_at(0, {reinterpret_cast<const char*>(&length), sizeof length});
  file_.write_at(sizeof length, text);
  file_.commit();
}

}  // namespace heed
