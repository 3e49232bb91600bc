// A document that is text, with the places of its segments.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/documents/document.h"

namespace heed::documents {

/// Marks a space of a breakable segment until the layout replaces it.
inline constexpr char kBreak = '\x01';

/// Replaces each kBreak by a space or a line break.
struct Layout {
  enum class Kind {
    None,
    Wrap,      ///< lines of at most `width` characters; `prefix` begins the second and all later lines
    Balance,   ///< `width` lines of about the same length
    PoString,  ///< the quoted lines of a PO file
    Without,   ///< without the text `prefix`
  };
  Kind kind = Kind::None;
  size_t width = 0;
  std::string prefix = {};
};

/// A part of what replaces a range: a segment or constant text.
struct SlotPart {
  std::string literal = {};
  std::optional<size_t> segment = std::nullopt;
};

/// A range of the document that is replaced.
struct Slot {
  Range range = {};
  std::vector<SlotPart> parts = {};
  Layout layout = {};
  bool keeps_copies = false;  ///< whether the range stays as it is if its segments' translations equal their texts
};

class TextDocument : public Document {
 public:
  explicit TextDocument(std::string source)
      : source_(std::move(source)), has_carriage_returns_(source_.find("\r\n") != std::string::npos) {}

  const std::string& source() const { return source_; }
  std::string_view at(Range range) const { return std::string_view(source_).substr(range.begin, range.size()); }
  /// The number of the line of a byte, from 1.
  int64_t line_of(size_t offset) const;

  /// Returns the segment's index.
  size_t add_segment(Segment segment);
  /// A slot with only this segment, in its original range.
  void add(Segment segment, Layout layout = {});
  void add_slot(Slot slot) { slots_.push_back(std::move(slot)); }
  /// Call it after all slots were added.
  void sort_slots();

  const std::vector<Segment>& segments() const override { return segments_; }
  void protect(const text::ProtectedText& rules) override;
  std::string translated(std::span<const SegmentTranslation> translations) const override;

 private:
  using Translations = std::span<const SegmentTranslation>;
  void copy(Range range, size_t first_slot, Translations translations, std::string& out) const;
  bool is_copy(const Slot& slot, Translations translations) const;
  void write_slot(size_t slot, Translations translations, std::string& out) const;
  void write_segment(const Segment& segment, const SegmentTranslation& translation, size_t first_slot,
                     Translations translations, std::string& out) const;

  std::string source_;
  bool has_carriage_returns_;  // lines end in CR LF
  std::vector<Segment> segments_;
  std::vector<Slot> slots_;
};

}  // namespace heed::documents
