#include "heed/core/text_decoder.h"

#include <array>

#include <unicode/ucnv.h>

#include "heed/core/error.h"

namespace heed {
namespace {

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

Converter open_converter(const std::string& encoding) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(encoding.c_str(), &status));
  // An empty name would be the system's own encoding.
  if (U_FAILURE(status) || encoding.empty()) throw Error("`" + encoding + "` is not an encoding that heed knows");
  return converter;
}

}  // namespace

bool is_utf8(std::string_view encoding) {
  return ucnv_compareNames(std::string(encoding).c_str(), "utf-8") == 0 ||
         ucnv_compareNames(std::string(encoding).c_str(), "u8") == 0;
}

struct TextDecoder::Converters {
  Converter from;
  Converter to;
  std::array<UChar, 1024> pivot{};
  UChar* pivot_begin = pivot.data();
  UChar* pivot_end = pivot.data();
};

TextDecoder::TextDecoder(const std::string& encoding) : converters_(std::make_unique<Converters>()) {
  converters_->from = open_converter(encoding);
  converters_->to = open_converter("utf-8");
  UErrorCode status = U_ZERO_ERROR;
  ucnv_setToUCallBack(converters_->from.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  check(U_SUCCESS(status), "ICU could not set up a converter");
}

TextDecoder::~TextDecoder() = default;

bool TextDecoder::decode(std::string_view bytes, bool last, std::string& text) {
  Converters& c = *converters_;
  const char* source = bytes.data();
  std::array<char, 4096> decoded{};
  UErrorCode status = U_ZERO_ERROR;
  do {
    status = U_ZERO_ERROR;
    char* target = decoded.data();
    ucnv_convertEx(c.to.get(), c.from.get(), &target, target + decoded.size(), &source, bytes.data() + bytes.size(),
                   c.pivot.data(), &c.pivot_begin, &c.pivot_end, c.pivot.data() + c.pivot.size(), false, last, &status);
    text.append(decoded.data(), target);
  } while (status == U_BUFFER_OVERFLOW_ERROR);
  return U_SUCCESS(status);
}

}  // namespace heed
