#include "heed/report/tensorboard_observer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/report/event_file.h"
#include "heed/report/json_lines_observer.h"
#include "report/reports.h"
#include "support/temporary_directory.h"

namespace heed::report {
namespace {

namespace fs = std::filesystem;

template <class Number>
Number number_at(const std::string& bytes, size_t at) {
  Number number{};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

uint32_t masked(const std::string& bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282ead8U; }

/// The bytes of each record; fails if a checksum is wrong or something is left.
std::vector<std::string> records_of(const std::string& file) {
  std::vector<std::string> records;
  size_t at = 0;
  while (at + 16 <= file.size()) {
    const auto length = number_at<uint64_t>(file, at);
    EXPECT_EQ(number_at<uint32_t>(file, at + 8), masked(file.substr(at, 8)));
    records.push_back(file.substr(at + 12, length));
    EXPECT_EQ(number_at<uint32_t>(file, at + 12 + length), masked(records.back()));
    at += 16 + length;
  }
  EXPECT_EQ(at, file.size());
  return records;
}

class TensorBoard : public ::testing::Test {
 protected:
  /// A training of one report and one validation, up to `now`.
  void train(bool resumed) {
    JsonLinesObserver lines(history, [this] { return now; });
    TensorBoardObserver curves(directory.file("runs/a"), history, "en-de", [this] { return now; });
    training::StartReport start = start_report();
    start.resumed = resumed;
    if (resumed) start.progress = training_report().progress;
    for (training::Observer* observer :
         {static_cast<training::Observer*>(&lines), static_cast<training::Observer*>(&curves)}) {
      observer->on_start(start);
    }
    for (training::Observer* observer :
         {static_cast<training::Observer*>(&lines), static_cast<training::Observer*>(&curves)}) {
      if (!resumed) observer->on_training(training_report());
      observer->on_validation(validation_report());
    }
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory.file("runs/a"))) names.push_back(entry.path().filename());
    return names;
  }

  testing::TemporaryDirectory directory;
  const std::string history = directory.file("metrics.jsonl");
  std::time_t now = 1'700'000'000;
};

TEST(EventFile, HasTheChecksumsOfItsStandard) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);            // of RFC 3720's polynomial
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(EventFile, HasTheFieldsOfAnEvent) {
  const std::string record = records_of(scalar_event(1.5, 300, {{"a", 2.0}})).at(0);
  const std::string expected = std::string("\x09\0\0\0\0\0\0\xf8\x3f", 9) + "\x10\xac\x02" +  // wall_time, step
                               "\x2a\x0a\x0a\x08\x0a\x01"                                     // summary, value, tag
                               "a" +
                               std::string("\x15\0\0\0\x40", 5);  // simple_value
  EXPECT_EQ(record, expected);
}

TEST_F(TensorBoard, HasTheCurvesAndNoStepTwiceAfterAResume) {
  train(false);
  ASSERT_EQ(files(), (std::vector<std::string>{"events.out.tfevents.1700000000.heed.en-de"}));
  const auto first = records_of(read_file(directory.file("runs/a/" + files()[0])));
  ASSERT_EQ(first.size(), 4U);
  EXPECT_NE(first[0].find("brain.Event:2"), std::string::npos);
  for (const char* tag : {"train/loss", "train/learning_rate", "train/target_tokens_per_second"}) {
    EXPECT_NE(first[2].find(tag), std::string::npos) << tag;
  }
  EXPECT_NE(first[3].find("valid/bleu"), std::string::npos);
  EXPECT_EQ(number_at<double>(first[3], 1), 1.7e9);
  now += 100;
  train(true);
  ASSERT_EQ(files(), (std::vector<std::string>{"events.out.tfevents.1700000100.heed.en-de"}));
  const auto second = records_of(read_file(directory.file("runs/a/" + files()[0])));
  ASSERT_EQ(second.size(), 4U) << "the validation after the checkpoint is made again";
  EXPECT_EQ(second[2], first[2]);
  EXPECT_EQ(number_at<double>(second[3], 1), 1.7e9 + 100);
}

TEST_F(TensorBoard, LeavesOtherFiles) {
  fs::create_directories(directory.file("runs/a"));
  write_file(directory.file("runs/a/events.out.tfevents.1.heed.other"), "");
  write_file(directory.file("runs/a/notes"), "");
  train(false);
  EXPECT_EQ(files().size(), 3U);
}

}  // namespace
}  // namespace heed::report
