// Compares with what subword-nmt made of the texts in tests/text/data/bpe_cases.json (tests/reference/bpe_cases.py).
#include <gtest/gtest.h>

#include "heed/core/files/atomic_file.h"
#include "heed/text/bpe/learn_bpe.h"
#include "heed/text/bpe/python/python_random.h"
#include "heed/text/bpe/segment_text.h"
#include "support/stored_json.h"
#include "support/temporary_directory.h"

namespace heed::text {
namespace {

using heed::testing::stored_json;
using nlohmann::json;

class StoredCases : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) const {
    write_file(directory_.file(name), content);
    return directory_.file(name);
  }
  void expect_learned(const json& stored) const;
  std::string applied(const BpeCodes& codes, const json& stored, const json& options, int64_t threads) const;

  heed::testing::TemporaryDirectory directory_;
};

void StoredCases::expect_learned(const json& stored) const {
  const json& how = stored["learning"];
  const std::string text = file("text", stored["text"]);
  const WordCounts words = how.value("dict_input", false) ? read_dictionary(text, LineEnds::Unicode)
                                                          : count_words(text, LineEnds::Unicode, 1);
  const LearnBpeOptions options{.symbols = how.value("symbols", 100),
                                .min_frequency = how.value("min_frequency", 2),
                                .total_symbols = how.value("total_symbols", false),
                                .verbose = how.value("verbose", false)};
  std::string notes;
  const BpeCodes codes = learn_bpe(words, options, [&](const std::string& line) { notes += line + '\n'; });
  EXPECT_EQ(format_codes(codes), stored["codes"].get<std::string>());
  EXPECT_EQ(notes, stored["notes"].get<std::string>());
}

/// To the text that was learned of, if the options have no other.
std::string StoredCases::applied(const BpeCodes& codes, const json& stored, const json& how, int64_t threads) const {
  BpeSegmenterOptions options{.separator = how.value("separator", "@@")};
  if (how.contains("glossaries")) options.glossaries = how["glossaries"];
  if (how.contains("vocabulary")) {
    std::optional<int64_t> threshold;
    if (how.contains("threshold")) threshold = how["threshold"];
    options.vocabulary = read_bpe_vocabulary(file("vocabulary", how["vocabulary"]), threshold);
  }
  const BpeSegmenter segmenter(codes, options);
  const LineEnds ends = how.value("standard_input", false) ? LineEnds::Universal : LineEnds::Unicode;
  const std::string text = file("text", (how.contains("text") ? how : stored).at("text"));
  std::string out;
  const auto write = [&](std::string_view part) { out += part; };
  if (how.contains("dropout")) {
    PythonRandom random(how["seed"]);
    LineSegmenter lines(segmenter, how["dropout"], [&] { return random.uniform(); });
    segment_text(text, ends, lines, write);
  } else {
    segment_text(text, ends, segmenter, threads, write);
  }
  return out;
}

TEST_F(StoredCases, CodesAndNotesAreSubwordNmts) {
  for (const json& stored : stored_json("text/data/bpe_cases.json")) {
    if (!stored.contains("learned")) continue;
    SCOPED_TRACE(stored["name"]);
    expect_learned(stored);
  }
}

TEST_F(StoredCases, UnitsAreSubwordNmts) {
  for (const json& stored : stored_json("text/data/bpe_cases.json")) {
    SCOPED_TRACE(stored["name"]);
    for (const json& how : stored["applications"]) {
      const BpeCodes codes = parse_codes("codes", std::string(stored["codes"]), how.value("merges", -1));
      for (const int64_t threads : {1, 3})
        EXPECT_EQ(applied(codes, stored, how, threads), how["out"].get<std::string>());
    }
  }
}

TEST_F(StoredCases, VocabulariesAreSubwordNmts) {
  for (const json& stored : stored_json("text/data/bpe_cases.json")) {
    SCOPED_TRACE(stored["name"]);
    for (const json& how : stored["applications"]) {
      EXPECT_EQ(format_dictionary(count_words(file("out", how["out"]), LineEnds::Unicode, 1)),
                how["words"].get<std::string>());
    }
  }
}

}  // namespace
}  // namespace heed::text
