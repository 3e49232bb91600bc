// Lists of sounds, one path a line, made one file of vectors, as picture_list.h does it with pictures.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/parallel.h"
#include "heed/media/log_mel_options.h"

namespace heed::media {

/// Each sound is a sequence of log-mel frames (log_mel.h), of F32. Throws ConfigError for the options; FileError;
/// InputError, which names list, line and reason, where a line is empty or its file is none that read_sound() reads. No
/// file appears then.
void convert_sounds(const std::string& list, const std::string& vectors, const LogMelOptions& options,
                    int64_t threads = available_cores());

}  // namespace heed::media
