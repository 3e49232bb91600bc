#include "heed/serve/language.h"

#include <algorithm>
#include <filesystem>
#include <regex>

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "heed/command_line/settings_file.h"
#include "heed/core/files/regular_file.h"
#include "heed/model_directory/manifest.h"

namespace heed::serve {
namespace {

namespace fs = std::filesystem;

std::string with_dashes(std::string code) {
  std::ranges::replace(code, '_', '-');
  return code;
}

/// The last part of a file's name: "de" of train.de.gz; empty if it names no language.
std::string language_of_file(const std::string& path) {
  fs::path name = fs::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  const std::string ending = name.extension().string();
  const std::string code = ending.empty() ? name.string() : with_dashes(ending.substr(1));
  return is_known_language(code) ? code : "";
}

/// The first value of a setting; empty if there is none.
std::string first_value(const config::Layer& settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, &config::Setting::name);
  return found == settings.end() || found->values.empty() ? "" : found->values.front();
}

}  // namespace

std::optional<LanguagePair> parse_pair(std::string_view text) {
  static const std::regex kPair("([a-z]{2,3}(?:_[A-Za-z0-9]{2,8})*)-([a-z]{2,3}(?:_[A-Za-z0-9]{2,8})*)");
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_match(text.begin(), text.end(), match, kPair)) return std::nullopt;
  return LanguagePair{with_dashes(match[1]), with_dashes(match[2])};
}

std::string language_name(const std::string& code) {
  icu::UnicodeString name;
  icu::Locale(code.c_str()).getDisplayName(icu::Locale::getEnglish(), name);
  std::string text;
  name.toUTF8String(text);
  return text.empty() ? code : text;
}

bool is_known_language(const std::string& code) {
  static const std::regex kCode("[a-z]{2,3}(-[A-Za-z0-9]{2,8})*");
  return std::regex_match(code, kCode) && language_name(code) != code;
}

std::optional<LanguagePair> languages_of_model(const std::string& directory) {
  if (!path_exists(directory + "/config.toml")) checkpoint::read_model_manifest(directory);  // for its error
  const config::Layer settings = config::read_model_settings(directory + "/config.toml");
  const LanguagePair of_files{language_of_file(first_value(settings, "source")),
                              language_of_file(first_value(settings, "target"))};
  if (!of_files.source.empty() && !of_files.target.empty() && of_files.source != of_files.target) return of_files;
  const std::string path = fs::path(directory).lexically_normal().string();
  fs::path file = fs::path(path.substr(0, path.find_last_not_of('/') + 1)).filename();
  if (fs::is_regular_file(directory)) file = file.stem();  // of `heed pack`: en-de.heed
  const std::string name = file;
  for (size_t begin = 0; begin != std::string::npos; begin = name.find_first_of("-_.", begin + 1)) {
    const auto pair = parse_pair(std::string_view(name).substr(begin == 0 ? 0 : begin + 1));
    if (pair && is_known_language(pair->source) && is_known_language(pair->target)) return pair;
  }
  return std::nullopt;
}

}  // namespace heed::serve
