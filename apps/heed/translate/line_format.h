// The format of lines that `heed translate` reads and writes: text, columns or JSON objects.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/options.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/source_line.h"
#include "heed/translation/lines/translation.h"
#include "input.h"

namespace heed::apps {

enum class LineForm { Text, Tsv, Json };

struct LineFormat {
  LineForm form = LineForm::Text;  ///< set by `--format` (input_format.h)
  bool tokens = false;             ///< JSON: the tokens with their log-probabilities
  bool alignment = false;          ///< JSON: which words are aligned
};
void describe(LineFormat& o, OptionVisitor& visit);
/// Throws ConfigError for options that this format does not have.
void check_format(const LineFormat& format);

struct InputLine {
  translation::SourceLine source;
  std::string given = {};   ///< the line as it was read; empty if the format is text or the source has no text
  std::string target = {};  ///< its given translation; empty unless the command has a file of them
};

struct TranslatedLine {
  InputLine input;
  translation::Translation translation;
  bool keeps_target = false;  ///< whether the given translation is written instead
};

/// Chooses what is written for a line: changes the translation or sets `keeps_target`. Null: the best translation of
/// the search is written.
using ChooseTranslation = std::function<void(TranslatedLine& line)>;

/// Sets `line.source.text` to the text to translate. Keeps the given line if the output repeats it. invalid: how to
/// treat half a surrogate pair in JSON. place: where the line is. Throws InputError if the line has another format.
void parse_line(const LineFormat& format, InvalidText invalid, InputLine& line, const Input::Place& place);

/// Whether `record`, without its line end, can be the output for `line`: columns or objects must start with the line,
/// and a blank line must have a blank record.
bool may_be_record(const LineFormat& format, const InputLine& line, std::string_view record);

/// A check that lines have this format, for Input::check.
Input::Look form_check(const LineFormat& format, InvalidText invalid);

/// Writes translated lines.
class LineWriter {
 public:
  /// list: whether to write all translations of a line. target: for the text of tokens.
  LineWriter(LineFormat format, bool list, std::shared_ptr<const text::Tokenizer> target)
      : format_(format), list_(list), target_(std::move(target)) {}

  /// The record of a line, with its line end. number: of the line, from 0.
  ///
  ///   text   TRANSLATION; for a list one line per translation: NUMBER ||| TRANSLATION ||| SCORE
  ///   tsv    the given line, TRANSLATION, SCORE and FLAGS, separated by tabs; for a list one line per translation
  ///   json   the given object with additional members: translation, score, flags and those that options request
  std::string record(const TranslatedLine& line, int64_t number) const;

 private:
  std::string text(const translation::Translation& best, int64_t number) const;
  std::string columns(const TranslatedLine& line) const;
  std::string object(const TranslatedLine& line) const;

  LineFormat format_;
  bool list_;
  std::shared_ptr<const text::Tokenizer> target_;
};

}  // namespace heed::apps
