#include "heed/serve/html_texts.h"

#include <utility>

#include "heed/documents/formats.h"

namespace heed::serve {

void HtmlTexts::add(const std::string& text, const std::string& name) {
  Text added{.document = documents::read_document(documents::DocumentFormat::Html, text, name), .lines = {}};
  for (const documents::Segment& segment : added.document->segments()) added.lines.push_back(lines_.add(segment.text));
  texts_.push_back(std::move(added));
}

}  // namespace heed::serve
