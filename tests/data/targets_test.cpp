// Corpora whose target is labels or numbers: how pairs are encoded, batched and planned.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <variant>
#include <vector>

#include "data/number_tokenizer.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/data/batches/batch_builder.h"
#include "heed/data/batches/batching.h"
#include "heed/data/batches/window_plan.h"
#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/encode_sides.h"
#include "heed/text/targets/labels.h"
#include "heed/text/targets/numbers.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

using testing::message_of;
using text::LabelUnit;

constexpr int32_t kNone = text::kNoLabel;

std::shared_ptr<const text::Tokenizer> labels(LabelUnit unit) {
  return std::make_shared<text::LabelTokenizer>(unit, std::vector<std::string>{"a", "b", "c"});
}

struct Labelled : ::testing::Test {
  CorpusSummary build(std::shared_ptr<const text::Tokenizer> target, const std::string& source,
                      const std::string& target_text, const CorpusOptions& options = {}) {
    write_file(files.source[0], source);
    write_file(files.target[0], target_text);
    tokenizers = {.source = testing::number_tokenizers().source, .target = std::move(target)};
    return build_corpus(path, files, tokenizers, options);
  }
  std::string refusal(std::shared_ptr<const text::Tokenizer> target, const std::string& text) {
    return message_of<InputError>([&] { build(std::move(target), "7 8\n9\n", text); });
  }

  testing::TemporaryDirectory directory;
  CorpusFiles files{.source = {directory.file("source")}, .target = {directory.file("target")}, .pairs = {}};
  std::string path = directory.file("corpus");
  text::Tokenizers tokenizers;
};

TEST_F(Labelled, AClassIsOneId) {
  EXPECT_EQ(build(labels(LabelUnit::Line), "7 8\n9\n\n", "b\na\nc\n"),
            (CorpusSummary{.read = 3, .kept = 2, .empty = 1, .source_tokens = 5, .target_tokens = 2}));
  const EncodedCorpus corpus(path);
  EXPECT_EQ(corpus.form().target, text::Target(text::ClassLabel{}));
  EXPECT_EQ(corpus.target(0), text::Target(text::ClassLabel{1}));
  const std::vector<MicroBatch> batches = ordered_batches(corpus, 100);
  ASSERT_EQ(batches.size(), 1);
  EXPECT_EQ(batches[0].source, (IdMatrix{2, 3, {7, 8, 3, 9, 3, 0}}));
  EXPECT_EQ(batches[0].target, Targets(LabelTargets{{2, 1, {1, 0}}}));
  EXPECT_EQ(batches[0].target_tokens, 2);
}

TEST_F(Labelled, WordLabelsStandWhereWordsBegin) {
  EXPECT_EQ(build(labels(LabelUnit::Word), "7 8\n9\n", "b a\nc\n").target_tokens, 3);
  const EncodedCorpus corpus(path);
  const MicroBatch batch = ordered_batches(corpus, 100)[0];
  EXPECT_EQ(batch.target, Targets(LabelTargets{{2, 2, {1, 0, 2, kNone}}}));
  EXPECT_EQ(batch.target_tokens, 3);
  const text::WordIds words{.ids = {7, 8, 9}, .begins = {0, 2}};
  EXPECT_EQ(spread_labels(words, {{2, 1}}), (text::WordLabels{{2, kNone, 1}}));
}

TEST_F(Labelled, NumbersAreTheirOwnMatrix) {
  EXPECT_EQ(build(std::make_shared<text::NumberTokenizer>(2), "7 8\n9\n", "1 2\n3 -4.5\n").target_tokens, 4);
  const EncodedCorpus corpus(path);
  const MicroBatch batch = ordered_batches(corpus, 100)[0];
  EXPECT_EQ(corpus.target(1), text::Target(text::Numbers{{3, -4.5F}}));
  EXPECT_EQ(batch.target, Targets(NumberTargets{2, 2, {1, 2, 3, -4.5F}}));
  EXPECT_EQ(batch.target_tokens, 4);
  EXPECT_EQ(padding({.micro_batches = {batch}}).cells, 2 * 3 + 4);
}

TEST_F(Labelled, NumbersAreStoredAsFloatsAfterTheIdsOfTheirSource) {
  build(std::make_shared<text::NumberTokenizer>(2), "7 8\n9\n", "1 2\n3 -4.5\n");
  struct Stored {
    std::array<int32_t, 2> first_source;
    std::array<float, 2> first;
    int32_t second_source;
    std::array<float, 2> second;
  } stored{};
  const std::string bytes = read_file(path + ".0");
  std::memcpy(&stored, bytes.data() + kShardMagic.size(), sizeof stored);
  EXPECT_EQ(stored.first_source, (std::array{7, 8}));
  EXPECT_EQ(stored.first, (std::array{1.0F, 2.0F}));
  EXPECT_EQ(stored.second_source, 9);
  EXPECT_EQ(stored.second, (std::array{3.0F, -4.5F}));
}

TEST_F(Labelled, ATargetThatDoesNotFitNamesItsLine) {
  const std::string at = files.target[0];
  EXPECT_EQ(refusal(labels(LabelUnit::Line), "a\nx\n"),
            at + ":2: the label `x` is not one of those that the model was trained with: a, b, c");
  EXPECT_EQ(refusal(labels(LabelUnit::Word), "a b c\na\n"), at + ":1: has 3 labels for the 2 words of its source");
  EXPECT_EQ(refusal(labels(LabelUnit::Word), "a\na\n"), at + ":1: has 1 label for the 2 words of its source");
  EXPECT_EQ(refusal(std::make_shared<text::NumberTokenizer>(1), "1\n2 3\n"),
            at + ":2: expected 1 number, as the first line of the training target has, found 2");
}

