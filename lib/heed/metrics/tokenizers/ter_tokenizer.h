// The tokenizer of TER, identical to sacreBLEU 2.6.0, which follows Tercom's.
#pragma once

#include <string>
#include <string_view>

#include "heed/core/options.h"

namespace heed::metrics {

struct TerOptions {
  bool normalized = false;     ///< split off punctuation and decode four HTML entities
  bool no_punct = false;       ///< remove . , ? : ; ! " ( )
  bool asian_support = false;  ///< normalized: split Chinese characters too; no_punct: remove Asian punctuation too
  bool case_sensitive = false;
  bool operator==(const TerOptions&) const = default;
};
void describe(TerOptions& o, AnyOptionVisitor auto& visit) {
  visit("normalized", o.normalized, "split off punctuation and undo HTML entities");
  visit("no-punct", o.no_punct, "leave out punctuation");
  visit("asian-support", o.asian_support,
        "apply normalized and no-punct to Chinese characters and Asian punctuation too");
  visit("case-sensitive", o.case_sensitive, "distinguish upper and lower case");
}

/// Writes the line to `tokens`, with white space between its tokens. line: well-formed UTF-8 without white space at its
/// end. scratch: a buffer.
void tokenize_ter(const TerOptions& options, std::string_view line, std::string& tokens, std::string& scratch);

}  // namespace heed::metrics
