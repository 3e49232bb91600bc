
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <stdexcept>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/safetensors.h"
#include "heed/core/files/vector_file.h"
#include "heed/core/random.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::TemporaryDirectory;

struct Item {
  GridShape shape;
  std::vector<uint8_t> bytes;
  std::vector<float> values;  // that every type has
};

std::vector<Item> drawn_items(RandomStream& random, int64_t width, bool grids) {
  std::vector<Item> items(1 + random.below(20));
  for (Item& item : items) {
    item.shape = {.rows = grids ? 1 + static_cast<int64_t>(random.below(4)) : 1,
                  .columns = 1 + static_cast<int64_t>(random.below(5))};
    for (int64_t i = 0; i < item.shape.vectors() * width; ++i) {
      item.bytes.push_back(static_cast<uint8_t>(random.below(256)));
      item.values.push_back(static_cast<float>(item.bytes.back()) / 4 - 32);
    }
  }
  return items;
}

void write_items(const std::string& path, int64_t width, NumberType type, bool grids, const std::vector<Item>& items) {
  VectorWriter writer(path, width, type, grids ? VectorItems::Grids : VectorItems::Sequences);
  for (const Item& item : items) {
    if (type == NumberType::U8) {
      writer.add(item.shape, std::span<const uint8_t>(item.bytes));
    } else {
      writer.add(item.shape, std::span<const float>(item.values));
    }
  }
  writer.finish();
}

void expect_items(const VectorFile& file, NumberType type, const std::vector<Item>& items) {
  ASSERT_EQ(file.size(), static_cast<int64_t>(items.size()));
  for (int64_t i = 0; i < file.size(); ++i) {
    const Item& item = items[static_cast<size_t>(i)];
    ASSERT_EQ(file.shape(i), item.shape);
    std::vector<float> values(item.values.size()), expected = item.values;
    file.read(i, values);
    for (size_t n = 0; type == NumberType::U8 && n < expected.size(); ++n)
      expected[n] = static_cast<float>(item.bytes[n]) / 255;
    EXPECT_EQ(values, expected) << enum_name(type) << " " << i;
  }
}

TEST(VectorWriter, DrawnItemsComeBackAsTheyWere) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.safetensors");
  RandomStream random(1, Purpose::Test);
  for (int trial = 0; trial < 50; ++trial) {
    const int64_t width = 1 + static_cast<int64_t>(random.below(9));
    const bool grids = trial % 2 == 1;
    const std::vector<Item> items = drawn_items(random, width, grids);
    for (const auto& [type, name] : option_names(NumberType{})) {
      write_items(path, width, type, grids, items);
      const VectorFile file(path);
      EXPECT_EQ(file.width(), width);
      EXPECT_EQ(file.is_grid(), grids);
      expect_items(file, type, items);
    }
  }
}

TEST(VectorWriter, MoreThanOneBlockGoesToTheDisk) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.safetensors");
  const std::vector<float> values(1000, 0.5F);
  VectorWriter writer(path, 1000, NumberType::F32);
  for (int i = 0; i < 600; ++i) writer.add({.columns = 1}, values);
  writer.finish();
  const VectorFile file(path);
  EXPECT_EQ(file.size(), 600);
  std::vector<float> read(1000);
  file.read(599, read);
  EXPECT_EQ(read, values);
}

TEST(VectorWriter, EveryTensorIsAlignedToItsNumbers) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.safetensors");
  for (int64_t width = 1; width <= 9; ++width) {
    VectorWriter writer(path, width, NumberType::U8);
    writer.add({.columns = 1}, std::vector<uint8_t>(static_cast<size_t>(width), 7));
    writer.finish();
    const MappedFile file(path);
    const SafetensorsHeader header = parse_safetensors_header(file.bytes(), path);
    EXPECT_EQ(header.tensors.front().name, "vectors");
    EXPECT_EQ(header.tensors.back().name, "lengths");
    EXPECT_EQ(header.tensors.back().begin % 8, 0);
    EXPECT_EQ(header.tensors.size(), width % 8 == 0 ? 2 : 3);
  }
}

TEST(VectorWriter, NothingAppearsUnlessItIsFinished) {
  const TemporaryDirectory directory;
  {
    VectorWriter writer(directory.file("a.safetensors"), 1, NumberType::F32);
    writer.add({.columns = 1}, std::vector<float>{1});
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(VectorWriter, NumbersMustBeFiniteInTheirType) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.safetensors");
  const auto complaint = [&](NumberType type, float value) {
    VectorWriter writer(path, 1, type, VectorItems::Grids);
    writer.add({.rows = 1, .columns = 1}, std::vector<float>{1});
    return testing::message_of<InputError>([&] { writer.add({.rows = 1, .columns = 1}, std::vector<float>{value}); });
  };
  EXPECT_EQ(complaint(NumberType::F32, std::numeric_limits<float>::quiet_NaN()),
            path + ": expected numbers that are finite in F32, item 2 has nan");
  EXPECT_EQ(complaint(NumberType::F16, -70000), path + ": expected numbers that are finite in F16, item 2 has -inf");
  EXPECT_EQ(complaint(NumberType::F16, 65504), "nothing was thrown");
}

TEST(VectorWriter, APipeAndAnotherEndingAreErrors) {
  const TemporaryDirectory directory;
  EXPECT_EQ(testing::message_of<InputError>([&] { VectorWriter(directory.file("a.npy"), 1, NumberType::F32); }),
            directory.file("a.npy") + ": expected a name with the ending .safetensors");
  const std::string device = directory.file("null.safetensors");
  std::filesystem::create_symlink("/dev/null", device);
  EXPECT_EQ(testing::message_of<FileError>([&] { VectorWriter(device, 1, NumberType::F32); }),
            device + ": cannot write: Illegal seek");
}

TEST(VectorWriter, MisuseIsToldToTheProgrammer) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.safetensors");
  const std::vector<float> values(4);
  const std::vector<uint8_t> bytes(4);
  EXPECT_THROW(VectorWriter(path, 0, NumberType::F32), std::logic_error);
  VectorWriter writer(path, 2, NumberType::F32);
  EXPECT_THROW(writer.add({.columns = 1}, values), std::logic_error);
  EXPECT_THROW(writer.add({.rows = 2, .columns = 1}, values), std::logic_error);
  EXPECT_THROW(writer.add({.columns = 2}, bytes), std::logic_error);
  EXPECT_THROW(writer.add({.columns = 0}, std::span<const float>()), std::logic_error);
  EXPECT_THROW(writer.finish(), std::logic_error);
  VectorWriter of_bytes(path, 2, NumberType::U8);
  EXPECT_THROW(of_bytes.add({.columns = 2}, values), std::logic_error);
}

}  // namespace
}  // namespace heed
