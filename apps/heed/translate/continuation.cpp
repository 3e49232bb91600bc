#include "translate/continuation.h"

#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/append_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"

namespace heed::apps {
namespace {

/// before: number of input lines before the part that this output translates.
InputError other_line(const std::string& output, int64_t line, int64_t before, const std::string& why) {
  return {output, line,
          fmt::format("is not what this command writes for line {} of the input: {}; `--continue` resumes only output "
                      "of the same command",
                      before + line, why)};
}

/// The record that the command writes for a line. number: from 0.
std::string record_of(const InputLine& line, int64_t number, const translation::Translator& translator,
                      const LineWriter& writer) {
  std::optional<translation::SourceLine> source = line.source;
  std::string record;
  translator.translate_stream(
      [&](size_t) {
        std::vector<translation::SourceLine> lines;
        if (source) lines.push_back(*std::exchange(source, std::nullopt));
        return lines;
      },
      [&](translation::Translation&& translation) {
        record = writer.record({.input = line, .translation = std::move(translation)}, number);
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
                                  const translation::Translator& translator, const LineWriter& writer) {
  if (!command.continues) return {};
  if (command.writes_list() && command.format.form != LineForm::Json) {
    throw ConfigError("--continue",
                      "resumes n-best lists only with `--format json`, which writes one line per line of input");
  }
  const int64_t written = whole_lines(command.output, std::numeric_limits<int64_t>::max()).lines;
  const auto [lines, bytes] = whole_lines(command.output, translator.resumable_lines(written));
  std::ifstream file(command.output, std::ios::binary);
  InputLine line;
  std::string record;
  for (int64_t number = 1; number <= lines; ++number) {
    line = {};
    std::getline(file, record);
    if (!source.next(line)) {
      throw InputError(command.output, 0,
                       fmt::format("has {}, but the input has {}: `--continue` resumes only output of the same command",
                                   counted(written, "line"), counted(number - 1, "line")));
    }
    if (!may_be_record(command.format, line, record)) {
      throw other_line(command.output, number, source.first, "its source is another");
    }
  }
  // Where rounding follows from the lines beside it, one line does not tell.
  if (lines > 0 && translator.resumable_lines(1) == 1) {
    const std::string expected = record_of(line, source.first + lines - 1, translator, writer);
    if (expected != record + '\n')
      throw other_line(command.output, lines, source.first,
                       "that is `" + expected.substr(0, expected.size() - 1) + "`");
  }
  if (lines > 0) log_info(fmt::format("{} of {} are kept", counted(lines, "line"), command.output));
  return {.lines = lines, .bytes = bytes};
}

}  // namespace heed::apps
