#include "heed/core/files/vector_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "support/vector_files.h"

namespace heed {
namespace {

using testing::bytes_of;
using testing::npy_array;
using testing::npy_bytes;
using testing::safetensors_bytes;

std::vector<float> item(const VectorFile& file, int64_t number) {
  std::vector<float> values(static_cast<size_t>(file.shape(number).vectors() * file.width()));
  file.read(number, values);
  return values;
}

std::string numbers(int count) {
  std::vector<float> values;
  for (int i = 1; i <= count; ++i) values.push_back(static_cast<float>(i));
  return bytes_of(values);
}

/// A safetensors file of float32 `vectors` [total, width], counted from 1, and a tensor of int64 beside it.
std::string ragged(int total, int width, const std::string& name, const std::string& shape,
                   const std::vector<int64_t>& shapes) {
  const size_t end = static_cast<size_t>(4 * total * width);
  return safetensors_bytes(R"({"vectors":{"dtype":"F32","shape":[)" + std::to_string(total) + "," +
                               std::to_string(width) + R"(],"data_offsets":[0,)" + std::to_string(end) + R"(]},")" +
                               name + R"(":{"dtype":"I64","shape":)" + shape + R"(,"data_offsets":[)" +
                               std::to_string(end) + "," + std::to_string(end + 8 * shapes.size()) + "]}}",
                           numbers(total * width) + bytes_of(shapes));
}

class VectorFiles : public ::testing::Test {
 protected:
  VectorFile opened(const std::string& name, const std::string& bytes) {
    write_file(directory_.file(name), bytes);
    return VectorFile(directory_.file(name));
  }
  /// What is wrong with a file of this name and these bytes, without the path.
  std::string complaint(const std::string& name, const std::string& bytes) {
    const std::string message = testing::message_of<InputError>([&] {
      const VectorFile file = opened(name, bytes);
      for (int64_t i = 0; i < file.size(); ++i) item(file, i);
    });
    EXPECT_TRUE(message.starts_with(directory_.file(name) + ": ")) << message;
    return message.substr(std::min(message.size(), directory_.file(name).size() + 2));
  }
  std::string npy_complaint(const std::string& bytes) { return complaint("a.npy", bytes); }
  std::string complaint(const std::string& bytes) { return complaint("a.safetensors", bytes); }

