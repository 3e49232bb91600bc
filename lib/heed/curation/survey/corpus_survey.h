// Judges all pairs of a corpus. The corpus is read twice: first to learn from a sample of it and to find what is
// repeated, then to judge each pair. Memory: about 300 MB for the sample and what is learned from it; 1 bit per pair,
// and 8 bytes for near-duplicates.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/curation/duplicates/held_out_text.h"
#include "heed/curation/files/pair_format.h"
#include "heed/curation/survey/line_numbers.h"
#include "heed/curation/survey/pair_judge.h"
#include "heed/curation/survey/repeated_pairs.h"

namespace heed::curation {

struct SurveyOptions {
  FilterLimits limits = {};
  bool near_duplicates = false;     ///< whether they are searched for: 250 bytes of disk per pair while it runs
  int64_t learned_pairs = 100'000;  ///< most pairs of the sample
  int64_t threads = 1;
  uint64_t seed = 1;
  std::string scratch;  ///< prefix of the names of temporary files
};

/// Called now and then. total: absent if it is not known yet.
using SurveyProgress = std::function<void(std::string_view stage, int64_t pairs, std::optional<int64_t> total)>;

/// A pair, what was found, and which lines it repeats.
struct JudgedPair {
  const Pair& pair;
  const Judgement& judgement;            ///< with all filters
  int64_t number = 0;                    ///< of the pair, from 1: its line, unless the file has lines without a pair
  int64_t group = 0;                     ///< of nearly equal pairs: see RepeatedPairs::group_of
  std::optional<int64_t> repeated = {};  ///< the line that a duplicate or near-duplicate repeats, if known
  std::string_view held_out = {};        ///< the name of the held-out text that it is in; empty: none
  int64_t held_out_line = 0;
};

class CorpusSurvey {
 public:
  /// Reads the corpus once. Throws what open_pairs() and RepeatedPairs throw; InputError for a corpus without pairs.
  CorpusSurvey(CorpusText corpus, std::vector<HeldOutText> held_out, SurveyOptions options, SurveyProgress progress);

  int64_t pairs() const { return pairs_; }
  const CorpusModel& model() const { return *model_; }
  const std::vector<HeldOutText>& held_out() const { return held_out_; }
  /// Reads the corpus again and calls use() for each pair, in order. Counts the matches of the held-out texts.
  void judge(const std::function<void(const JudgedPair&)>& use);

 private:
  struct Judged {
    Judgement judgement;
    std::vector<HeldOutText::Match> matches;
  };
  Judged judge_one(const PairJudge& judge, const Pair& pair, PairJudge::Buffers& buffers) const;
  /// index: of the pair, from 0.
  JudgedPair complete(const Pair& pair, int64_t index, Judged& judged);

  CorpusText corpus_;
  std::vector<HeldOutText> held_out_;
  SurveyOptions options_;
  SurveyProgress progress_;
  int64_t pairs_ = 0;
  LineNumbers lines_;
  RepeatedPairs repeated_;
  std::unique_ptr<CorpusModel> model_;
};

}  // namespace heed::curation
