// Placeholders for protected text. A model that is trained with them learns to copy the placeholders, and so copies any
// URL, whatever its subwords are:
//
//   Open https://a.b/c or {0}.   <->   Open ❶ or ❷.
//
// Each of the ten placeholders is one character, which the tokenizers keep whole.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/protected_text.h"

namespace heed::text {

class Placeholders {
 public:
  static constexpr std::array<std::string_view, 10> kSymbols = {"❶", "❷", "❸", "❹", "❺", "❻", "❼", "❽", "❾", "❿"};
  /// The texts of a line that the symbols stand for; empty: a symbol is not used.
  using Originals = std::array<std::string, kSymbols.size()>;
  /// How often each symbol occurs.
  using Counts = std::array<size_t, kSymbols.size()>;
  /// A line with placeholders.
  struct Line {
    std::string text;
    Originals originals = {};
  };

  /// Throws what ProtectedText does.
  explicit Placeholders(ProtectedRules rules);

  const ProtectedRules& rules() const { return rules_; }
  const ProtectedText& protected_text() const { return text_; }

  /// Replaces the protected texts of a source that is to be translated. The same text has the same symbol. The first
  /// symbol depends on the whole line, so that training sees all of them equally often. Texts beyond the tenth stay.
  /// Symbols in the line itself are replaced too: afterwards each symbol is a placeholder.
  Line masked(std::string_view source) const;
  /// The pair as training reads it: a protected text that occurs on both sides, equally often, has a symbol, as in
  /// masked(). All others stay, and so does a pair that has symbols itself. Returns what the symbols stand for.
  Originals mask_pair(std::string& source, std::string& target) const;
  /// Replaces those texts that have a symbol.
  std::string masked_with(std::string_view text, const Originals& originals) const;
  static Counts counts(std::string_view text);
  /// Puts the originals back. Symbols that stand for nothing are removed. left: how often each may come in a
  /// translation; further ones are removed, `left` has the rest afterwards, and a space separates an original from a
  /// word that the model has joined with it. Null: all stay.
  static std::string unmasked(std::string_view text, const Originals& originals, Counts* left = nullptr);

  /// The content of the file kFile of a model directory, and back. path: for messages. Throws CheckpointError.
  static constexpr const char* kFile = "placeholders.json";
  std::string serialized() const;
  static std::shared_ptr<const Placeholders> parse(const std::string& path, const std::string& content);

 private:
  ProtectedRules rules_;
  ProtectedText text_;
};

}  // namespace heed::text
