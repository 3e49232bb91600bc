// The filters of parallel text: what can be wrong with a pair.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/enum_names.h"

namespace heed::curation {

/// In the order in which reports list them, and in which a removed line names its reasons.
enum class Filter : uint8_t {
  Empty,
  Encoding,
  Control,
  Length,
  Ratio,
  Truncated,
  Copied,
  Language,
  Script,
  Misaligned,
  Markup,
  Numbers,
  Sentences,
  Boilerplate,
  Duplicate,
  NearDuplicate,
  Leak,
};
constexpr auto option_names(Filter) {
  return std::array{std::pair{Filter::Empty, "empty"},
                    std::pair{Filter::Encoding, "encoding"},
                    std::pair{Filter::Control, "control"},
                    std::pair{Filter::Length, "length"},
                    std::pair{Filter::Ratio, "ratio"},
                    std::pair{Filter::Truncated, "truncated"},
                    std::pair{Filter::Copied, "copied"},
                    std::pair{Filter::Language, "language"},
                    std::pair{Filter::Script, "script"},
                    std::pair{Filter::Misaligned, "misaligned"},
                    std::pair{Filter::Markup, "markup"},
                    std::pair{Filter::Numbers, "numbers"},
                    std::pair{Filter::Sentences, "sentences"},
                    std::pair{Filter::Boilerplate, "boilerplate"},
                    std::pair{Filter::Duplicate, "duplicate"},
                    std::pair{Filter::NearDuplicate, "near-duplicate"},
                    std::pair{Filter::Leak, "leak"}};
}
inline constexpr size_t kFilters = option_names(Filter{}).size();

/// What a filter finds, for reports: "one side is empty, or only spaces".
std::string_view description_of(Filter filter);

/// A set of filters.
class FilterSet {
 public:
  constexpr FilterSet() = default;
  constexpr FilterSet(std::initializer_list<Filter> filters) {
    for (const Filter filter : filters) add(filter);
  }
  constexpr void add(Filter filter) { bits_ |= bit(filter); }
  constexpr void remove(Filter filter) { bits_ &= ~bit(filter); }
  constexpr bool contains(Filter filter) const { return (bits_ & bit(filter)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr FilterSet operator&(FilterSet other) const { return FilterSet(bits_ & other.bits_); }
  constexpr bool operator==(const FilterSet&) const = default;
  /// The names of its filters, in order.
  std::vector<std::string> names() const;

 private:
  constexpr explicit FilterSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t bit(Filter filter) { return uint32_t{1} << static_cast<uint32_t>(filter); }

  uint32_t bits_ = 0;
};

/// The filters that `heed data filter` applies without options: those that hardly ever find a good pair. Measured in
/// benchmarks/data_filters.
inline constexpr FilterSet kDefaultFilters{Filter::Empty,  Filter::Encoding,   Filter::Control,     Filter::Length,
                                           Filter::Ratio,  Filter::Truncated,  Filter::Copied,      Filter::Language,
                                           Filter::Script, Filter::Misaligned, Filter::Boilerplate, Filter::Duplicate,
                                           Filter::Leak};

/// The filters of these names. Throws ConfigError for an unknown name; names of filters of OpusFilter and bicleaner
/// lead to heed's. option: for messages.
FilterSet filters_of(std::span<const std::string> names, const std::string& option);

}  // namespace heed::curation
