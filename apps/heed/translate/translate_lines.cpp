#include "translate/translate_lines.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "input.h"
#include "progress.h"
#include "translate/background_writer.h"

namespace heed::apps {
namespace {

/// A file with something for each source line: the prefix or the target of its translation.
class LinesBeside {
 public:
  /// path: empty without such a file. things: what the lines are, for messages. Throws FileError.
  LinesBeside(const std::string& path, std::string_view things, InvalidText invalid) : path_(path), things_(things) {
    if (!path.empty()) input_.emplace(std::vector{path}, invalid);
  }

  /// Throws InputError if the file and the source have different numbers of lines, if both are known.
  void check(std::optional<int64_t> source_lines) const {
    if (!input_) return;
    const auto lines = input_->check();
    if (!lines || !source_lines || *lines == *source_lines) return;
    throw InputError(path_, 0,
                     fmt::format("has {} {}, but there are {} lines to translate", *lines, things_, *source_lines));
  }
  /// See Input::on_wait.
  void on_wait(const std::function<void()>& tell) {
    if (input_) input_->on_wait(tell);
  }
  /// The line for the source line just read. Throws InputError if the file has ended.
  std::string next() {
    std::string line;
    if (!input_) return line;
    if (!input_->next(line)) {
      throw InputError(path_, 0, fmt::format("has {} {}, fewer than there are lines to translate", lines_, things_));
    }
    ++lines_;
    return line;
  }
  /// Throws InputError if there are more lines than source lines.
  void finish() {
    std::string more;
    if (!input_ || !input_->next(more)) return;
    throw InputError(path_, 0, fmt::format("has more {} than the {} lines to translate", things_, lines_));
  }

 private:
  std::string path_;
  std::string_view things_;
  std::optional<Input> input_;
  int64_t lines_ = 0;
};

LinesBeside prefixes_of(const TranslateCommand& command) {
  return {command.prefix, "prefixes", command.use.invalid_text};
}
LinesBeside targets_of(const TranslateCommand& command) {
  return {command.target, "targets", command.use.invalid_text};
}

/// Adds the prefix and the target of each line's translation.
LineSource with_lines_beside(const LineSource& lines, const TranslateCommand& command) {
  const auto prefixes = std::make_shared<LinesBeside>(prefixes_of(command));
  const auto targets = std::make_shared<LinesBeside>(targets_of(command));
  return {.next =
              [lines, prefixes, targets](InputLine& line) {
                if (lines.next(line)) {
                  line.source.prefix = prefixes->next();
                  line.target = targets->next();
                  return true;
                }
                prefixes->finish();
                targets->finish();
                return false;
              },
          .on_wait =
              [lines, prefixes, targets](const auto& tell) {
                lines.on_wait(tell);
                prefixes->on_wait(tell);
                targets->on_wait(tell);
              },
          .size = lines.size};
}

LengthLimit limit_of(const translation::Translator& translator, const TranslateCommand& command) {
  const translation::Splitting& splitting = translator.splitting();
  LengthLimit limit{.tokens = splitting.limit(),
                    .text = fmt::format("more than {} tokens", splitting.limit()),
                    .expects_parts = splitting.rule == translation::SplitRule::Sentences};
  if (splitting.limit() < splitting.max_tokens) {
    limit.text += ", which few lines have that the model was trained on";
  } else if (splitting.max_tokens < command.search.translator.max_source_length) {
    limit.text += ", more than the model has positions for";
  }
  return limit;
}

std::string text_of(const translation::TranslationProgress& now, std::optional<int64_t> lines) {
  return fmt::format("{}, {:.0f} source tokens/s", progress_text("lines", now.lines, lines, now.seconds),
                     static_cast<double>(now.source_tokens) / std::max(now.seconds, 1e-3));
}

}  // namespace

search::ReturnOptions kept_for(const TranslateCommand& command, const models::ArchitectureOptions& arch) {
  const bool shows = !command.alignment.empty() && !command.chooses_attention();
  search::ReturnOptions keep = api::kept_for(command.constraints, arch);
  keep.token_scores = command.format.tokens;
  keep.attention |= shows || command.format.alignment || command.document.has_value();
  return keep;
}

void translate_lines(const translation::Translator& translator, const TranslateCommand& command,
                     const text::Tokenizers& tokenizers, const ChooseTranslation& choose) {
  const auto input = std::make_shared<Input>(command.input, command.use.invalid_text);
  // Checks all lines first, so that no work is lost.
  const auto size = input->check(form_check(command.format, command.use.invalid_text));
  prefixes_of(command).check(size);
  targets_of(command).check(size);
  translate_sources(translator, command, tokenizers,
                    {.next =
                         [input, format = command.format, invalid = command.use.invalid_text](InputLine& line) {
                           if (!input->next(line.source.text)) return false;
                           parse_line(format, invalid, line, input->place());
                           return true;
                         },
                     .on_wait = [input](const auto& tell) { input->on_wait(tell); },
                     .size = size},
                    {}, choose);
}

void translate_sources(const translation::Translator& translator, const TranslateCommand& command,
                       const text::Tokenizers& tokenizers, const LineSource& source, const MapItem& map_item,
                       const ChooseTranslation& choose) {
  const LineSource lines = part_of(with_lines_beside(source, command), shard_of(command.shard));
  const ResumePoint kept = skip_translated_lines(
      lines, command, translator, LineWriter(command.format, command.writes_list(), tokenizers.target), choose);
  LineOutput output(command, tokenizers, map_item, limit_of(translator, command), kept, lines.first);
  const auto ahead = static_cast<size_t>(command.search.translator.read_ahead);
  SourceReader reader(lines, ahead);
  BackgroundWriter<TranslatedLine> writer(
      ahead,
      [&](TranslatedLine&& line) {
        if (choose) choose(line);
        output.write(line);
      },
      [&] { output.flush(); });
  Progress progress(command.output);
  const auto rest = lines.size ? std::optional(*lines.size - kept.lines) : std::nullopt;
  std::deque<InputLine> under_way;
  translator.translate_stream(
      [&](size_t most) {
        std::vector<translation::SourceLine> sources;
        for (InputLine& line : reader.take(most)) {
          sources.push_back(line.source);
          under_way.push_back(std::move(line));
        }
        return sources;
      },
      [&](translation::Translation&& translation) {
        writer.put({.input = std::move(under_way.front()), .translation = std::move(translation)});
        under_way.pop_front();
      },
      [&](const translation::TranslationProgress& now) {
        writer.check();  // stops translating if writing has failed
        progress.show([&] { return text_of(now, rest); });
      },
      lines.first + kept.lines + 1);
  writer.finish();
  progress.end_line();
  output.finish();
}

}  // namespace heed::apps
