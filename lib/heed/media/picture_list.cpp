#include "heed/media/picture_list.h"
#include "heed/media/list_conversion.h"

namespace heed::media {

void convert_pictures(const std::string& list, const std::string& vectors, const PictureListOptions& options,
                      int64_t threads) {
  const int64_t channels = options.color == PictureColor::Gray ? 1 : 3;
  VectorWriter writer(vectors, channels, NumberType::U8, VectorItems::Grids);
  convert_list(list, "an image", threads, writer, [&](const std::string& path) {
    Picture picture = read_picture(path, options.color);
    return ListItem{
        .shape = {.rows = picture.height, .columns = picture.width}, .values = {}, .bytes = std::move(picture.pixels)};
  });
  writer.finish();
}

}  // namespace heed::media
