#include "heed/data/streamed/shared_buffers.h"

#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/json_members.h"
#include "heed/data/batches/stream_position.h"

namespace heed::data {
namespace {

using Json = nlohmann::ordered_json;

/// The format: a line of JSON, then the pairs.
std::string packed(const FilledBuffer& filled) {
  const LineLocations& places = filled.pairs->places();
  const Json about{{"first", filled.pairs->first()},
                   {"last", filled.last},
                   {"after", json_of(StreamPosition{.lines = filled.after})},
                   {"files", places.names},
                   {"begins", places.first},
                   {"header", places.header}};
  constexpr int kOneLine = -1;
  constexpr bool kAsTheyAre = false;
  // Names of files may be invalid UTF-8.
  return about.dump(kOneLine, ' ', kAsTheyAre, Json::error_handler_t::replace) + '\n' + filled.pairs->packed();
}

FilledBuffer unpacked(std::string_view block, const CorpusForm& form, const CorpusOptions& limits) {
  const size_t end = block.find('\n');
  check(end != std::string_view::npos, "a buffer of pairs begins with a line about it");
  const Json about = Json::parse(block.substr(0, end));
  const auto pairs =
      std::make_shared<PairBuffer>(form, limits, about.at("first").get<int64_t>(), block.substr(end + 1));
  pairs->set_places({.names = about.at("files"), .first = about.at("begins"), .header = about.at("header")});
  return {.pairs = pairs,
          .after = read_json<StreamPosition>(JsonMembers(about.at("after"))).lines.value(),
          .last = about.at("last")};
}

}  // namespace

FilledBuffer SendingBuffers::fill(const StreamedLines& from) {
  FilledBuffer filled = buffers_->fill(from);
  feed_->send(packed(filled));
  return filled;
}

StreamedLines ReceivingBuffers::start() const { return {.before = {}, .sha256 = sha256("")}; }

FilledBuffer ReceivingBuffers::fill(const StreamedLines&) {
  const auto block = feed_->receive([this] { return broken_off_.load(); });
  if (!block) throw ReadCancelled();
  return unpacked(*block, form_, limits_);
}

}  // namespace heed::data
