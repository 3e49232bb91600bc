#include "heed_torch/config/setup/source_vectors.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/media/image_list.h"
#include "heed_torch/media/log_mel.h"

namespace heed::config {
namespace {

const char* form_name(bool grid) { return grid ? "grids" : "sequences"; }

/// Sums over all vectors of all items, for each element of a vector.
struct Statistics {
  std::vector<double> sums, squares;
  double vectors = 0;

  explicit Statistics(int64_t width) : sums(static_cast<size_t>(width)), squares(sums.size()) {}
  void add(const std::vector<float>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      const double value = values[i];
      sums[i % sums.size()] += value;
      squares[i % sums.size()] += value * value;
    }
    vectors += static_cast<double>(values.size()) / static_cast<double>(sums.size());
  }
};

/// The form of a corpus's vectors.
struct FoundForm {
  std::string path;
  int64_t width;
  bool grid;
};

FoundForm form_of(const data::CorpusFiles& files, const MediaOptions& media) {
  if (!files.pictures.empty()) {
    return {.path = files.pictures, .width = media.pictures.color == media::ImageColor::Gray ? 1 : 3, .grid = true};
  }
  if (!files.sounds.empty()) return {.path = files.sounds, .width = media.sounds.mels, .grid = false};
  const VectorFile file(files.vectors);
  return {.path = file.path(), .width = file.width(), .grid = file.is_grid()};
}

}  // namespace

ConvertedMedia::ConvertedMedia(const data::CorpusFiles& files, const std::string& path, const MediaOptions& options,
                               int64_t threads)
    : list_(files.pictures.empty() ? files.sounds : files.pictures),
      made_(path + ".new.safetensors"),
      kept_(path + ".safetensors") {
  if (list_.empty()) return;
  const bool pictures = !files.pictures.empty();
  log_info(fmt::format("reading the {} of {}", pictures ? "images" : "audio", list_));
  if (pictures) {
    media::convert_images(list_, made_, options.pictures, threads);
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

void adopt_vector_form(RunOptions& options) {
  models::VectorForm* form = models::form_of(options.arch.vectors);
  if (!options.corpus.has_vectors() || form == nullptr) return;
  const FoundForm found = form_of(options.corpus, options.media);
  if (form->width.value_or(found.width) != found.width) {
    throw ConfigError("arch.vectors.width",
                      fmt::format("must be {}, as in {}, but is {}", found.width, found.path, *form->width));
  }
  if (form->grid.value_or(found.grid) != found.grid) {
    throw ConfigError("arch.vectors.grid",
                      fmt::format("must be {}: {} has {}", found.grid, found.path, form_name(found.grid)));
  }
  form->width = found.width;
  form->grid = found.grid;
}

void require_positions(const GridShape& shape, const models::VectorOptions& options) {
  const auto limit = models::longest_side(options);
  const GridShape left = models::shape_left(options, shape);
  if (!limit || std::max(left.rows, left.columns) <= *limit) return;
  throw Error(
      fmt::format("{} rows and {} columns are more than the model has positions for: {} "
                  "(arch.vectors.longest-side)",
                  left.rows, left.columns, *limit));
}

std::shared_ptr<const data::SourceVectors> open_vectors(const std::string& path, const models::VectorOptions& options) {
  if (path.empty()) return nullptr;
  const auto left = [options](const GridShape& shape) { return models::shape_left(options, shape); };
  auto vectors = std::make_shared<const data::SourceVectors>(path, left);
  const models::VectorForm& form = *models::form_of(options);
  if (vectors->file().width() != form.width || vectors->file().is_grid() != form.grid) {
    throw InputError(path, 0,
                     fmt::format("has {} of vectors of {}, but the model reads {} of vectors of {}",
                                 form_name(vectors->file().is_grid()), counted(vectors->file().width(), "number"),
                                 form_name(*form.grid), counted(*form.width, "number")));
  }
  for (int64_t item = 0; item < vectors->file().size(); ++item) {
    try {
      require_positions(vectors->file().shape(item), options);
    } catch (const Error& error) {
      throw InputError(path, 0, fmt::format("item {}: {}", item + 1, error.what()));
    }
  }
  return vectors;
}

void measure_vectors(models::Model& model, const data::SourceVectors& vectors) {
  const auto& reader = model.encoder->reader().vectors();
  if (!reader->standardizes()) return;
  Statistics statistics(vectors.file().width());
  for (int64_t item = 0; item < vectors.file().size(); ++item) {
    statistics.add(data::read_block(vectors.file(), std::span(&item, 1)).values);
  }
  const at::Tensor mean = at::tensor(statistics.sums, at::kDouble) / statistics.vectors;
  const at::Tensor variance = at::tensor(statistics.squares, at::kDouble) / statistics.vectors - mean.square();
  reader->set_statistics(mean, variance.clamp_min(0).sqrt());
}

}  // namespace heed::config
