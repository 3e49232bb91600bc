#include "translate/input_format.h"

#include <string_view>

namespace heed::apps {

LineForm line_form(InputFormat format) {
  switch (format) {
    case InputFormat::Tsv:
      return LineForm::Tsv;
    case InputFormat::Json:
      return LineForm::Json;
    default:
      return LineForm::Text;
  }
}

std::optional<documents::DocumentFormat> document_format(InputFormat format) {
  using documents::DocumentFormat;
  switch (format) {
    case InputFormat::Text:
    case InputFormat::Tsv:
    case InputFormat::Json:
      return std::nullopt;
    case InputFormat::Html:
      return DocumentFormat::Html;
    case InputFormat::Xml:
      return DocumentFormat::Xml;
    case InputFormat::Xliff:
      return DocumentFormat::Xliff;
    case InputFormat::Po:
      return DocumentFormat::Po;
    case InputFormat::Tmx:
      return DocumentFormat::Tmx;
    case InputFormat::Srt:
      return DocumentFormat::Srt;
    case InputFormat::Vtt:
      return DocumentFormat::Vtt;
    case InputFormat::Markdown:
      return DocumentFormat::Markdown;
    case InputFormat::Docx:
      return DocumentFormat::Docx;
  }
  return std::nullopt;
}

std::optional<documents::DocumentFormat> format_of_input(const std::vector<std::string>& input) {
  return input.size() == 1 ? documents::format_of_name(input[0]) : std::nullopt;
}

}  // namespace heed::apps
