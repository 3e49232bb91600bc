#include "heed/core/text/json_members.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed {
namespace {

using testing::message_of;

const JsonMembers::Json kJson = JsonMembers::Json::parse(
    R"({"a": {"b": 7, "c": {"d": -1.5}}, "list": [1, -2], "yes": true, "word": "x", "none": null,
        "large": 18446744073709551615})");

TEST(JsonMembers, HaveDottedNames) {
  const JsonMembers members(kJson);
  EXPECT_EQ(members.whole_number("a.b"), 7);
  EXPECT_EQ(members.number("a.c.d"), -1.5);
  EXPECT_EQ(members.number("a.b"), 7);
  EXPECT_EQ(members.members("a").members("c").number("d"), -1.5);
  EXPECT_EQ(members.whole_numbers("list"), (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(members.natural_number("large"), UINT64_MAX);
  EXPECT_TRUE(members.flag("yes"));
  EXPECT_EQ(members.text("word"), "x");
  EXPECT_TRUE(members.has("a.c"));
  for (const char* name : {"none", "a.x", "word.x", "list.x", "a.b.c"}) EXPECT_FALSE(members.has(name)) << name;
}

TEST(JsonMembers, AreNamedInErrors) {
  const JsonMembers members(kJson);
  EXPECT_EQ(message_of<Error>([&] { members.number("a.x"); }), "`a.x` must be a number, but is missing");
  EXPECT_EQ(message_of<Error>([&] { members.whole_number("a.c.d"); }), "`a.c.d` must be a whole number, but is -1.5");
  EXPECT_EQ(message_of<Error>([&] { members.members("a").whole_number("c.d"); }),
            "`a.c.d` must be a whole number, but is -1.5");
  EXPECT_EQ(message_of<Error>([&] { members.whole_number("large"); }),
            "`large` must be a whole number, but is 18446744073709551615");
  EXPECT_EQ(message_of<Error>([&] { members.natural_number("a.c.d"); }),
            "`a.c.d` must be a whole number of at least 0, but is -1.5");
  EXPECT_EQ(message_of<Error>([&] { members.flag("word"); }), "`word` must be true or false, but is \"x\"");
  EXPECT_EQ(message_of<Error>([&] { members.text("list"); }), "`list` must be a text, but is [1,-2]");
  EXPECT_EQ(message_of<Error>([&] { members.members("yes"); }), "`yes` must be an object, but is true");
  EXPECT_EQ(message_of<Error>([&] { JsonMembers(JsonMembers::Json(3)).whole_numbers("x"); }),
            "`x` must be a list of whole numbers, but is missing");
  const JsonMembers::Json longer{{"x", std::string(1000, 'y')}};
  EXPECT_LT(message_of<Error>([&] { JsonMembers(longer).number("x"); }).size(), 120U);
}

struct Inner {
  int64_t count = 3;
  std::optional<double> share = {};
  bool operator==(const Inner&) const = default;
};
void describe_members(Inner& inner, auto& visit) {
  visit("count", inner.count);
  visit("share", inner.share);
}

struct Outer {
  std::string name = "x";
  bool added = true;
  std::optional<Inner> inner = {};
  std::vector<int64_t> list = {};
  bool operator==(const Outer&) const = default;
};
void describe_members(Outer& outer, auto& visit) {
  visit("name", outer.name);
  visit.added("added", outer.added);
  visit.if_set("inner", outer.inner);
  visit.if_set("list", outer.list);
}

TEST(DescribedStruct, IsInTheOrderOfTheDescription) {
  EXPECT_EQ(json_of(Outer()).dump(), R"({"name":"x","added":true})");
  EXPECT_EQ(json_of(Outer{.name = "y", .added = false, .inner = Inner{}, .list = {1, 2}}).dump(),
            R"({"name":"y","added":false,"inner":{"count":3,"share":null},"list":[1,2]})");
}

TEST(DescribedStruct, ReadsBack) {
  const Outer outer{.name = "y", .added = false, .inner = Inner{.count = 7, .share = 1.0 / 3}, .list = {1, 2}};
  const JsonMembers::Json json = json_of(outer);
  EXPECT_EQ(read_json<Outer>(JsonMembers(json)), outer);
}

TEST(DescribedStruct, MembersThatOlderFilesLackKeepTheirValues) {
  const JsonMembers::Json json = JsonMembers::Json::parse(R"({"name": "y"})");
  EXPECT_EQ(read_json<Outer>(JsonMembers(json)), Outer{.name = "y"});
}

TEST(DescribedStruct, NamesWhatIsMissing) {
  const auto no_name = JsonMembers::Json::parse("{}"),
             no_count = JsonMembers::Json::parse(R"({"name": "y", "inner": {}})");
  EXPECT_EQ(message_of<Error>([&] { read_json<Outer>(JsonMembers(no_name)); }),
            "`name` must be a text, but is missing");
  EXPECT_EQ(message_of<Error>([&] { read_json<Outer>(JsonMembers(no_count)); }),
            "`inner.count` must be a whole number, but is missing");
}

}  // namespace
}  // namespace heed
