#include "heed/core/files/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed {
namespace {

SafetensorsHeader parsed(const std::string& bytes) {
  return parse_safetensors_header(std::as_bytes(std::span(bytes)), "a.safetensors");
}

std::string file_of(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  std::string size(sizeof length, '\0');
  std::memcpy(size.data(), &length, sizeof length);
  return size + header + data;
}

/// What is wrong with these bytes, without the path.
std::string complaint(const std::string& bytes) {
  const std::string message = testing::message_of<CheckpointError>([&] { parsed(bytes); });
  return message.substr(std::string("a.safetensors: ").size());
}

std::string complaint(const std::string& header, const std::string& data) { return complaint(file_of(header, data)); }

TEST(SafetensorsHeader, ListsTensorsInTheOrderOfTheirBytes) {
  const std::string text =
      R"({"a":{"dtype":"F32","shape":[1,2],"data_offsets":[3,11]},"b":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
      R"("__metadata__":{"format":"1"}})";
  const SafetensorsHeader header = parsed(file_of(text, std::string(11, 'x')));
  ASSERT_EQ(header.tensors.size(), 2U);
  EXPECT_EQ(header.tensors[0].name, "b");
  EXPECT_EQ(header.tensors[1].dtype, "F32");
  EXPECT_EQ(header.tensors[1].shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(header.tensors[1].begin, 8 + text.size() + 3);
  EXPECT_EQ(header.tensors[1].end, 8 + text.size() + 11);
  EXPECT_EQ(header.metadata, (std::map<std::string, std::string>{{"format", "1"}}));
}

TEST(SafetensorsHeader, DamageIsToldAsSuch) {
  EXPECT_EQ(complaint("1234567"), "is not a safetensors file: it is shorter than 8 bytes");
  EXPECT_EQ(complaint("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}"),
            "is not a safetensors file, or it is truncated: its header would be longer than the file");
  EXPECT_EQ(complaint("[1]", ""), "is not a safetensors file, or it is damaged: its header is not a JSON object");
  EXPECT_EQ(complaint(R"({"__metadata__":{"a":1}})", ""), "has the metadata `a`, which are no text");
  EXPECT_EQ(complaint(R"({"__metadata__":[]})", ""), "has metadata that are no JSON object");
}

TEST(SafetensorsHeader, EntriesMustAgreeWithThemselvesAndTheFile) {
  const auto of_w = [](const std::string& entry, const std::string& data) {
    return complaint("{\"w\":" + entry + "}", data);
  };
  const std::string start = "the header's entry of `w` ";
  EXPECT_EQ(of_w(R"({"dtype":"F32"})", ""), start + "does not consist of dtype, shape and data_offsets");
  EXPECT_EQ(of_w(R"({"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]})", "x"),
            start + "has a dtype that is not one of F64, F32, F16, BF16, I64, I32, U8, BOOL");
  EXPECT_EQ(of_w(R"({"dtype":"U8","shape":[-1],"data_offsets":[0,1]})", "x"),
            start + "has a shape that is not a list of sizes");
  for (const char* offsets : {R"([0,"1"])", "[0]", "[-1,0]"}) {
    EXPECT_EQ(of_w(std::string(R"({"dtype":"U8","shape":[1],"data_offsets":)") + offsets + "}", "x"),
              start + "has data_offsets that are not two numbers");
  }
  EXPECT_EQ(of_w(R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})", "x"),
            start + "has data_offsets outside the file: it is truncated or damaged");
  for (const char* shape : {"[2]", "[4611686018427387903,4611686018427387903,8]"}) {
    EXPECT_EQ(of_w(std::string(R"({"dtype":"F32","data_offsets":[0,4],"shape":)") + shape + "}", "1234"),
              start + "has data_offsets that do not fit dtype and shape");
  }
}

TEST(SafetensorsHeader, TensorsFillTheFileWithoutGapOrOverlap) {
  EXPECT_EQ(complaint(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                      R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                      "123"),
            "the data of `b` overlaps that of another tensor");
  EXPECT_EQ(complaint(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "12"),
            "there is a gap before the data of `a`");
  EXPECT_EQ(complaint(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "12"),
            "the tensors take 1 bytes, the file has 2 for them");
}

}  // namespace
}  // namespace heed
