#include "heed/core/files/gzip_compressor.h"

#include <gtest/gtest.h>

#include "heed/core/files/atomic_file.h"
#include "heed/core/files/line_reader.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

std::string packed(const std::vector<std::string>& parts) {
  GzipCompressor packer;
  std::string bytes;
  for (const std::string& part : parts) bytes += packer.pack(part);
  return bytes + packer.finish();
}

TEST(GzipCompressor, WhatItPacksIsReadAsItWas) {
  const testing::TemporaryDirectory directory;
  std::vector<std::string> lines;
  for (int i = 0; i < 50000; ++i) lines.push_back("line " + std::to_string(i * 7919 % 50021) + "\n");
  write_file(directory.file("a.gz"), packed(lines));
  const auto read = read_lines(directory.file("a.gz"));
  ASSERT_EQ(read.size(), lines.size());
  for (size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(read[i] + '\n', lines[i]);
}

TEST(GzipCompressor, BytesFollowFromTheTextAlone) {
  EXPECT_EQ(packed({"one\n", "two\n"}), packed({"one\ntwo\n"}));
  EXPECT_EQ(packed({"one\n"}).substr(4, 4), std::string(4, '\0')) << "the time in the header";
}

TEST(GzipCompressor, NothingIsAnEmptyFile) {
  const testing::TemporaryDirectory directory;
  write_file(directory.file("a.gz"), packed({}));
  EXPECT_TRUE(read_lines(directory.file("a.gz")).empty());
}

}  // namespace
}  // namespace heed
