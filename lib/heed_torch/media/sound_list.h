// Converts a list of audio files, one path per line, to one file of vectors, as picture_list.h does for images.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/parallel.h"
#include "heed/media/log_mel_options.h"

namespace heed::media {

/// Each audio file becomes a sequence of log-mel frames (log_mel.h) of type F32. Throws ConfigError for the options;
/// FileError; InputError, with list, line and reason, if a line is empty or read_sound() cannot read its file. If it
/// throws, no output file appears.
void convert_sounds(const std::string& list, const std::string& vectors, const LogMelOptions& options,
                    int64_t threads = available_cores());

}  // namespace heed::media
