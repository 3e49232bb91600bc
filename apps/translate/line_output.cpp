#include "translate/line_output.h"

#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/log.h"

namespace heed::apps {
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

LineOutput::LineOutput(const TranslateCommand& command, const text::Tokenizers& tokenizers, MapItem map_item,
                       LengthLimit limit, const Kept& kept, int64_t first)
    : command_(command),
      limit_(std::move(limit)),
      lines_(command.format, command.writes_list(), tokenizers.target),
      alignments_(command, tokenizers, std::move(map_item)),
      output_(command.continues ? Output::growing(command.output, kept.bytes) : Output(command.output)),
      line_(first + kept.lines) {}

void LineOutput::write(const TranslatedLine& line) {
  output_.write(lines_.record(line, line_++));
  alignments_.write(line.translation);
  ++written_;
  cut_ += !line.translation.complete;
  warn_of_length(line.translation);
  if (line.translation.ended_by_rules) {
    log_warning(
        fmt::format("line {}: the rules of the search leave no token to follow, so its translation ends there", line_));
  }
}

void LineOutput::flush() { output_.flush(); }

void LineOutput::finish() {
  std::vector<Output*> outputs{&output_};
  if (Output* alignments = alignments_.end()) outputs.push_back(alignments);
  finish_all(outputs);
  if (cut_ == 0) return;
  log_warning(
      fmt::format("translations cut short: {} of {}; `search.max-length-factor` and `search.max-length-constant`, "
                  "or the positions of a model, allow none longer",
                  cut_, written_));
}

void LineOutput::warn_of_length(const translation::Translation& translation) const {
  if (translation.parts > 1 && !limit_.expects_parts) {
    log_warning(fmt::format("line {} has {}: translated in {} parts", line_, limit_.text, translation.parts));
  }
  if (translation.parts == 1 && std::ssize(translation.source) > limit_.tokens && translation.source_complete) {
    log_warning(fmt::format("line {} has {}, and no place to cut it: translated whole", line_, limit_.text));
  }
  if (!translation.source_complete) {
    log_warning(fmt::format("line {} has a character of {}: the rest of them were left out", line_, limit_.text));
  }
}

}  // namespace heed::apps
