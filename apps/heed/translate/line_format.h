// The form of the lines that `heed translate` reads and writes: text, columns, or JSON objects.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/options.h"
#include "heed/text/tokenizer.h"
#include "input.h"
#include "translate/input_line.h"

namespace heed::apps {

enum class LineForm { Text, Tsv, Json };
constexpr auto option_names(LineForm) {
  return std::array{std::pair{LineForm::Text, "text"}, std::pair{LineForm::Tsv, "tsv"},
                    std::pair{LineForm::Json, "json"}};
}

struct LineFormat {
  LineForm form = LineForm::Text;
  bool tokens = false;     ///< JSON: the tokens with their log-probabilities
  bool alignment = false;  ///< JSON: which words belong together
};
void describe(LineFormat& o, OptionVisitor& visit);
/// Throws ConfigError for what another form does not have.
void check_format(const LineFormat& format);

/// Makes `line.source.text` of the line that was read the text to translate, and keeps the line as it was where it is
/// written again. invalid: what becomes of half a surrogate pair in JSON. place: of the line. Throws InputError if it
/// has another form.
void take_apart(const LineFormat& format, InvalidText invalid, InputLine& line, const Input::Place& place);

/// Whether `record`, without its line end, may have been written for `line`: it begins as columns or objects must, and
/// is blank where the line is.
bool may_be_record(const LineFormat& format, const InputLine& line, std::string_view record);

/// Sees that lines have that form (Input::check).
Input::Look form_check(const LineFormat& format, InvalidText invalid);

/// Writes translated lines.
class LineWriter {
 public:
  /// list: whether all translations of a line are written. target: for the names of tokens.
  LineWriter(LineFormat format, bool list, std::shared_ptr<const text::Tokenizer> target)
      : format_(format), list_(list), target_(std::move(target)) {}

  /// With its line end. number: of the line, from 0.
  ///
  ///   text   TRANSLATION, or a line for each of a list: NUMBER ||| TRANSLATION ||| SCORE
  ///   tsv    the line as it was given, TRANSLATION, SCORE and FLAGS, with tabs between; a line for each of a list
  ///   json   the object as it was given, with fields behind: translation, score, flags and what is asked for
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
