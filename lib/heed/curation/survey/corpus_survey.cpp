#include "heed/curation/survey/corpus_survey.h"

#include <utility>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/curation/survey/pair_blocks.h"
#include "heed/data/overlap/swapped_sides.h"

namespace heed::curation {
namespace {

constexpr int64_t kBoilerplateWords = 4;

PairKeys keys_of(const Pair& pair, PairJudge::Buffers& buffers, bool with_sketch) {
  auto& [source, target, words] = buffers;
  source.assign(pair.source);
  target.assign(pair.target);
  PairKeys keys{.pair = pair_key(pair.source, pair.target),
                .blank = strip(pair.source).empty() || strip(pair.target).empty()};
  if (!keys.blank && source.words_with_letters() >= kBoilerplateWords) keys.source = side_key(pair.source);
  if (!keys.blank && target.words_with_letters() >= kBoilerplateWords) keys.target = side_key(pair.target);
  if (with_sketch) keys.sketch = sketch_of(source, target);
  if (keys.blank) keys.sketch.empty = true;
  return keys;
}

}  // namespace

CorpusSurvey::CorpusSurvey(CorpusText corpus, std::vector<HeldOutText> held_out, SurveyOptions options,
                           SurveyProgress progress)
    : corpus_(std::move(corpus)),
      held_out_(std::move(held_out)),
      options_(std::move(options)),
      progress_(std::move(progress)),
      repeated_(options_.scratch, options_.near_duplicates ? std::optional(options_.limits.similarity) : std::nullopt,
                options_.limits.boilerplate_repeats) {
  std::vector<PairJudge::Buffers> buffers(static_cast<size_t>(options_.threads));
  PairSample sample(static_cast<size_t>(options_.learned_pairs));
  data::SameSides sides;
  const auto input = open_pairs(corpus_);
  pairs_ = for_each_pair<PairKeys>(
      *input, options_.threads,
      [&](int64_t worker, const Pair& pair) {
        return keys_of(pair, buffers[static_cast<size_t>(worker)], options_.near_duplicates);
      },
      [&](const Pair& pair, const PairKeys& keys) {
        repeated_.add(keys);
        lines_.add(pair.line);
        sides.add(pair.source, pair.target);
        if (!keys.blank) sample.add(keys.pair, pair.source, pair.target);
        progress_("reading", pair.line, std::nullopt);
      });
  if (pairs_ == 0) throw InputError(data::names_of(corpus_.files) + " has no pairs");
  sides.warn(corpus_.files);
  progress_("comparing", pairs_, pairs_);
  repeated_.find();
  progress_("learning", pairs_, pairs_);
  model_ = std::make_unique<CorpusModel>(sample.take(), options_.seed);
}

CorpusSurvey::Judged CorpusSurvey::judge_one(const PairJudge& judge, const Pair& pair,
                                             PairJudge::Buffers& buffers) const {
  Judged judged{.judgement = judge.judge(pair, buffers), .matches = {}};
  if (held_out_.empty() || judged.judgement.found.contains(Filter::Empty)) return judged;
  const uint64_t both = pair_key(pair.source, pair.target);
  const uint64_t source = side_key(pair.source);
  const Sketch sketch = sketch_of(buffers.source, buffers.target);
  for (const HeldOutText& text : held_out_) judged.matches.push_back(text.match(both, source, sketch));
  return judged;
}

JudgedPair CorpusSurvey::complete(const Pair& pair, int64_t index, Judged& judged) {
  JudgedPair whole{
      .pair = pair, .judgement = judged.judgement, .number = index + 1, .group = repeated_.group_of(index)};
  FilterSet& found = judged.judgement.found;
  if (repeated_.is_boilerplate(index)) found.add(Filter::Boilerplate);
  if (repeated_.is_duplicate(index)) {
    found.add(Filter::Duplicate);
    if (const auto first = repeated_.repeated(index)) whole.repeated = lines_.of(*first);
  } else if (whole.group != index) {
    found.add(Filter::NearDuplicate);
    whole.repeated = lines_.of(whole.group);
  }
  for (size_t i = 0; i < judged.matches.size(); ++i) {
    const HeldOutText::Match& match = judged.matches[i];
    held_out_[i].mark(match);
    if (match.overlap < Overlap::Near) continue;
    found.add(Filter::Leak);
    whole.held_out = held_out_[i].name();
    whole.held_out_line = match.line;
  }
  return whole;
}

void CorpusSurvey::judge(const std::function<void(const JudgedPair&)>& use) {
  const PairJudge judge(*model_, options_.limits);
  std::vector<PairJudge::Buffers> buffers(static_cast<size_t>(options_.threads));
  const auto input = open_pairs(corpus_);
  int64_t index = 0;
  for_each_pair<Judged>(
      *input, options_.threads,
      [&](int64_t worker, const Pair& pair) { return judge_one(judge, pair, buffers[static_cast<size_t>(worker)]); },
      [&](const Pair& pair, Judged& judged) {
        if (index < pairs_) use(complete(pair, index, judged));
        progress_("judging", ++index, pairs_);
      });
  if (index != pairs_) throw InputError(data::names_of(corpus_.files) + " has changed while it was read");
}

}  // namespace heed::curation
