#include "translate/continuation.h"

#include <cstddef>
#include <deque>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/append_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"

namespace heed::apps {
namespace {

constexpr std::string_view kOnlyItsOwn = "only output of the same command can be continued";
constexpr size_t kTranslatedAgain = 5;  // lines: another model often has the same translation for one of them

/// before: number of input lines before the part that this output translates.
InputError other_line(const std::string& output, int64_t line, int64_t before, const std::string& why) {
  return {
      output, line,
      fmt::format("is not what this command writes for line {} of the input: {}; {}", before + line, why, kOnlyItsOwn)};
}

/// The record that the command writes for a line. number: from 0.
std::string record_of(const InputLine& line, int64_t number, const translation::Translator& translator,
                      const LineWriter& writer, const ChooseTranslation& choose) {
  std::optional<translation::SourceLine> source = line.source;
  std::string record;
  translator.translate_stream(
      [&](size_t) {
        std::vector<translation::SourceLine> lines;
        if (source) lines.push_back(*std::exchange(source, std::nullopt));
        return lines;
      },
      [&](translation::Translation&& translation) {
        TranslatedLine translated{.input = line, .translation = std::move(translation)};
        if (choose) choose(translated);
        record = writer.record(translated, number);
      },
      {}, number + 1);
  return record;
}

}  // namespace

void check_continuation(const TranslateCommand& command) {
  if (!command.continues) return;
  const auto refuse = [](const std::string& why) { throw ConfigError("--continue", why); };
  if (command.output == "-") refuse("needs `--output FILE`, the file to continue");
  if (command.output.ends_with(".gz")) refuse("does not go with an output that is compressed");
  if (!command.alignment.empty()) refuse("does not go with `--alignment`, whose file would lack the lines before");
}

ResumePoint skip_translated_lines(const LineSource& source, const TranslateCommand& command,
                                  const translation::Translator& translator, const LineWriter& writer,
                                  const ChooseTranslation& choose) {
  if (!command.continues) return {};
  if (command.writes_list() && command.format.form != LineForm::Json) {
    throw ConfigError("--continue",
                      "resumes n-best lists only with `--format json`, which writes one line per line of input");
  }
  const int64_t written = whole_lines(command.output, std::numeric_limits<int64_t>::max()).lines;
  const auto [lines, bytes] = whole_lines(command.output, translator.resumable_lines(written));
  std::ifstream file(command.output, std::ios::binary);
  std::deque<std::pair<InputLine, std::string>> last;  // each with its record
  for (int64_t number = 1; number <= lines; ++number) {
    if (last.size() == kTranslatedAgain) last.pop_front();
    auto& [line, record] = last.emplace_back();
    std::getline(file, record);
    if (!source.next(line)) {
      throw InputError(command.output, 0,
                       fmt::format("has {}, but the input has {}: {}", counted(written, "line"),
                                   counted(number - 1, "line"), kOnlyItsOwn));
    }
    if (!may_be_record(command.format, line, record)) {
      throw other_line(command.output, number, source.first, "its source is another");
    }
  }
  // If the rounding of a line depends on the lines next to it, translations may differ. Then at least one must be the
  // same.
  size_t may_differ = translator.resumable_lines(1) == 1 || last.empty() ? 0 : last.size() - 1;
  for (int64_t number = lines - std::ssize(last) + 1; const auto& [line, record] : last) {
    const std::string expected = record_of(line, source.first + number - 1, translator, writer, choose);
    if (expected != record + '\n' && may_differ-- == 0) {
      throw other_line(command.output, number, source.first,
                       "that is `" + expected.substr(0, expected.size() - 1) + "`");
    }
    ++number;
  }
  if (lines > 0 && lines == source.size) {
    log_info(fmt::format("{} is complete; to translate again, remove it", command.output));
  } else if (lines > 0) {
    log_info(fmt::format("{} of {} are kept", counted(lines, "line"), command.output));
  }
  return {.lines = lines, .bytes = bytes};
}

}  // namespace heed::apps
