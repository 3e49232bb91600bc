#include "heed_torch/config/setup/source_media.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/media/picture_list.h"
#include "heed_torch/media/sound_list.h"

namespace heed::config {

ConvertedMedia::ConvertedMedia(const data::CorpusFiles& files, const std::string& path, const MediaOptions& options,
                               int64_t threads)
    : list_(files.pictures.empty() ? files.sounds : files.pictures),
      made_(path + ".new.safetensors"),
      kept_(path + ".safetensors") {
  if (list_.empty()) return;
  const bool pictures = !files.pictures.empty();
  log_info(fmt::format("reading the {} of {}", pictures ? "images" : "audio", list_));
  if (pictures) {
    media::convert_pictures(list_, made_, options.pictures, threads);
  } else {
    media::convert_sounds(list_, made_, options.sounds, threads);
  }
}

ConvertedMedia::~ConvertedMedia() {
  std::error_code ignored;
  if (!list_.empty() && made_ != kept_) std::filesystem::remove(made_, ignored);
}

data::CorpusFiles ConvertedMedia::with(const data::CorpusFiles& files) const {
  if (list_.empty()) return files;
  data::CorpusFiles converted = files;
  converted.pictures = converted.sounds = "";
  converted.vectors = made_;
  converted.names[made_] = list_;
  return converted;
}

void ConvertedMedia::keep() {
  if (list_.empty()) return;
  if (std::rename(made_.c_str(), kept_.c_str()) != 0) throw FileError(kept_, "write", errno);
  made_ = kept_;
}

}  // namespace heed::config
