// Languages as clients of a translation server name them: "en", "de", "pt-BR", "zh-Hans".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heed::serve {

/// A source and a target language.
struct LanguagePair {
  std::string source, target;
  bool operator==(const LanguagePair&) const = default;
  auto operator<=>(const LanguagePair&) const = default;

  std::string text() const { return source + "-" + target; }
};

/// "en-de", "zh_Hans-pt_BR"; absent: not two codes. A `_` inside a code becomes `-`.
std::optional<LanguagePair> parse_pair(std::string_view text);

/// The English name, such as "German"; the code itself if ICU knows no name.
std::string language_name(const std::string& code);
/// Whether ICU has a name for the code.
bool is_known_language(const std::string& code);

/// The languages of a model in its directory, if they can be told: from the endings of the names of its first training
/// files (train.en, train.de), else from the end of the directory's name (models/en-de). Throws
/// CheckpointError; what reading config.toml throws.
std::optional<LanguagePair> languages_of_model(const std::string& directory);

}  // namespace heed::serve
