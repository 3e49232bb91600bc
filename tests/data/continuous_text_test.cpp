#include "heed/data/batches/continuous_text.h"

#include <gtest/gtest.h>

#include <map>

#include "data/made_corpus.h"
#include "heed/data/batches/batch_stream.h"
#include "support/message_of.h"

namespace heed::data {
namespace {

using testing::number_tokenizers;

/// Lines of numbers, which are their own ids.
struct NumberLines {
  explicit NumberLines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write_file(directory.file("target"), text);
    build_corpus(directory.file("corpus"), {.source = {}, .target = {directory.file("target")}, .pairs = {}},
                 {.source = nullptr, .target = number_tokenizers().target}, {});
    corpus = std::make_shared<const EncodedCorpus>(directory.file("corpus"));
  }
  testing::TemporaryDirectory directory;
  std::shared_ptr<const EncodedCorpus> corpus;
};

NumberLines random_lines(int64_t count) {
  RandomStream random(4, Purpose::Test);
  std::vector<std::string> lines;
  for (int64_t i = 0; i < count; ++i) {
    std::string line;
    for (uint64_t word = 0, words = 1 + random.below(9); word < words; ++word) {
      line += std::to_string(4 + random.below(900)) + " ";
    }
    lines.push_back(line);
  }
  return NumberLines(lines);
}

using Ids = std::vector<int64_t>;

TEST(ContinuousText, RowsGoOnOverTheEndsOfLines) {
  const NumberLines text({"11 12 13", "21", "31 32", "41 42 43"});  // 5 + 3 and 4 + 5 tokens
  const ContinuousText columns(text.corpus, {.columns = 2, .steps = 4});
  ASSERT_EQ(columns.columns(), 2);
  ASSERT_EQ(columns.windows(), 2);
  const auto first = columns.window(0, 1);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].tokens().columns, 5);
  EXPECT_EQ(first[0].tokens().ids, (Ids{2, 11, 12, 13, 3, 2, 31, 32, 3, 2}));
  EXPECT_EQ(first[0].target_tokens, 7) << "the second row's bos is not predicted";
  EXPECT_EQ(first[0].text, (TextPlace{.column = 0, .begins = true}));
  EXPECT_EQ(first[0].lines, (Ids{0, 2}));
  const auto second = columns.window(1, 1);
  EXPECT_EQ(second[0].tokens().ids, (Ids{3, 2, 21, 3, 0, 2, 41, 42, 43, 3}));
  EXPECT_EQ(second[0].target_tokens, 6);
  EXPECT_EQ(second[0].text, (TextPlace{.column = 0, .begins = false}));
  EXPECT_EQ(second[0].lines, (Ids{0, 3}));
}

TEST(ContinuousText, EveryTokenIsPredictedOnceHoweverItIsCut) {
  const NumberLines text = random_lines(60);
  for (const auto& [wanted, steps] : std::vector<std::pair<int64_t, int64_t>>{{1, 2}, {7, 5}, {1000, 3}, {3, 1000}}) {
    const ContinuousText columns(text.corpus, {.columns = wanted, .steps = steps});
    for (const int64_t parts : {1, 4}) {
      std::map<int64_t, Ids> read;  // by column
      int64_t tokens = 0;
      for (int64_t window = 0; window < columns.windows(); ++window) {
        for (const MicroBatch& batch : columns.window(window, parts)) {
          tokens += batch.target_tokens;
          for (int64_t row = 0; row < batch.tokens().rows; ++row) {
            const auto begin = batch.tokens().ids.begin() + row * batch.tokens().columns;
            Ids& whole = read[batch.text->column + row];
            whole.insert(whole.end(), begin + (window == 0 ? 0 : 1), begin + batch.tokens().columns);
          }
        }
      }
      EXPECT_EQ(tokens, text.corpus->summary().target_tokens);
      Ids all, expected;
      for (const auto& [column, ids] : read) {
        std::copy_if(ids.begin(), ids.end(), std::back_inserter(all), [](int64_t id) { return id != text::kPad; });
      }
      for (int64_t line = 0; line < text.corpus->size(); ++line) {
        expected.push_back(text::kBos);
        for (const int32_t id : text.corpus->target_ids(line)) expected.push_back(id);
        expected.push_back(text::kEos);
      }
      EXPECT_EQ(all, expected);
    }
  }
}

TEST(ContinuousText, PartsAreGroupsOfColumns) {
  const NumberLines text = random_lines(60);
  const ContinuousText columns(text.corpus, {.columns = 8, .steps = 5});
  const auto whole = columns.window(1, 1), parts = columns.window(1, 3);
  ASSERT_EQ(parts.size(), 3U);
  Ids ids;
  int64_t next = 0;
  for (const MicroBatch& part : parts) {
    EXPECT_EQ(part.text->column, next);
    next += part.tokens().rows;
    ids.insert(ids.end(), part.tokens().ids.begin(), part.tokens().ids.end());
  }
  EXPECT_EQ(next, 8);
  EXPECT_EQ(ids, whole[0].tokens().ids);
}

TEST(TextStream, GoesThroughTheTextInOrderAndResumesAnywhere) {
  const NumberLines text = random_lines(40);
  const StreamOptions options{
      .context = TextContext{.columns = 4, .steps = 6}, .micro_batches = 2, .prefetch_threads = 2};
  const ContinuousText columns(text.corpus, {.columns = 4, .steps = 6});
  BatchStream stream(text.corpus, {}, options, 1);
  EXPECT_EQ(stream.steps_per_epoch(), static_cast<double>(columns.windows()));
  for (int64_t i = 0; i < 2 * columns.windows(); ++i) {
    const StreamPosition position = stream.position();
    EXPECT_EQ(position, (StreamPosition{.epoch = i / columns.windows(), .window = 0, .step = i % columns.windows()}));
    const StepBatch step = stream.next();
    EXPECT_EQ(step.micro_batches, columns.window(position.step, 2));
    BatchStream resumed(text.corpus, {}, options, 1);
    resumed.seek(position);
    EXPECT_EQ(resumed.next(), step);
    EXPECT_EQ(resumed.epoch_progress(), stream.epoch_progress());
  }
  EXPECT_NE(heed::testing::message_of<Error>([&] {
              stream.seek({.epoch = 0, .window = 0, .step = 10'000});
            }).find("cannot resume at epoch 0, window 0, step 10000 of the training text"),
            std::string::npos);
}

}  // namespace
}  // namespace heed::data
