#include "heed/api/purpose.h"

#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::api {
namespace {

std::string_view describe(Purpose purpose) {
  switch (purpose) {
    case Purpose::Translation:
      return "is a translation model: `heed translate` translates text with it";
    case Purpose::LanguageModel:
      return "is a language model, which has no source: `heed generate` completes text with it, `heed score` computes "
             "how probable text is";
    case Purpose::Prediction:
      break;
  }
  return "writes no text: `heed predict` gives the labels or numbers of lines with it";
}

}  // namespace

Purpose purpose_of(const models::ArchitectureOptions& arch) {
  if (std::holds_alternative<models::NoDecoderOptions>(arch.decoder.type)) return Purpose::Prediction;
  if (std::holds_alternative<models::NoEncoderOptions>(arch.encoder.type)) return Purpose::LanguageModel;
  return Purpose::Translation;
}

void require_purpose(Purpose wanted, const std::string& directory, const models::ArchitectureOptions& arch,
                     const std::string& option) {
  const Purpose found = purpose_of(arch);
  if (found != wanted) throw ConfigError(option, fmt::format("{} {}", directory, describe(found)));
}

}  // namespace heed::api
