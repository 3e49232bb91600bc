#include "heed/core/files/npy_header.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "support/message_of.h"
#include "support/vector_files.h"

namespace heed {
namespace {

using testing::npy_bytes;

NpyHeader parsed(const std::string& bytes) { return parse_npy_header(std::as_bytes(std::span(bytes)), "a.npy"); }

/// What is wrong with these bytes, without the path.
std::string complaint(const std::string& bytes) {
  const std::string message = testing::message_of<InputError>([&] { parsed(bytes); });
  return message.substr(std::string("a.npy: ").size());
}

/// The same of a header's dictionary, without what all such messages begin with.
std::string complaint_of_header(const std::string& dictionary) {
  return complaint(npy_bytes(dictionary, "")).substr(std::string("is a damaged .npy file: its header ").size());
}

TEST(NpyHeader, IsReadAsNumPyWritesIt) {
  const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }      \n";
  const NpyHeader header = parsed(npy_bytes(text, "data"));
  EXPECT_EQ(header.dtype, "<f4");
  EXPECT_FALSE(header.fortran_order);
  EXPECT_EQ(header.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(header.begin, 10 + text.size());
}

TEST(NpyHeader, VersionsTwoAndThreeHaveALongerLength) {
  const std::string text = "{'descr': '|u1', 'fortran_order': True, 'shape': (7,)}";
  for (const char version : {'\2', '\3'}) {
    const std::string length = testing::bytes_of<uint32_t>({uint32_t(text.size())});
    const NpyHeader header = parsed(std::string("\x93NUMPY") + version + '\0' + length + text);
    EXPECT_EQ(header.dtype, "|u1");
    EXPECT_TRUE(header.fortran_order);
    EXPECT_EQ(header.shape, std::vector<int64_t>{7});
    EXPECT_EQ(header.begin, 12 + text.size());
  }
}

TEST(NpyHeader, OrderSpacesAndQuotesDoNotMatter) {
  const NpyHeader header = parsed(npy_bytes("{ \"shape\" :( ),'fortran_order':False,\n 'descr' : \"<f8\"}", ""));
  EXPECT_EQ(header.dtype, "<f8");
  EXPECT_TRUE(header.shape.empty());
}

TEST(NpyHeader, OtherFilesAreToldAsSuch) {
  EXPECT_EQ(complaint(""), "is not an .npy file: it does not begin with \\x93NUMPY");
  EXPECT_EQ(complaint("PK\3\4"), "is not an .npy file: it does not begin with \\x93NUMPY");
  EXPECT_EQ(complaint("\x93NUMPY\x01"), "is truncated in the header of the .npy file");
  EXPECT_EQ(complaint(npy_bytes("{'descr'", "").substr(0, 15)), "is truncated in the header of the .npy file");
  EXPECT_EQ(complaint(std::string("\x93NUMPY\x04\x00\x01\x00\x00\x00}", 13)),
            "is a .npy file of version 4.0, expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(complaint(npy_bytes("{'descr': [('a', '<f4')], }", "")),
            "is an array of records, expected one of plain numbers");
}

TEST(NpyHeader, DamageIsToldWithItsPlace) {
  EXPECT_EQ(complaint_of_header("[1]"), "lacks `{` before `[1]`");
  EXPECT_EQ(complaint_of_header("{descr: 1}"), "lacks a quoted text before `descr: 1}`");
  EXPECT_EQ(complaint_of_header("{'descr"), "has a text that does not end");
  EXPECT_EQ(complaint_of_header("{'descr' '<f4'}"), "lacks `:` before `'<f4'}`");
  EXPECT_EQ(complaint_of_header("{'descr': '<f4'"), "lacks `}` at its end");
  EXPECT_EQ(complaint_of_header("{'descr': '<f4', 'descr': '<f4'}"), "has `descr` twice");
  EXPECT_EQ(complaint_of_header("{'name': '<f4'}"), "has `name`, which is not of the format");
  EXPECT_EQ(complaint_of_header("{'fortran_order': 0}"), "has a `fortran_order` that is not True or False");
  EXPECT_EQ(complaint_of_header("{'descr': '<f4', 'fortran_order': False}"), "lacks `shape`");
  for (const char* shape : {"(-1,)", "(x,)", "(1.5,)", "(99999999999999999999,)", "(1 2)"}) {
    EXPECT_FALSE(complaint_of_header("{'shape': " + std::string(shape) + "}").empty()) << shape;
  }
  EXPECT_EQ(complaint_of_header("{'shape': (-1,)}"), "has a `shape` that is not a list of sizes");
}

}  // namespace
}  // namespace heed
