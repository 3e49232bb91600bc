#include "heed/curation/report/data_report.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "heed/core/text/counted.h"

namespace heed::curation {
namespace {

void add_side(SideTotals& side, int64_t words, int64_t characters, int64_t sentences, int64_t line) {
  side.words += words;
  side.characters += characters;
  side.several_sentences += sentences > 1;
  if (words <= side.most_words) return;
  side.most_words = words;
  side.most_words_line = line;
}

std::string note_of(const JudgedPair& pair, Filter filter) {
  switch (filter) {
    case Filter::Duplicate:
    case Filter::NearDuplicate:
      return pair.repeated ? fmt::format("line {}", format_count(*pair.repeated)) : "";
    case Filter::Leak:
      return fmt::format("line {} of the {} text", format_count(pair.held_out_line), pair.held_out);
    case Filter::Misaligned:
      return fmt::format("probability {:.3f}", pair.judgement.alignment);
    case Filter::Ratio:
      return fmt::format("{:+.1f} standard deviations", pair.judgement.length_deviation);
    default:
      return {};
  }
}

}  // namespace

void Histogram::add(double value) {
  const double place = std::floor((value - begin) / step);
  const auto last = static_cast<double>(counts.size() - 1);
  ++counts[static_cast<size_t>(std::clamp(place, 0.0, last))];
}

DataReport::DataReport(std::string files, const CorpusSurvey& survey, size_t examples, uint64_t seed)
    : names(std::move(files)),
      pairs(survey.pairs()),
      learned_pairs(survey.model().learned_pairs()),
      length_ratio(survey.model().lengths().ratio()),
      examples_(examples),
      random_(seed, Purpose::Shuffle, 65) {
  for (Finding& finding : findings) finding.by_position.resize(kPositions);
}

void DataReport::add(const JudgedPair& pair) {
  const Judgement& judged_pair = pair.judgement;
  ++judged;
  add_side(source, judged_pair.source_words, judged_pair.source_characters, judged_pair.source_sentences,
           pair.pair.line);
  add_side(target, judged_pair.target_words, judged_pair.target_characters, judged_pair.target_sentences,
           pair.pair.line);
  add_found(pair);
  shifts_.add(pair.pair.line, judged_pair.source_characters, judged_pair.target_characters);
  if (judged_pair.found.contains(Filter::Empty)) return;
  equal += pair.pair.source == pair.pair.target;
  source_words.add(static_cast<double>(judged_pair.source_words));
  target_words.add(static_cast<double>(judged_pair.target_words));
  ratio.add(std::log(static_cast<double>(judged_pair.target_characters) /
                     static_cast<double>(judged_pair.source_characters)));
  alignment.add(judged_pair.alignment);
  if (judged_pair.source_language.trigrams > 0) source_language.add(judged_pair.source_language.mean);
  if (judged_pair.target_language.trigrams > 0) target_language.add(judged_pair.target_language.mean);
  const auto range = [](int64_t words) { return std::min<size_t>(static_cast<size_t>(words / 2), kLengths - 1); };
  ++lengths[range(judged_pair.source_words)][range(judged_pair.target_words)];
}

void DataReport::add_found(const JudgedPair& pair) {
  const FilterSet found = pair.judgement.found;
  if (found.empty()) return;
  const FilterSet by_default = found & kDefaultFilters;
  removed += !by_default.empty();
  for (size_t i = 0; i < kFilters; ++i) {
    const auto filter = static_cast<Filter>(i);
    if (!found.contains(filter)) continue;
    Finding& finding = findings[i];
    ++finding.pairs;
    FilterSet others = by_default;
    others.remove(filter);
    finding.only += others.empty();
    ++finding.by_position[static_cast<size_t>((pair.number - 1) * static_cast<int64_t>(kPositions) / pairs)];
    // Reservoir sampling: each pair found is an example with the same probability.
    Example example{
        .line = pair.pair.line, .source = pair.pair.source, .target = pair.pair.target, .note = note_of(pair, filter)};
    if (finding.examples.size() < examples_) {
      finding.examples.push_back(std::move(example));
    } else if (const uint64_t place = random_.below(static_cast<uint64_t>(finding.pairs)); place < examples_) {
      finding.examples[place] = std::move(example);
    }
  }
}

void DataReport::finish(const CorpusSurvey& survey) {
  shifts_.finish();
  for (Finding& finding : findings) std::ranges::sort(finding.examples, {}, &Example::line);
  for (const HeldOutText& text : survey.held_out()) {
    overlaps.push_back({.name = text.name(),
                        .pairs = text.pairs(),
                        .equal = text.found(Overlap::Equal),
                        .near = text.found(Overlap::Near),
                        .source_only = text.found(Overlap::Source)});
  }
}

std::vector<std::string> remarks_of(const DataReport& report) {
  std::vector<std::string> remarks;
  for (const LineShift& shift : report.shifts()) {
    const std::string line = format_count(shift.line);
    const std::string fits =
        shift.offset == 0 ? "the lines fit each other again"
                          : fmt::format("the lines fit better if the target is moved {} by {}",
                                        shift.offset > 0 ? "up" : "down", counted(std::abs(shift.offset), "line"));
    remarks.push_back(fmt::format("From line {} on, {}: is a line missing or doubled near line {}?", line, fits, line));
  }
  if (report.equal > 0) {
    remarks.push_back(fmt::format(
        "Source and target are equal in {} of {} pairs. The filter `copied` finds those that are clearly in the language of the "
        "other side; it finds none if both sides are in one language.",
        format_count(report.equal), format_count(report.pairs)));
  }
  return remarks;
}

}  // namespace heed::curation
