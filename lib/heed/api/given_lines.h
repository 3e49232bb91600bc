// Checks lines that a program passes, as commands check the lines of files.
#pragma once

#include <span>
#include <string>

namespace heed::api {

/// The names of lines in messages: of lines to translate, of sources and of targets.
inline constexpr const char* kLines = "lines";
inline constexpr const char* kSources = "sources";
inline constexpr const char* kTargets = "targets";

/// Throws InputError for the first line that is not UTF-8, such as "NAME:3: expected UTF-8 text, ...".
void require_utf8(const std::string& name, std::span<const std::string> lines);
/// Throws InputError unless all lines are UTF-8 and there are as many targets as sources. If `has_sources` is false,
/// there must be no sources instead.
void require_pairs(std::span<const std::string> sources, std::span<const std::string> targets, bool has_sources);

}  // namespace heed::api
