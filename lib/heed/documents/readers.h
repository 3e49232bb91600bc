// One reader for each format. Each throws InputError if the bytes do not have the format; the text is well-formed
// UTF-8.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "heed/documents/document.h"
#include "heed/documents/text_document.h"

namespace heed::documents {

/// HTML. Block elements end a segment; inline elements are marks. The values of alt, title, placeholder, aria-label and
/// of `<meta name="description">` are segments. Not translated: script, style, pre, translate="no",
/// class="notranslate", code in the text. name: of the document, for messages.
std::unique_ptr<Document> read_html(std::string source, const std::string& name);

/// Any XML. An element with text between its elements is a segment, and the elements in it are marks.
std::unique_ptr<Document> read_xml(std::string source, const std::string& name);

/// XLIFF 1.2 and 2: fills empty targets and sets their state: needs-review-translation (1.2), translated (2).
std::unique_ptr<Document> read_xliff(std::string source, const std::string& name);

/// TMX: adds a translation in `language` to each unit that has none.
std::unique_ptr<Document> read_tmx(std::string source, const std::string& name, const std::string& language);

/// PO of gettext: fills empty translations and marks them as fuzzy.
std::unique_ptr<Document> read_po(std::string source, const std::string& name);

/// Subtitles: each cue is a segment. A line that begins with a dash, of another speaker, is one of its own.
std::unique_ptr<Document> read_srt(std::string source, const std::string& name);
std::unique_ptr<Document> read_vtt(std::string source, const std::string& name);

/// CommonMark with tables, by md4c. Code, HTML and the settings before the text are not translated.
std::unique_ptr<Document> read_markdown(std::string source, const std::string& name);

/// Word: paragraphs of the text, headers, footers, footnotes, endnotes and comments. bytes: the zip archive.
/// largest: bytes of the files in it.
std::unique_ptr<Document> read_docx(std::string bytes, const std::string& name, size_t largest);

}  // namespace heed::documents
