#include "source_items.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/media/image.h"
#include "heed/media/list_conversion.h"
#include "heed/translation/lines/read_item.h"
#include "heed_torch/config/setup/source_vectors.h"
#include "heed_torch/media/log_mel.h"

namespace heed::apps {
namespace {

class VectorItems : public SourceItems {
 public:
  explicit VectorItems(std::shared_ptr<const data::SourceVectors> vectors) : vectors_(std::move(vectors)) {}
  int64_t size() const override { return vectors_->file().size(); }
  std::shared_ptr<const search::SourceItem> read(int64_t item, bool has_text) const override {
    return translation::read_item(*vectors_, item, has_text);
  }
  const std::string& path() const override { return vectors_->file().path(); }

 private:
  std::shared_ptr<const data::SourceVectors> vectors_;
};

/// The files of a list; each is read when it is needed.
class ListedItems : public SourceItems {
 public:
  ListedItems(media::MediaList list, const models::VectorOptions& options)
      : list_(std::move(list)), options_(options) {}
  int64_t size() const override { return static_cast<int64_t>(list_.paths.size()); }
  std::shared_ptr<const search::SourceItem> read(int64_t item, bool has_text) const override {
    auto made = std::make_shared<search::SourceItem>();
    try {
      load(list_.paths[static_cast<size_t>(item)], *made);
      config::require_positions(made->shape, options_);
    } catch (const Error& error) {
      throw InputError(list_.name, item + 1, error.what());
    }
    made->positions = models::shape_left(options_, made->shape).vectors();
    made->has_text = has_text;
    return made;
  }
  const std::string& path() const override { return list_.name; }

 protected:
  /// Sets shape and values.
  virtual void load(const std::string& path, search::SourceItem& item) const = 0;

 private:
  media::MediaList list_;
  models::VectorOptions options_;
};

class PictureItems : public ListedItems {
 public:
  PictureItems(const std::string& list, const config::ModelOptions& model)
      : ListedItems(media::read_list(list, "an image"), model.arch.vectors), color_(model.media.pictures.color) {}

 protected:
  void load(const std::string& path, search::SourceItem& item) const override {
    const media::Image picture = media::read_image(path, color_);
    item.shape = {.rows = picture.height, .columns = picture.width};
    for (const uint8_t value : picture.pixels) item.values.push_back(static_cast<float>(value) / 255);
  }

 private:
  media::ImageColor color_;
};

class SoundItems : public ListedItems {
 public:
  SoundItems(const std::string& list, const config::ModelOptions& model)
      : ListedItems(media::read_list(list, "an audio file"), model.arch.vectors), log_mel_(model.media.sounds) {}

 protected:
  void load(const std::string& path, search::SourceItem& item) const override {
    item.values = log_mel_(media::read_audio(path));
    item.shape = {.rows = 1, .columns = std::ssize(item.values) / log_mel_.options().mels};
  }

 private:
  media::LogMel log_mel_;
};

/// Throws ConfigError unless the model reads such vectors.
void require_form(const config::ModelOptions& model, const char* option, int64_t width, bool grid) {
  const models::VectorForm& form = *models::form_of(model.arch.vectors);
  if (form.width == width && form.grid == grid) return;
  throw ConfigError(option, fmt::format("is not what the model reads: {} of vectors of width {}",
                                        *form.grid ? "grids" : "sequences", *form.width));
}

}  // namespace

std::unique_ptr<const SourceItems> open_items(const ItemFiles& files, const std::string& directory,
                                              const config::ModelOptions& model) {
  if (model.arch.vectors.any() != files.any()) {
    throw ConfigError("--source-vectors", files.any() ? fmt::format("has no effect: {} reads only text", directory)
                                                      : fmt::format("is missing: {} reads vectors", directory));
  }
  if (!files.any()) return nullptr;
  if (!files.vectors.empty() + !files.pictures.empty() + !files.sounds.empty() > 1) {
    throw ConfigError("--source-vectors", "does not go with `--source-images` and `--source-audio`: give one of them");
  }
  if (!files.vectors.empty()) {
    return std::make_unique<VectorItems>(config::open_vectors(files.vectors, model.arch.vectors));
  }
  if (!files.pictures.empty()) {
    require_form(model, "--source-images", model.media.pictures.color == media::ImageColor::Gray ? 1 : 3, true);
    return std::make_unique<PictureItems>(files.pictures, model);
  }
  require_form(model, "--source-audio", model.media.sounds.mels, false);
  return std::make_unique<SoundItems>(files.sounds, model);
}

}  // namespace heed::apps
