#include "heed/core/files/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

std::string file_of(const std::string& header, const std::vector<float>& values) {
  const uint64_t length = header.size();
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

TEST(StoredMatrix, IsFoundByName) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("m");
  write_file(path, file_of(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                           R"("m":{"dtype":"F32","shape":[2,2],"data_offsets":[4,20]}})",
                           {9, 1, 2, 3, 4}));
  const StoredMatrix matrix = read_stored_matrix(path, "m");
  EXPECT_EQ(matrix.rows, 2);
  EXPECT_EQ(matrix.values, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_TRUE(has_stored_tensor(path, "x"));
  EXPECT_FALSE(has_stored_tensor(path, "y"));
  const auto message = [&](const std::string& name) {
    return testing::message_of<Error>([&] { read_stored_matrix(path, name); });
  };
  EXPECT_EQ(message("y"), path + ": has no tensor `y`");
  EXPECT_EQ(message("x"), path + ": `x` must be a matrix of float32");
  write_file(path, file_of(R"({"m":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})", {1, std::nanf("")}));
  EXPECT_EQ(message("m"), path + ": `m` has numbers that are not finite");
}

TEST(StoredMatrix, DamageIsToldAsSuch) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("m");
  const auto message = [&](const std::string& content) {
    write_file(path, content);
    return testing::message_of<CheckpointError>([&] { read_stored_matrix(path, "m"); });
  };
  EXPECT_EQ(message(file_of(R"({"m":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})", {1, 2})),
            path + ": the header's entry of `m` has data_offsets outside the file: it is truncated or damaged");
  EXPECT_EQ(message(file_of(R"({"m":{"dtype":"F32","shape":[1,1048576],"data_offsets":[-4194304,0]}})", {})),
            path + ": the header's entry of `m` has data_offsets that are not two numbers");
}

}  // namespace
}  // namespace heed
