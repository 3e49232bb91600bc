#include "heed/media/image_list.h"
#include "heed/media/list_conversion.h"

namespace heed::media {

void convert_images(const std::string& list, const std::string& vectors, const ImageListOptions& options,
                    int64_t threads) {
  const int64_t channels = options.color == ImageColor::Gray ? 1 : 3;
  VectorWriter writer(vectors, channels, NumberType::U8, VectorItems::Grids);
  convert_list(list, "an image", threads, writer, [&](const std::string& path) {
    Image picture = read_image(path, options.color);
    return ListItem{
        .shape = {.rows = picture.height, .columns = picture.width}, .values = {}, .bytes = std::move(picture.pixels)};
  });
  writer.finish();
}

}  // namespace heed::media
