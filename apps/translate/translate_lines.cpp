#include "translate/translate_lines.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "heed/core/log.h"
#include "input.h"
#include "output.h"
#include "progress.h"
#include "translate/prefixes.h"

namespace heed::apps {
namespace {

/// Whether all translations that search finds of a line are written, not the best alone.
bool writes_list(const TranslateCommand& command) {
  return command.search.search.n_best > 1 && command.risk.metric == RiskMetric::None;
}

/// One line per translation; of an n-best list "LINE ||| TRANSLATION ||| SCORE", lines counted from 0.
std::string output_text(const translation::Translation& best, int64_t line, bool list) {
  if (!list) return best.text + '\n';
  std::string text = fmt::format("{} ||| {} ||| {:.6f}\n", line, best.text, best.score);
  for (const auto& other : best.others) text += fmt::format("{} ||| {} ||| {:.6f}\n", line, other.text, other.score);
  return text;
}

/// The alignments of the translations, if they are asked for.
class Alignments {
 public:
  Alignments(const TranslateCommand& command, text::Tokenizers tokenizers, MapItem map_item)
      : subwords_(command.alignment_options.aligner.subwords),
        list_(writes_list(command)),
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
  /// One record for each line of output: the best translation and, of an n-best list, the others.
  void write(const translation::Translation& best) {
    if (!output_) return;
    write_one(best);
    if (!list_) return;
    for (const translation::Translation& other : best.others) write_one(other);
  }
  void finish() {
    if (output_) output_->finish();
  }

 private:
  void write_one(const translation::Translation& translation) {
    text::Alignment words = subwords_ ? token_alignment(translation, tokenizers_) : word_alignment(translation);
    if (map_item_) return output_->add(map_item_(translation, std::move(words)));
    output_->add(words);
  }

  bool subwords_;
  bool list_;
  text::Tokenizers tokenizers_;
  MapItem map_item_;  // null: sources are text alone
  std::optional<AlignmentOutput> output_;
};

std::string text_of(const translation::TranslationProgress& now, std::optional<int64_t> lines) {
  return fmt::format("{}, {:.0f} source tokens/s", progress_text("lines", now.lines, lines, now.seconds),
                     static_cast<double>(now.source_tokens) / std::max(now.seconds, 1e-3));
}

/// limit: "more than N tokens"
void warn_of_length(const translation::Translation& translation, int64_t line, std::string_view limit) {
  if (translation.parts > 1) {
    log_warning(fmt::format("line {} has {}: translated in {} parts", line, limit, translation.parts));
  }
  if (!translation.source_complete) {
    log_warning(fmt::format("line {} has a character of {}: the rest of them were left out", line, limit));
  }
}

}  // namespace

std::shared_ptr<const translation::Wording> wording_of(const TranslateCommand& command,
                                                       const text::Tokenizers& tokenizers) {
  auto wording = std::make_shared<translation::Wording>(tokenizers.target);
  if (!command.terminology.empty()) wording->read_terms(command.terminology);
  if (!command.forbid.empty()) wording->read_forbidden(command.forbid);
  if (!command.target_tag.empty()) wording->tag(command.target_tag);
  return wording;
}

std::shared_ptr<const translation::UnknownWords> unknown_words_of(const TranslateCommand& command,
                                                                  const text::Tokenizers& tokenizers) {
  if (!command.replace_unknown) return nullptr;
  auto unknown = std::make_shared<translation::UnknownWords>(tokenizers.target);
  if (!command.dictionary.empty()) unknown->read_dictionary(command.dictionary);
  return unknown;
}

search::Keep kept_for(const TranslateCommand& command) {
  const bool shows = !command.alignment.empty() && !command.chooses_attention();
  return {.attention = shows || command.replace_unknown};
}

void translate_lines(const translation::Translator& translator, const TranslateCommand& command,
                     const text::Tokenizers& tokenizers) {
  Input input(command.input, command.use.invalid_text);
  const auto lines = input.check();  // nothing is translated in vain
  Prefixes(command.prefix, command.use.invalid_text).check(lines);
  translate_sources(translator, command, tokenizers,
                    {.next = [&](translation::SourceLine& source) { return input.next(source.text); }, .size = lines});
}

void translate_sources(const translation::Translator& translator, const TranslateCommand& command,
                       const text::Tokenizers& tokenizers, const Sources& sources, const MapItem& map_item) {
  Alignments alignments(command, tokenizers, map_item);
  Output output(command.output);
  Prefixes prefixes(command.prefix, command.use.invalid_text);
  Progress progress(command.output);
  int64_t line = 0, cut = 0;
  const bool of_model = translator.max_source_length() < command.search.translator.max_source_length;
  const std::string limit = fmt::format("more than {} tokens{}", translator.max_source_length(),
                                        of_model ? ", more than the model has positions for" : "");
  translator.translate_sources(
      [&](translation::SourceLine& source) {
        if (sources.next(source)) {
          source.prefix = prefixes.next();
          return true;
        }
        prefixes.finish();
        return false;
      },
      [&](translation::Translation&& translation) {
        output.write(output_text(translation, line++, writes_list(command)));
        alignments.write(translation);
        cut += !translation.complete;
        warn_of_length(translation, line, limit);
        if (command.output == "-") flush_output();  // a program may wait for it
      },
      [&](const translation::TranslationProgress& now) { progress.show([&] { return text_of(now, sources.size); }); });
  alignments.finish();
  output.finish();
  progress.end_line();
  if (cut > 0) {
    log_warning(
        fmt::format("translations cut short: {} of {}; `search.max-length-factor` and `search.max-length-constant`, "
                    "or the positions of a model, allow none longer",
                    cut, line));
  }
}

}  // namespace heed::apps