  testing::TemporaryDirectory directory_;
};

TEST_F(VectorFiles, ANumPyArrayOfThreeDimensionsHasSequences) {
  const VectorFile file = opened("a.npy", npy_array("<f4", "2, 3, 2", numbers(12)));
  EXPECT_EQ(file.size(), 2);
  EXPECT_EQ(file.width(), 2);
  EXPECT_FALSE(file.is_grid());
  EXPECT_EQ(file.shape(1), (GridShape{.rows = 1, .columns = 3}));
  EXPECT_EQ(item(file, 0), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(item(file, 1), (std::vector<float>{7, 8, 9, 10, 11, 12}));
}

TEST_F(VectorFiles, OneOfTwoHasOneVectorEachAndOneOfFourGrids) {
  const VectorFile single = opened("a.npy", npy_array("<f4", "3, 2", numbers(6)));
  EXPECT_EQ(single.size(), 3);
  EXPECT_EQ(single.shape(2), (GridShape{.rows = 1, .columns = 1}));
  EXPECT_EQ(item(single, 2), (std::vector<float>{5, 6}));
  const VectorFile grids = opened("b.npy", npy_array("<f4", "1, 2, 3, 1", numbers(6)));
  EXPECT_TRUE(grids.is_grid());
  EXPECT_EQ(grids.shape(0), (GridShape{.rows = 2, .columns = 3}));
  EXPECT_EQ(item(grids, 0), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(VectorFiles, EveryTypeIsReadAsFloat) {
  const std::vector<float> expected{1, 0.5, -2};
  EXPECT_EQ(item(opened("a.npy", npy_array("<f8", "1, 3", bytes_of<double>({1, 0.5, -2}))), 0), expected);
  EXPECT_EQ(item(opened("a.npy", npy_array("<f2", "1, 3", bytes_of<uint16_t>({0x3C00, 0x3800, 0xC000}))), 0), expected);
  EXPECT_EQ(item(opened("a.npy", npy_array("|u1", "1, 3", bytes_of<uint8_t>({0, 51, 255}))), 0),
            (std::vector<float>{0, 0.2F, 1}));
  const auto typed = [](const std::string& type, const std::string& data) {
    return safetensors_bytes(R"({"vectors":{"dtype":")" + type + R"(","shape":[1,3],"data_offsets":[0,)" +
                                 std::to_string(data.size()) + "]}}",
                             data);
  };
  EXPECT_EQ(item(opened("a.safetensors", typed("F64", bytes_of<double>({1, 0.5, -2}))), 0), expected);
  EXPECT_EQ(item(opened("a.safetensors", typed("BF16", bytes_of<uint16_t>({0x3F80, 0x3F00, 0xC000}))), 0), expected);
  EXPECT_EQ(item(opened("a.safetensors", typed("F16", bytes_of<uint16_t>({0x3C00, 0x3800, 0xC000}))), 0), expected);
  EXPECT_EQ(item(opened("a.safetensors", typed("U8", bytes_of<uint8_t>({0, 51, 255}))), 0),
            (std::vector<float>{0, 0.2F, 1}));
  EXPECT_EQ(complaint(typed("I32", bytes_of<int32_t>({1, 2, 3}))),
            "expected `vectors` of F64, F32, F16, BF16 or U8, found I32");
}

TEST(VectorFile, IsReadAsPythonsProgramsWriteIt) {
  const std::string folder = std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/core/data/";
  for (const char* name : {"f2.npy", "f4.npy", "f8.npy", "u1.npy", "lengths.safetensors", "grids.safetensors"}) {
    const VectorFile file(folder + "vectors." + name);
    const float unit = name[0] == 'u' || name[0] == 'g' ? 255.0F : 8.0F;
    ASSERT_EQ(file.size(), 2) << name;
    for (int n = 0; n < 2; ++n) {
      const std::vector<float> values = item(file, n);
      ASSERT_EQ(values.size(), 8U) << name;
      for (size_t i = 0; i < 8; ++i)
        EXPECT_EQ(values[i], static_cast<float>(8 * n + static_cast<int>(i)) / unit) << name;
    }
  }
  EXPECT_EQ(VectorFile(folder + "vectors.grids.safetensors").shape(1), (GridShape{.rows = 1, .columns = 4}));
  EXPECT_EQ(VectorFile(folder + "vectors.u1.npy").shape(1), (GridShape{.rows = 2, .columns = 2}));
}

TEST_F(VectorFiles, SequencesMayHaveLengths) {
  const VectorFile file = opened("a.safetensors", ragged(4, 2, "lengths", "[3]", {1, 2, 1}));
  EXPECT_EQ(file.size(), 3);
  EXPECT_EQ(file.width(), 2);
  EXPECT_FALSE(file.is_grid());
  EXPECT_EQ(file.shape(1), (GridShape{.rows = 1, .columns = 2}));
  EXPECT_EQ(item(file, 1), (std::vector<float>{3, 4, 5, 6}));
  EXPECT_EQ(item(file, 2), (std::vector<float>{7, 8}));
}

TEST_F(VectorFiles, GridsMayDiffer) {
  const VectorFile file = opened("a.safetensors", ragged(8, 1, "grids", "[2,2]", {2, 3, 2, 1}));
  EXPECT_TRUE(file.is_grid());
  EXPECT_EQ(file.shape(0), (GridShape{.rows = 2, .columns = 3}));
  EXPECT_EQ(file.shape(1), (GridShape{.rows = 2, .columns = 1}));
  EXPECT_EQ(item(file, 1), (std::vector<float>{7, 8}));
}

TEST_F(VectorFiles, EqualItemsNeedNoLengths) {
  const std::string header = R"({"vectors":{"dtype":"F32","shape":[2,1,2,1],"data_offsets":[4,20]},)"
                             R"("other":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}})";
  const VectorFile file = opened("a.safetensors", safetensors_bytes(header, "skip" + numbers(4)));
  EXPECT_TRUE(file.is_grid());
  EXPECT_EQ(item(file, 1), (std::vector<float>{3, 4}));
}

TEST_F(VectorFiles, WhatIsNotAFileOfVectorsIsToldAsSuch) {
  EXPECT_EQ(complaint("a.txt", "text"), "expected a file of vectors with the ending .npy or .safetensors");
  EXPECT_EQ(complaint("npy", "text"), "expected a file of vectors with the ending .npy or .safetensors");
  EXPECT_EQ(npy_complaint(""), "is not an .npy file: it does not begin with \\x93NUMPY");
  EXPECT_EQ(complaint(""), "is not a safetensors file: it is shorter than 8 bytes");
  EXPECT_EQ(testing::message_of<FileError>([&] { VectorFile(directory_.file("none.npy")); }),
            directory_.file("none.npy") + ": cannot open: No such file or directory");
}

TEST_F(VectorFiles, AnArrayMustHaveAKnownTypeShapeAndOrder) {
  for (const char* dtype : {"<i8", ">f4", "|b1", "<c8", "<U3"}) {
    EXPECT_EQ(npy_complaint(npy_array(dtype, "1, 1", "12345678")),
              "expected numbers of float16, float32, float64 or uint8, little-endian (<f2, <f4, <f8, |u1), found " +
                  std::string(dtype));
  }
  EXPECT_EQ(npy_complaint(npy_bytes("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1)}", "1234")),
            "expected an array in C order, found Fortran order");
  const std::string forms = "expected an array [N, width], [N, vectors, width] or [N, rows, columns, width], found ";
  EXPECT_EQ(npy_complaint(npy_array("<f4", "", "1234")), forms + "[]");
  EXPECT_EQ(npy_complaint(npy_array("<f4", "1,", "1234")), forms + "[1]");
  EXPECT_EQ(npy_complaint(npy_array("<f4", "1, 1, 1, 1, 1", "1234")), forms + "[1, 1, 1, 1, 1]");
  EXPECT_EQ(complaint(safetensors_bytes(R"({"vectors":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "12")),
            forms + "[2]");
  for (const char* shape : {"0, 4", "3, 0", "2, 0, 4", "2, 3, 0, 1"}) {
    EXPECT_EQ(npy_complaint(npy_array("<f4", shape, "")),
              "is empty: expected sizes of at least 1, found [" + std::string(shape) + "]");
  }
}

TEST_F(VectorFiles, AnArrayMustFillTheFile) {
  EXPECT_EQ(npy_complaint(npy_array("<f4", "2, 3", numbers(5))),
            "is truncated: expected the numbers of [2, 3] of <f4, found 20 bytes");
  EXPECT_EQ(npy_complaint(npy_array("<f4", "4611686018427387904, 4611686018427387904", "")),
            "is truncated: expected the numbers of [4611686018427387904, 4611686018427387904] of <f4, found 0 bytes");
  EXPECT_EQ(npy_complaint(npy_array("<f4", "1, 1", "12345")),
            "has more than one array: 1 bytes after that of [1, 1] of <f4");
  EXPECT_EQ(complaint(ragged(2, 2, "lengths", "[1]", {2}).substr(0, 150)),
            "the header's entry of `lengths` has data_offsets outside the file: it is truncated or damaged");
}

TEST_F(VectorFiles, TensorsMustBeThereAndFitEachOther) {
  EXPECT_EQ(complaint(safetensors_bytes(R"({"v":{"dtype":"U8","shape":[1,2],"data_offsets":[0,2]}})", "12")),
            "expected a tensor `vectors`, found none");
  EXPECT_EQ(complaint(safetensors_bytes(R"({"vectors":{"dtype":"U8","shape":[0,2],"data_offsets":[0,0]},)"
                                        R"("lengths":{"dtype":"I64","shape":[0],"data_offsets":[0,0]},)"
                                        R"("grids":{"dtype":"I64","shape":[0,2],"data_offsets":[0,0]}})",
                                        "")),
            "expected `lengths` or `grids`, found both");
  const std::string of_i32 = R"({"vectors":{"dtype":"U8","shape":[1,2],"data_offsets":[0,2]},)"
                             R"("lengths":{"dtype":"I32","shape":[1],"data_offsets":[2,6]}})";
  EXPECT_EQ(complaint(safetensors_bytes(of_i32, "123456")), "expected `lengths` of I64, found I32");
  EXPECT_EQ(complaint(ragged(2, 2, "lengths", "[1,1]", {2})), "expected `lengths` of the shape [N], found [1, 1]");
  EXPECT_EQ(complaint(ragged(2, 2, "grids", "[2]", {1, 2})), "expected `grids` of the shape [N, 2], found [2]");
  EXPECT_EQ(complaint(ragged(2, 0, "lengths", "[1]", {2})), "is empty: expected vectors of at least 1 number, found 0");
  EXPECT_EQ(complaint(ragged(0, 2, "lengths", "[0]", {})), "is empty: expected at least one item in `lengths`");
  EXPECT_EQ(complaint(safetensors_bytes(R"({"vectors":{"dtype":"U8","shape":[1,2,1],"data_offsets":[0,2]},)"
                                        R"("lengths":{"dtype":"I64","shape":[1],"data_offsets":[2,10]}})",
                                        "1234567890")),
            "expected `vectors` of the shape [total, width] beside `lengths`, found [1, 2, 1]");
}

TEST_F(VectorFiles, LengthsMustAddUp) {
  const auto with_lengths = [&](const std::vector<int64_t>& lengths) {
    return complaint(ragged(4, 1, "lengths", "[" + std::to_string(lengths.size()) + "]", lengths));
  };
  EXPECT_EQ(with_lengths({4, 0}), "expected at least 1 vector in every item, item 2 of `lengths` has 0");
  EXPECT_EQ(with_lengths({-1, 5}), "expected at least 1 vector in every item, item 1 of `lengths` has -1");
  EXPECT_EQ(with_lengths({1, 2}), "the items of `lengths` have 3 vectors together, found 4 in `vectors`");
  EXPECT_EQ(with_lengths({1, 2, 2}), "item 3 of `lengths` has 2 vectors, found 1 that are left in `vectors`");
  EXPECT_EQ(with_lengths({3, 9223372036854775807}),
            "item 2 of `lengths` has 9223372036854775807 vectors, found 1 that are left in `vectors`");
  const auto with_grids = [&](const std::vector<int64_t>& grids) {
    return complaint(ragged(4, 1, "grids", "[" + std::to_string(grids.size() / 2) + ",2]", grids));
  };
  EXPECT_EQ(with_grids({2, 1, 0, 2}), "expected at least 1 vector in every item, item 2 of `grids` has 0 rows of 2");
  EXPECT_EQ(with_grids({2, 1, -1, -2}),
            "expected at least 1 vector in every item, item 2 of `grids` has -1 rows of -2");
  EXPECT_EQ(with_grids({2, 1}), "the items of `grids` have 2 vectors together, found 4 in `vectors`");
  EXPECT_EQ(with_grids({4294967296, 4294967296}),
            "item 1 of `grids` has 4294967296 rows of 4294967296 vectors, found 4 that are left in `vectors`");
}

TEST_F(VectorFiles, NumbersMustBeFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(npy_complaint(npy_array("<f4", "2, 2, 2", bytes_of<float>({1, 2, 3, 4, 5, 6, nan, 8}))),
            "expected finite numbers of float32, item 2 has nan as number 1 of vector 2");
  EXPECT_EQ(npy_complaint(npy_array("<f4", "1, 2", bytes_of<float>({1, -infinity}))),
            "expected finite numbers of float32, item 1 has -inf as number 2 of vector 1");
  EXPECT_EQ(npy_complaint(npy_array("<f8", "1, 1", bytes_of<double>({1e300}))),
            "expected finite numbers of float32, item 1 has inf as number 1 of vector 1");
}

TEST_F(VectorFiles, MisuseIsToldToTheProgrammer) {
  const VectorFile file = opened("a.npy", npy_array("<f4", "2, 3", numbers(6)));
  std::vector<float> values(2);
  EXPECT_THROW(file.read(0, values), std::logic_error);
  EXPECT_THROW(file.shape(2), std::logic_error);
  EXPECT_THROW(file.shape(-1), std::logic_error);
}

}  // namespace
}  // namespace heed
