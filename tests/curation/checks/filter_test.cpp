#include "heed/curation/checks/filter.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::curation {
namespace {

using Names = std::vector<std::string>;

TEST(Filter, NamesOfOtherToolkitsLeadToOurs) {
  const auto message = [](const std::string& name) {
    return testing::message_of<ConfigError>([&] { filters_of(Names{name}, "--with"); });
  };
  EXPECT_EQ(message("LengthRatioFilter"),
            "`--with` must name heed's filters: `ratio` is the closest to OpusFilter's `LengthRatioFilter`");
  EXPECT_EQ(message("no_identical"),
            "`--with` must name heed's filters: `copied` is the closest to bicleaner's `no_identical`");
  EXPECT_EQ(message("no_urls"), "`--with` has no filter like bicleaner's `no_urls`");
  EXPECT_NE(message("lenght").find("empty, encoding, "), std::string::npos);
}

TEST(Filter, EachHasADescription) {
  for (const auto& [filter, name] : option_names(Filter{})) EXPECT_FALSE(description_of(filter).empty()) << name;
}

TEST(FilterSet, HoldsFilters) {
  FilterSet set = filters_of(Names{"ratio", "empty"}, "--with");
  EXPECT_EQ(set.names(), (Names{"empty", "ratio"}));
  set.remove(Filter::Empty);
  EXPECT_EQ(set & kDefaultFilters, FilterSet{Filter::Ratio});
  EXPECT_TRUE((set & FilterSet{Filter::Empty}).empty());
}

}  // namespace
}  // namespace heed::curation
