#include "heed/core/text/text_decoder.h"

#include <array>

#include <unicode/ucnv.h>

#include "heed/core/error.h"

namespace heed {
namespace {

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

bool same_name(const std::string& a, const char* b) { return ucnv_compareNames(a.c_str(), b) == 0; }

/// ICU's name for a Python encoding. ICU uses some of Python's names for smaller tables.
std::string icu_name(const std::string& encoding) {
  for (const char* name : {"cp949", "949", "ms949", "uhc", "euc-kr", "euckr", "ks_c-5601", "korean"}) {
    if (same_name(encoding, name)) return "windows-949-2000";
  }
  if (same_name(encoding, "cp874")) return "windows-874-2000";
  if (same_name(encoding, "utf-8-sig")) return "utf-8";
  const bool number = !encoding.empty() && encoding.find_first_not_of("0123456789") == std::string::npos;
  return number ? "cp" + encoding : encoding;
}

Converter open_converter(const std::string& encoding) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(icu_name(encoding).c_str(), &status));
  // ICU takes an empty name as the system's encoding.
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
  bool skip_mark = false;  // skip the byte-order mark, once
};

TextDecoder::TextDecoder(const std::string& encoding) : converters_(std::make_unique<Converters>()) {
  converters_->from = open_converter(encoding);
  converters_->to = open_converter("utf-8");
  converters_->skip_mark = same_name(encoding, "utf-8-sig");
  UErrorCode status = U_ZERO_ERROR;
  ucnv_setToUCallBack(converters_->from.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  check(U_SUCCESS(status), "ICU could not set up a converter");
}

TextDecoder::~TextDecoder() = default;

bool TextDecoder::decode(std::string_view bytes, bool last, std::string& text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  Converters& c = *converters_;
  const char* source = bytes.data();
  const size_t begin = text.size();
  std::array<char, 4096> decoded{};
  UErrorCode status = U_ZERO_ERROR;
  do {
    status = U_ZERO_ERROR;
    char* target = decoded.data();
    ucnv_convertEx(c.to.get(), c.from.get(), &target, target + decoded.size(), &source, bytes.data() + bytes.size(),
                   c.pivot.data(), &c.pivot_begin, &c.pivot_end, c.pivot.data() + c.pivot.size(), false, last, &status);
    text.append(decoded.data(), target);
  } while (status == U_BUFFER_OVERFLOW_ERROR);
  if (c.skip_mark && text.size() > begin) {
    if (std::string_view(text).substr(begin).starts_with(kMark)) text.erase(begin, kMark.size());
    c.skip_mark = false;
  }
  return U_SUCCESS(status);
}

}  // namespace heed
