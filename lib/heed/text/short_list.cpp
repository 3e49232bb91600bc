#include "heed/text/short_list.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/safetensors.h"
#include "heed/text/tokenizer.h"

namespace heed::text {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's numbers are little-endian");

/// The header, padded so that the numbers are aligned:
/// {"frequent":{"dtype":"I32","shape":[3],"data_offsets":[0,12]},...}
std::string header_of(std::span<const std::pair<std::string_view, std::span<const int32_t>>> tensors,
                      int64_t target_size) {
  std::string header = fmt::format(R"({{"__metadata__":{{"target-size":"{}"}})", target_size);
  size_t begin = 0;
  for (const auto& [name, numbers] : tensors) {
    const size_t end = begin + numbers.size_bytes();
    header +=
        fmt::format(R"(,"{}":{{"dtype":"I32","shape":[{}],"data_offsets":[{},{}]}})", name, numbers.size(), begin, end);
    begin = end;
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return header;
}

/// Reads the tensors one after the other. Throws CheckpointError.
class Reader {
 public:
  Reader(const std::string& path, std::span<const std::byte> bytes)
      : path_(path), bytes_(bytes), header_(parse_safetensors_header(bytes, path)) {}

  std::span<const int32_t> numbers(std::string_view name) const {
    const auto found = std::ranges::find(header_.tensors, name, &StoredTensor::name);
    if (found == header_.tensors.end() || found->dtype != "I32" || found->shape.size() != 1) {
      fail(fmt::format("has no list `{}`", name));
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): aligned by whoever wrote it, which is checked
    const auto* first = reinterpret_cast<const int32_t*>(bytes_.data() + found->begin);
    if (reinterpret_cast<uintptr_t>(first) % alignof(int32_t) != 0)
      fail("does not begin its numbers at a multiple of 4");
    return {first, static_cast<size_t>(found->end - found->begin) / sizeof(int32_t)};
  }
  std::string target_size() const {
    const auto found = header_.metadata.find("target-size");
    return found == header_.metadata.end() ? "an unknown number of" : found->second;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw CheckpointError(path_, "is not a shortlist: it " + what);
  }

 private:
  const std::string& path_;
  std::span<const std::byte> bytes_;
  SafetensorsHeader header_;
};

}  // namespace

void write_short_list(const std::string& path, const ShortListContent& parts) {
  std::vector<int32_t> begins{0}, tokens;
  for (const std::vector<int32_t>& of_token : parts.by_token) {
    tokens.insert(tokens.end(), of_token.begin(), of_token.end());
    begins.push_back(static_cast<int32_t>(tokens.size()));
  }
  const std::vector<std::pair<std::string_view, std::span<const int32_t>>> tensors{
      {"frequent", parts.frequent}, {"begins", begins}, {"tokens", tokens}};
  const std::string header = header_of(tensors, parts.target_size);
  const uint64_t size = header.size();
  AtomicFile file(path);
  file.write(&size, sizeof size);
  file.write(header);
  for (const auto& [name, numbers] : tensors) file.write(numbers.data(), numbers.size_bytes());
  file.commit();
}

ShortList::ShortList(const std::string& path, int64_t source_size, int64_t target_size) : file_(path) {
  const Reader reader(path, file_.bytes());
  frequent_ = reader.numbers("frequent");
  begins_ = reader.numbers("begins");
  tokens_ = reader.numbers("tokens");
  const auto is_token = [&](int32_t token) { return token >= 0 && token < target_size; };
  if (std::ssize(begins_) != source_size + 1 || reader.target_size() != std::to_string(target_size)) {
    reader.fail(fmt::format("is of vocabularies of {} and {} entries, where the model has {} and {}",
                            std::ssize(begins_) - 1, reader.target_size(), source_size, target_size));
  }
  if (begins_.front() != 0 || begins_.back() != std::ssize(tokens_) || !std::ranges::is_sorted(begins_) ||
      !std::ranges::all_of(tokens_, is_token) || !std::ranges::all_of(frequent_, is_token)) {
    reader.fail("names tokens that do not exist");
  }
}

std::vector<int32_t> ShortList::tokens_for(std::span<const int32_t> source) const {
  std::vector<int32_t> found(frequent_.begin(), frequent_.end());
  found.insert(found.end(), {kUnk, kEos});
  for (const int32_t token : source) {
    const auto row = static_cast<size_t>(token);
    const auto first = tokens_.begin() + begins_[row], last = tokens_.begin() + begins_[row + 1];
    found.insert(found.end(), first, last);
  }
  std::ranges::sort(found);
  const auto rest = std::ranges::unique(found);
  found.erase(rest.begin(), rest.end());
  return found;
}

}  // namespace heed::text
