#include "translate/translate_document.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/unpacked_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/documents/different_texts.h"
#include "heed/documents/formats.h"
#include "progress.h"
#include "translate/line_output.h"

namespace heed::apps {
namespace {

std::string bytes_of(const std::string& path) {
  UnpackedFile file(path, input_name(path));
  std::string bytes;
  std::array<char, 65536> block{};
  while (const size_t count = file.read(block.data(), block.size())) bytes.append(block.data(), count);
  return bytes;
}

/// Whether somebody may want such a file translated line by line. Nobody expects it of a page or a Word document.
bool may_be_lines(documents::DocumentFormat format) {
  return format != documents::DocumentFormat::Html && format != documents::DocumentFormat::Docx;
}

void report(const TranslateCommand& command, size_t segments, const std::vector<std::string>& texts,
            const std::vector<translation::Translation>& translations) {
  TermCounter terms(command.constraints);
  for (size_t i = 0; i < translations.size(); ++i) terms.add(texts[i], translations[i]);
  const auto cut = std::ranges::count(translations, false, &translation::Translation::complete);
  log_info(fmt::format("{}: {} translated, {} different", input_name(command.input[0]),
                       counted(static_cast<int64_t>(segments), "segment"), format_count(std::ssize(translations))));
  terms.finish(std::ssize(translations));
  if (cut > 0) {
    log_warning(fmt::format("translations cut short by the length limit: {} of {}", format_count(cut),
                            format_count(std::ssize(translations))));
  }
}

}  // namespace

void check_document_options(const TranslateCommand& command) {
  if (!command.document) return;
  const auto refuse = [](const char* option, const char* what) {
    throw ConfigError(option,
                      fmt::format("does not go with a document, {}; `--format text` translates line by line", what));
  };
  if (command.input.size() != 1) refuse("--input", "which is one file");
  if (!command.shard.empty()) refuse("--shard", "which is translated as a whole");
  if (command.continues) refuse("--continue", "which is translated as a whole");
  if (!command.prefix.empty()) refuse("--prefix", "which has no lines");
  if (!command.alignment.empty()) refuse("--alignment", "which has no lines");
  if (command.items.any()) refuse("--source-vectors, --source-images and --source-audio", "which is text");
}

void translate_document(const translation::Translator& translator, const TranslateCommand& command) {
  if (command.writes_list()) {
    throw ConfigError("--search.n-best", "does not go with a document, which has one translation for each segment");
  }
  const auto document = documents::read_document(*command.document, bytes_of(command.input[0]),
                                                 input_name(command.input[0]), command.document_options);
  if (const text::ProtectedRules& rules = translator.protected_rules(); rules.any()) {
    document->protect(text::ProtectedText(rules.kinds, rules.patterns));
  }
  documents::DifferentTexts texts;
  std::vector<size_t> text_of_segment;
  for (const documents::Segment& segment : document->segments()) text_of_segment.push_back(texts.add(segment.text));
  std::vector<translation::SourceLine> lines;
  for (const std::string& text : texts.all()) lines.push_back({.text = text});
  Output output(command.output);  // first: an error of its name comes before the work
  if (!command.input_format && may_be_lines(*command.document)) {
    log_info(
        fmt::format("{} is translated as a document; `--format text` translates it line by line", command.input[0]));
  }
  Progress progress(command.output);
  const auto total = std::ssize(lines);
  const auto translations = translator.translate(
      lines, [&](const translation::TranslationProgress& now) { progress.lines("segments", now.lines, total); });
  progress.end_line();
  std::vector<documents::SegmentTranslation> of_segments;
  of_segments.reserve(text_of_segment.size());
  for (const size_t text : text_of_segment) {
    of_segments.push_back({.text = translations[text].text, .alignment = word_alignment(translations[text])});
  }
  output.write(document->translated(of_segments));
  output.finish();
  report(command, text_of_segment.size(), texts.all(), translations);
}

}  // namespace heed::apps
