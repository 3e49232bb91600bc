#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"
#include "heed/documents/segment_builder.h"

namespace heed::documents {
namespace {

enum class SubtitleKind { Srt, Vtt };

/// A line without its end.
struct SubtitleLine {
  Range range;
  int64_t number;
};

/// "00:00:01,600 --> 00:00:04,200", in WebVTT also with points and without hours.
bool is_timing(std::string_view line) {
  const size_t arrow = line.find("-->");
  if (arrow == line.npos) return false;
  const auto is_time = [](std::string_view time) {
    return !time.empty() && std::ranges::count(time, ':') >= 1 && std::ranges::all_of(time, [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == ':' || c == ',' || c == '.';
    });
  };
  const std::string_view end = strip(line.substr(arrow + 3));
  return is_time(strip(line.substr(0, arrow))) && is_time(end.substr(0, end.find_first_of(" \t")));
}

class SubtitleReader {
 public:
  SubtitleReader(std::string source, std::string name, SubtitleKind kind)
      : document_(std::make_unique<TextDocument>(std::move(source))),
        name_(std::move(name)),
        kind_(kind),
        builder_(document_->source(), kind == SubtitleKind::Vtt ? Escape::Subtitle : Escape::None,
                 [kind](std::string_view raw) {
                   return kind == SubtitleKind::Vtt ? decode_references(raw, MarkupLanguage::Html) : as_written(raw);
                 }) {}

  std::unique_ptr<Document> read() {
    split_lines();
    if (kind_ == SubtitleKind::Vtt && (lines_.empty() || !text_of(lines_[0]).starts_with("WEBVTT"))) {
      throw InputError(name_, 1, "expected `WEBVTT` in the first line of WebVTT subtitles");
    }
    for (size_t i = 0; i < lines_.size();) {
      size_t end = i;
      while (end < lines_.size() && !is_blank(lines_[end])) ++end;
      if (end > i) read_block(i, end);
      i = end + 1;
    }
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  std::string_view text_of(const SubtitleLine& line) const { return document_->at(line.range); }
  bool is_blank(const SubtitleLine& line) const { return strip(text_of(line)).empty(); }

  void split_lines() {
    const std::string& source = document_->source();
    size_t at = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    for (int64_t number = 1; at < source.size(); ++number) {
      const size_t feed = std::min(source.find('\n', at), source.size());
      const size_t end = feed > at && source[feed - 1] == '\r' ? feed - 1 : feed;
      lines_.push_back({{at, end}, number});
      at = feed + 1;
    }
  }

  /// A block of lines: the number or name of a cue, its times, its text; or a comment of WebVTT.
  void read_block(size_t begin, size_t end) {
    size_t timing = begin;
    while (timing < end && timing < begin + 2 && !is_timing(text_of(lines_[timing]))) ++timing;
    if (timing == end || timing == begin + 2) {
      if (kind_ == SubtitleKind::Vtt) return;  // WEBVTT, NOTE, STYLE, REGION
      throw InputError(name_, lines_[std::min(timing, end - 1)].number,
                       "expected the times of a subtitle, such as 00:00:01,600 --> 00:00:04,200, found `" +
                           std::string(text_of(lines_[std::min(timing, end - 1)]).substr(0, 40)) + "`");
    }
    read_cue(timing + 1, end);
  }

  void read_cue(size_t begin, size_t end) {
    size_t first = begin;
    for (size_t i = begin; i < end; ++i) {
      if (i > first && begins_speech(lines_[i])) {
        add(first, i);
        first = i;
      }
      read_line(lines_[i]);
    }
    add(first, end);
  }

  /// "- Hello."
  bool begins_speech(const SubtitleLine& line) const {
    std::string_view text = text_of(line);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.starts_with("-") || text.starts_with("–") || text.starts_with("—");
  }

  void read_line(const SubtitleLine& line) {
    const std::string& source = document_->source();
    size_t at = line.range.begin;
    if (begins_speech(line)) {
      size_t dash = at;
      while (source[dash] == ' ' || source[dash] == '\t') ++dash;
      dash += source[dash] == '-' ? 1 : 3;
      builder_.point({at, dash});
      at = dash;
    }
    while (at < line.range.end) {
      const std::string_view rest = document_->at({at, line.range.end});
      const size_t mark = at + std::min(rest.find_first_of(kind_ == SubtitleKind::Srt ? "<{" : "<"), rest.size());
      if (mark > at) builder_.text({at, mark});
      if (mark == line.range.end) break;
      at = read_mark(mark, line.range.end);
    }
    if (line.range.end < source.size()) builder_.text({line.range.end, line.range.end + 1});  // the line's end
  }

  /// <i>, </i>, <c.loud>, <v Ann>, <00:01.500>, {\an8}. Returns its end.
  size_t read_mark(size_t begin, size_t line_end) {
    const std::string& source = document_->source();
    const bool is_brace = source[begin] == '{';
    const std::string_view rest = document_->at({begin, line_end});
    const size_t close = begin + std::min(rest.find(is_brace ? '}' : '>'), rest.size());
    const char next = begin + 1 < line_end ? source[begin + 1] : ' ';
    const bool is_mark = is_brace ? next == '\\' : std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '/';
    if (close >= line_end || !is_mark) {
      builder_.text({begin, begin + 1});
      return begin + 1;
    }
    const Range range{begin, close + 1};
    std::string_view name = document_->at({begin + 1, close});
    const bool ends = name.starts_with("/");
    if (ends) name.remove_prefix(1);
    name = name.substr(0, name.find_first_of(" .\t"));
    if (is_brace || name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      builder_.point(range);
    } else if (ends) {
      builder_.close(range, name);
    } else {
      builder_.open(range, name);
    }
    return close + 1;
  }

  void add(size_t first, size_t end) {
    auto segment = builder_.take();
    if (!segment) return;
    segment->breakable = end - first > 1;
    const Layout::Kind kind = segment->breakable ? Layout::Kind::Balance : Layout::Kind::None;
    document_->add(std::move(*segment), {.kind = kind, .width = end - first, .prefix = {}});
  }

  std::unique_ptr<TextDocument> document_;
  std::string name_;
  SubtitleKind kind_;
  SegmentBuilder builder_;
  std::vector<SubtitleLine> lines_;
};

}  // namespace

std::unique_ptr<Document> read_srt(std::string source, const std::string& name) {
  return SubtitleReader(std::move(source), name, SubtitleKind::Srt).read();
}
std::unique_ptr<Document> read_vtt(std::string source, const std::string& name) {
  return SubtitleReader(std::move(source), name, SubtitleKind::Vtt).read();
}

}  // namespace heed::documents
