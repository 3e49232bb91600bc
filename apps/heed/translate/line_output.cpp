#include "translate/line_output.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/text/protected_text.h"
#include "heed/translation/lines/flags.h"
#include "heed/translation/lines/glossary_file.h"

namespace heed::apps {

void LineWarning::add(std::string_view message) {
  if (count_++ == 0) log_warning(fmt::format("{}; heed counts further lines like it", message));
}

void LineWarning::finish(int64_t lines) const {
  if (count_ < 2) return;
  log_warning(fmt::format("{} of {} lines {}", format_count(count_), format_count(lines), kind_));
}

AlignmentLines::AlignmentLines(const TranslateCommand& command, text::Tokenizers tokenizers, MapItem map_item)
    : subwords_(command.alignment_options.aligner.subwords),
      list_(command.writes_list()),
      tokenizers_(std::move(tokenizers)),
      map_item_(std::move(map_item)) {
  if (command.alignment.empty()) return;
  const auto& [path, options, model] = std::tie(command.alignment, command.alignment_options, command.use.model);
  if (map_item_) {
    output_.emplace(AlignmentOutput::of_items(path, options, model, kAlignmentPrefix));
  } else {
    output_.emplace(path, options, model, kAlignmentPrefix);
  }
}

void AlignmentLines::write(const translation::Translation& best) {
  if (!output_) return;
  write_one(best);
  if (!list_) return;
  for (const translation::Translation& other : best.others) write_one(other);
}

void AlignmentLines::write_one(const translation::Translation& translation) {
  text::Alignment words = subwords_ ? token_alignment(translation, tokenizers_) : word_alignment(translation);
  if (map_item_) return output_->add(map_item_(translation, std::move(words)));
  output_->add(words);
}

LineWarnings::LineWarnings(LengthLimit limit)
    : limit_(std::move(limit)),
      split_(fmt::format("have {}: translated in parts", limit_.text)),
      whole_(fmt::format("have {}, and no place to cut them: translated whole", limit_.text)),
      source_cut_(fmt::format("have a character of {}: the rest of them were left out", limit_.text)),
      ended_by_rules_("have a translation that ends where the rules of the search left no token to follow"),
      kept_target_("keep their target: their translation is empty or cut short"),
      markup_("look like HTML or XML") {}

void LineWarnings::add_text(int64_t line, std::string_view text) {
  static const text::ProtectedText kMarkup(
      {},
      {R"(</?(?:a|b|i|u|p|br|em|strong|span|div|h[1-6]|ul|ol|li|table|tr|td|th|code|img|html|body|source|target)\b[^<>]*>)",
       R"(&(?:amp|lt|gt|quot|nbsp|#[0-9]+);)"});
  if (text.find_first_of("<&") == std::string_view::npos) return;
  const auto found = kMarkup.find(text);
  if (found.empty()) return;
  markup_.add(fmt::format("line {} looks like HTML or XML, with `{}`: `--format` translates documents", line,
                          text.substr(found[0].begin, found[0].end - found[0].begin)));
}

void LineWarnings::add_kept_target(int64_t line) {
  kept_target_.add(fmt::format("line {} keeps its target: its translation is empty or cut short", line));
}

void LineWarnings::add(int64_t line, const translation::Translation& translation) {
  if (translation.parts > 1 && !limit_.expects_parts) {
    split_.add(fmt::format("line {} has {}: translated in {} parts", line, limit_.text, translation.parts));
  }
  if (translation.parts == 1 && std::ssize(translation.source) > limit_.tokens && translation.source_complete) {
    whole_.add(fmt::format("line {} has {}, and no place to cut it: translated whole", line, limit_.text));
  }
  if (!translation.source_complete) {
    source_cut_.add(fmt::format("line {} has a character of {}: the rest of them were left out", line, limit_.text));
  }
  if (translation.ended_by_rules) {
    ended_by_rules_.add(
        fmt::format("line {}: the rules of the search leave no token to follow, so its translation ends there", line));
  }
}

void LineWarnings::finish(int64_t lines) const {
  for (const LineWarning* warning : {&split_, &whole_, &source_cut_, &ended_by_rules_, &kept_target_, &markup_})
    warning->finish(lines);
}

TermCounter::TermCounter(const api::ConstraintOptions& constraints)
    : path_(constraints.terminology), swapped_(constraints.terms.fold_case) {
  if (path_.empty() || !std::filesystem::is_regular_file(path_)) return;  // a pipe was read already
  translation::GlossaryFile file(path_);
  for (std::string source, target; file.next(source, target);) swapped_.add(target, source);
}

void TermCounter::add(const std::string& source, const translation::Translation& translation) {
  terms_ += translation.terms;
  if (terms_ == 0 && !swapped_.matches_in(source).empty()) ++lines_with_target_;
  lines_ += translation.terms > 0;
  forced_ += translation::forced_terms(translation);
  missing_ += translation::missing_terms(translation);
}

void TermCounter::finish(int64_t lines) const {
  if (path_.empty()) return;
  if (terms_ == 0 && lines_with_target_ > 0) {
    log_warning(
        fmt::format("{}: its source terms occur in none of {}, but its targets occur in {}: are the columns "
                    "swapped? A line is SOURCE TAB TARGET",
                    path_, counted(lines, "line"), format_count(lines_with_target_)));
  }
  if (terms_ == 0) return;
  log_info(fmt::format("terms: {} in {} of {}; {} of them forced: the model finds them unlikely (flag term-forced)",
                       format_count(terms_), format_count(lines_), counted(lines, "line"), format_count(forced_)));
  if (missing_ > 0) {
    log_warning(fmt::format("terms missing from translations that rules or the length limit ended: {} of {}",
                            format_count(missing_), format_count(terms_)));
  }
}

LineOutput::LineOutput(const TranslateCommand& command, const text::Tokenizers& tokenizers, MapItem map_item,
                       LengthLimit limit, const ResumePoint& kept, int64_t first)
    : command_(command),
      warnings_(std::move(limit)),
      terms_(command.constraints),
      lines_(command.format, command.writes_list(), tokenizers.target),
      alignments_(command, tokenizers, std::move(map_item)),
      output_(command.continues ? Output::growing(command.output, kept.bytes) : Output(command.output)),
      line_(first + kept.lines) {}

void LineOutput::write(const TranslatedLine& line) {
  output_.write(lines_.record(line, line_++));
  alignments_.write(line.translation);
  ++written_;
  if (line.keeps_target) warnings_.add_kept_target(line_);
  cut_ += !line.translation.complete && !line.keeps_target;
  warnings_.add(line_, line.translation);
  const auto& kinds = command_.protected_rules.kinds;
  const bool expects_markup = std::ranges::find(kinds, text::ProtectedKind::Tag) != kinds.end();
  if (command_.format.form == LineForm::Text && !expects_markup) warnings_.add_text(line_, line.input.source.text);
  terms_.add(line.input.source.text, line.translation);
}

void LineOutput::flush() { output_.flush(); }

void LineOutput::finish() {
  std::vector<Output*> outputs{&output_};
  if (Output* alignments = alignments_.end()) outputs.push_back(alignments);
  finish_all(outputs);
  warnings_.finish(written_);
  terms_.finish(written_);
  if (cut_ == 0) return;
  log_warning(
      fmt::format("translations cut short: {} of {}; `search.max-length-factor` and `search.max-length-constant`, "
                  "or the positions of a model, allow none longer",
                  format_count(cut_), format_count(written_)));
}

}  // namespace heed::apps
