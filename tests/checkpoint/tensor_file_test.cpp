#include "heed_torch/checkpoint/tensor_file.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

using testing::message_of;

/// Same dtype, shape and values.
bool same(const at::Tensor& a, const at::Tensor& b) { return a.scalar_type() == b.scalar_type() && a.equal(b); }

NamedTensors one_of_each() {
  return {{"f64", torch::tensor({{1.5, -2.0}}, at::kDouble)},
          {"f32", torch::arange(6, at::kFloat).reshape({2, 3})},
          {"f16", torch::tensor({0.5}, at::kHalf)},
          {"bf16", torch::tensor({3.0, -4.0}, at::kBFloat16)},
          {"i64", torch::tensor(-7, at::kLong)},
          {"i32", torch::full({1, 1, 1}, 9, at::kInt)},
          {"u8", torch::tensor({1, 2, 255}, at::kByte)},
          {"bool", torch::tensor({1, 0, 1}, at::kBool)},
          {"empty", torch::zeros({0, 4})}};
}

void expect_equal(const NamedTensors& found, const NamedTensors& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_TRUE(same(found.at(name), tensor)) << name;
  }
}

struct TensorFiles : ::testing::Test {
  /// Writes without waiting for the disk.
  void put(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }
  void put(const std::string& header, const std::string& data) const {
    const uint64_t length = header.size();
    std::string size(8, '\0');
    std::memcpy(size.data(), &length, 8);
    put(size + header + data);
  }
  testing::TemporaryDirectory directory;
  std::string path = directory.file("a.safetensors");
};

TEST_F(TensorFiles, ReadWhatWasWritten) {
  write_tensors(path, one_of_each(), {{"format", "1"}, {"note", "zwei Wörter"}});
  const TensorFile file = read_tensors(path);
  expect_equal(file.tensors, one_of_each());
  EXPECT_EQ(file.metadata, (Metadata{{"format", "1"}, {"note", "zwei Wörter"}}));
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data_ptr()) % tensor.element_size(), 0U) << name;
  }
}

TEST_F(TensorFiles, ReadWhatPythonWrote) {
  const TensorFile file =
      read_tensors(std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/checkpoint/from_python.safetensors");
  expect_equal(file.tensors, one_of_each());
  EXPECT_EQ(file.metadata, (Metadata{{"written", "by Python's safetensors"}}));
}

TEST_F(TensorFiles, AreTheSameBytesForTheSameTensors) {
  write_tensors(path, one_of_each());
  const std::string first = read_file(path);
  write_tensors(path, one_of_each());
  EXPECT_EQ(read_file(path), first);
}

TEST_F(TensorFiles, HoldStridedTensorsDense) {
  const at::Tensor matrix = torch::arange(6, at::kFloat).reshape({2, 3});
  write_tensors(path, {{"t", matrix.t()}, {"column", matrix.select(1, 1)}});
  const TensorFile file = read_tensors(path);
  EXPECT_TRUE(same(file.tensors.at("t"), matrix.t()));
  EXPECT_TRUE(same(file.tensors.at("column"), torch::tensor({1.0F, 4.0F})));
}

TEST_F(TensorFiles, MayBeReplacedAndWrittenIntoWhileMapped) {
  write_tensors(path, {{"a", torch::ones({1000})}});
  const std::string written = read_file(path);
  TensorFile file = read_tensors(path);
  file.tensors.at("a").fill_(5);
  EXPECT_EQ(read_file(path), written);
  write_tensors(path, {{"a", torch::zeros({1000})}});
  EXPECT_EQ(file.tensors.at("a").sum().item<float>(), 5000);
}

TEST_F(TensorFiles, UnalignedTensorsAreReadToo) {
  std::string floats(8, '\0');
  const float values[2] = {1.5F, -3.0F};
  std::memcpy(floats.data(), values, 8);
  put(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"f":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})",
      "\x07" + floats);
  const TensorFile file = read_tensors(path);
  EXPECT_TRUE(same(file.tensors.at("f"), torch::tensor({1.5F, -3.0F})));
}

TEST_F(TensorFiles, CutOffAreRefused) {
  write_tensors(path, one_of_each());
  const std::string good = read_file(path);
  for (size_t size = 0; size < good.size(); size += 3) {
    put(good.substr(0, size));
    EXPECT_THROW(read_tensors(path), CheckpointError) << size;
  }
}

TEST_F(TensorFiles, NoFlippedBitCrashes) {
  write_tensors(path, one_of_each(), {{"key", "value"}});
  const std::string good = read_file(path);
  for (size_t byte = 0; byte < good.size(); ++byte) {
    std::string bad = good;
    bad[byte] = static_cast<char>(bad[byte] ^ (1 << (byte % 8)));
    put(bad);
    try {
      for (const auto& entry : read_tensors(path).tensors) EXPECT_TRUE(entry.second.sum().defined());
    } catch (const CheckpointError&) {}
  }
}

TEST_F(TensorFiles, OtherDtypesAreRefused) {
  EXPECT_EQ(message_of<CheckpointError>([this] { write_tensors(path, {{"c", torch::zeros({1}, at::kComplexFloat)}}); }),
            path + ": cannot hold `c`: a file has no ComplexFloat tensors");
  EXPECT_THROW(read_tensors(path), FileError);
}

}  // namespace
}  // namespace heed::checkpoint
