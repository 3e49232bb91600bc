// Texts of any number of lines, as lines to translate and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::serve {

/// The lines of several texts. A text keeps its blank lines and line ends; only lines that are not blank are
/// translated.
class TextLines {
 public:
  /// What is translated by itself.
  enum class Unit { Line, Sentence };
  /// Adds a text, which is well-formed UTF-8. With Unit::Sentence its sentences count as lines, and the white space
  /// between them is kept.
  void add(const std::string& text, Unit unit = Unit::Line);
  /// The lines to translate, of all texts in order, without their ends.
  const std::vector<std::string>& lines() const { return lines_; }
  size_t texts() const { return texts_.size(); }
  /// The number of lines to translate of a text, and the number of the first.
  size_t first_line(size_t text) const { return texts_[text].first; }
  size_t line_count(size_t text) const { return texts_[text].count; }

  /// A text with each line replaced: translation(n) is that of line n of lines().
  template <class TranslationOf>
  std::string translated(size_t text, const TranslationOf& translation) const {
    std::string whole;
    size_t line = texts_[text].first;
    for (const Piece& piece : texts_[text].pieces) {
      if (piece.is_line) whole += translation(line++);
      whole += piece.kept;
    }
    return whole;
  }

 private:
  struct Piece {
    bool is_line;      // whether a line to translate is before
    std::string kept;  // a blank line, and line ends
  };
  struct Text {
    size_t first = 0, count = 0;
    std::vector<Piece> pieces = {};
  };

  void add_line(Text& text, std::string_view line);

  std::vector<std::string> lines_;
  std::vector<Text> texts_;
};

}  // namespace heed::serve