TEST_F(Labelled, OnlyTheSourceIsMeasured) {
  const CorpusOptions options{.max_source_length = 2, .max_target_length = 1};
  const auto summary = build(labels(LabelUnit::Word), "7 8\n7 8 9\n", "a a\nb b b\n", options);
  EXPECT_EQ(summary.too_long, 1);
  EXPECT_EQ(summary_text(summary, options, {.has_source = true, .target = text::WordLabels{}}),
            "2 pairs, 1 of them kept; left out: 1 with more than 2 source tokens");
}

TEST_F(Labelled, UpdatesHaveSoManySourceTokens) {
  std::string source, target;
  for (int line = 0; line < 60; ++line) {
    source += line % 2 == 0 ? "7 8 9\n" : "7 8 9 10 11 12 13\n";
    target += "a\n";
  }
  build(labels(LabelUnit::Line), source, target);
  const EncodedCorpus corpus(path);
  const WindowPlan plan(corpus, {.begin = 0, .size = 60}, 40, 1, 0);
  int64_t pairs = 0;
  for (int64_t step = 0; step < plan.steps(); ++step) {
    int64_t tokens = 0;
    for (const uint32_t pair : plan.pairs(step)) tokens += corpus.source_length(pair) + 1;
    EXPECT_LE(tokens, 40);
    EXPECT_GE(tokens, 16);
    pairs += std::ssize(plan.pairs(step));
  }
  EXPECT_EQ(pairs, 60);
  EXPECT_EQ(batch_tokens(corpus), 30 * 4 + 30 * 8);
}

/// Every word as two ids or, drawn, as three.
class Splitting : public testing::NumberTokenizer {
 public:
  text::Ids encode(std::string_view line) const override {
    const text::Ids ids = NumberTokenizer::encode(line);
    text::Ids twice;
    for (const int32_t id : ids) twice.insert(twice.end(), {id, id});
    return twice;
  }
  text::Ids sample(std::string_view line, RandomStream& random) const override {
    text::Ids ids = encode(line);
    if (random.below(2) == 0) ids.push_back(99);
    return ids;
  }
  bool samples() const override { return true; }
};

TEST_F(Labelled, DrawnSegmentationsKeepLabelsAtTheirWords) {
  write_file(files.source[0], "7 8 9\n");
  write_file(files.target[0], "b a c\n");
  tokenizers = {.source = std::make_shared<Splitting>(), .target = labels(LabelUnit::Word)};
  build_corpus(path, files, tokenizers, {});
  const auto corpus = std::make_shared<const EncodedCorpus>(path);
  EXPECT_EQ(corpus->target(0), text::Target(text::WordLabels{{1, kNone, 0, kNone, 2, kNone}}));
  const BatchBuilder maker(tokenizers, 1, {}, 1);
  bool longer = false;
  for (int64_t epoch = 0; epoch < 8; ++epoch) {
    PlannedBatch planned{.pairs = corpus,
                         .plan = std::make_shared<WindowPlan>(*corpus, Window{0, 1}, 100, 1, epoch),
                         .window = {0, 1},
                         .position = {.epoch = epoch},
                         .next = {}};
    const MicroBatch batch = maker.make(planned).micro_batches[0];
    longer = longer || batch.source.columns > 7;
    std::vector<int64_t> places, found;
    const IdMatrix& labels = std::get<LabelTargets>(batch.target).labels;
    for (int64_t column = 0; column < labels.columns; ++column) {
      const int64_t id = labels.ids[static_cast<size_t>(column)];
      if (id != kNone) places.push_back(batch.source.ids[static_cast<size_t>(column)]), found.push_back(id);
    }
    EXPECT_EQ(places, (std::vector<int64_t>{7, 8, 9}));
    EXPECT_EQ(found, (std::vector<int64_t>{1, 0, 2}));
    EXPECT_EQ(batch.target_tokens, 3);
  }
  EXPECT_TRUE(longer);
}

TEST_F(Labelled, DrawnSegmentationsAreNoLongerThanTheLimit) {
  write_file(files.source[0], "7 8 9\n");
  write_file(files.target[0], "b a c\n");
  tokenizers = {.source = std::make_shared<Splitting>(), .target = labels(LabelUnit::Word)};
  build_corpus(path, files, tokenizers, {.max_source_length = 6});  // as long as it is at its shortest
  const auto corpus = std::make_shared<const EncodedCorpus>(path);
  const BatchBuilder maker(tokenizers, 1, {}, 1);
  for (int64_t epoch = 0; epoch < 8; ++epoch) {
    const PlannedBatch planned{.pairs = corpus,
                               .plan = std::make_shared<WindowPlan>(*corpus, Window{0, 1}, 100, 1, epoch),
                               .window = {0, 1},
                               .position = {.epoch = epoch},
                               .next = {}};
    EXPECT_LE(maker.make(planned).micro_batches[0].source.columns, 7) << "with the end of the sentence";
  }
}

}  // namespace
}  // namespace heed::data
