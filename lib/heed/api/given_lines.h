// What lines must be that a program gives, as files that commands read must.
#pragma once

#include <span>
#include <string>

namespace heed::api {

/// What messages call lines to translate, and those of pairs.
inline constexpr const char* kLines = "lines";
inline constexpr const char* kSources = "sources";
inline constexpr const char* kTargets = "targets";

/// Throws InputError, "NAME:3: expected UTF-8 text, ...", of the first line that is no UTF-8.
void require_utf8(const std::string& name, std::span<const std::string> lines);
/// Throws InputError unless there are as many targets as sources, or no source where there are none to be, and all are
/// UTF-8.
void require_pairs(std::span<const std::string> sources, std::span<const std::string> targets, bool has_sources);

}  // namespace heed::api
