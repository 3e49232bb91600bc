#include "heed/media/list_conversion.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/parallel.h"

namespace heed::media {
namespace {

constexpr int64_t kAhead = 4;  // items in memory per thread

/// An item, or the error.
struct Loaded {
  ListItem item;
  std::optional<std::string> error;
};

Loaded loaded(const std::string& path, const std::function<ListItem(const std::string&)>& load) {
  try {
    return {.item = load(path), .error = std::nullopt};
  } catch (const Error& error) {
    return {.item = ListItem{}, .error = error.what()};
  }
}

void add(const ListItem& item, VectorWriter& writer) {
  if (item.bytes.empty()) {
    writer.add(item.shape, std::span<const float>(item.values));
  } else {
    writer.add(item.shape, std::span<const uint8_t>(item.bytes));
  }
}

}  // namespace

MediaList read_list(const std::string& path, const std::string& what) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  LineReader reader(path, InvalidText::Keep);
  MediaList list{.name = reader.path(), .paths = {}};
  for (std::string line; reader.next(line);) {
    if (line.empty()) {
      throw InputError(list.name, reader.line_number(), fmt::format("is empty, expected the path of {}", what));
    }
    list.paths.push_back(folder / line);
  }
  if (list.paths.empty())
    throw InputError(list.name, 0, fmt::format("is empty, expected the path of {} on each line", what));
  return list;
}

void convert_list(const std::string& path, const std::string& what, int64_t threads, VectorWriter& writer,
                  const std::function<ListItem(const std::string&)>& load) {
  const MediaList list = read_list(path, what);
  const auto count = static_cast<int64_t>(list.paths.size());
  std::vector<Loaded> window;
  for (int64_t begin = 0; begin < count; begin += static_cast<int64_t>(window.size())) {
    window = std::vector<Loaded>(static_cast<size_t>(std::min(threads * kAhead, count - begin)));
    parallel_chunks(threads, static_cast<int64_t>(window.size()), 1, [&](int64_t, int64_t i, int64_t) {
      window[static_cast<size_t>(i)] = loaded(list.paths[static_cast<size_t>(begin + i)], load);
    });
    for (size_t i = 0; i < window.size(); ++i) {
      const int64_t line = begin + static_cast<int64_t>(i) + 1;
      if (window[i].error) throw InputError(list.name, line, *window[i].error);
      add(window[i].item, writer);
    }
  }
}

}  // namespace heed::media
