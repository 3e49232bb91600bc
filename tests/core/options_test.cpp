#include "heed/core/options.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace heed {
namespace {

enum class Color { Red, DarkBlue };
constexpr auto option_names(Color) {
  return std::array{std::pair{Color::Red, "red"}, std::pair{Color::DarkBlue, "dark-blue"}};
}

struct Inner {
  int64_t depth = 3;
};
void describe(Inner& o, OptionVisitor& visit) { visit("depth", o.depth, "how deep"); }

struct Round {
  static constexpr std::string_view kName = "round";
  double radius = 1;
};
void describe(Round& o, OptionVisitor& visit) { visit("radius", o.radius, "of the circle"); }
struct Square {
  static constexpr std::string_view kName = "square";
  double side = 2;
};
void describe(Square& o, OptionVisitor& visit) { visit("side", o.side, "of the square"); }

struct Everything {
  bool flag = true;
  int64_t count = 2;
  double rate = 0.1;
  std::string name = "x";
  Color color = Color::DarkBlue;
  std::optional<int64_t> limit;
  std::optional<double> share = 0.5;
  std::vector<std::string> files{"a", "b"};
  std::vector<double> weights{1, 0.5};
  Amount budget{10, AmountUnit::Epochs};
  Inner inner;
  std::variant<Round, Square> shape;
};
void describe(Everything& o, OptionVisitor& visit) {
  visit("flag", o.flag, "a flag");
  visit("count", o.count, "a count", at_least(1));
  visit("rate", o.rate, "a rate", between(0, 1));
  visit("name", o.name, "a name");
  visit("color", o.color, "a color");
  visit("limit", o.limit, "a limit", at_least(5));
  visit("share", o.share, "a share", between(0, 1));
  visit("files", o.files, "some files");
  visit("weights", o.weights, "some weights", above(0));
  visit("budget", o.budget, "a budget", at_least(0));
  visit.section("inner", o.inner, "inner options");
  visit.alternatives("shape", o.shape, "the shape");
}

/// Collects all fields under dotted names; what they refer to must outlive it.
class Fields : public OptionVisitor {
 public:
  explicit Fields(Everything& options) { describe(options, *this); }
  std::map<std::string, OptionField> all;

  std::vector<std::string> get(const std::string& name) const { return all.at(name).get(); }
  void set(const std::string& name, std::vector<std::string> texts) const { all.at(name).set(texts); }
  bool accepts(const std::string& name, std::vector<std::string> texts) const {
    try {
      set(name, std::move(texts));
    } catch (const std::invalid_argument&) {
      return false;
    }
    return true;
  }

 protected:
  void field(const OptionField& field) override { all[prefix_ + std::string(field.name)] = field; }
  void enter(std::string_view section, std::string_view) override { prefix_ = std::string(section) + "."; }
  void leave() override { prefix_.clear(); }

 private:
  std::string prefix_;
};

using Texts = std::vector<std::string>;

TEST(Options, EveryTypeIsReadAsText) {
  Everything options;
  const Fields fields(options);
  EXPECT_EQ(fields.get("flag"), Texts{"true"});
  EXPECT_EQ(fields.get("count"), Texts{"2"});
  EXPECT_EQ(fields.get("rate"), Texts{"0.1"});
  EXPECT_EQ(fields.get("name"), Texts{"x"});
  EXPECT_EQ(fields.get("color"), Texts{"dark-blue"});
  EXPECT_EQ(fields.get("limit"), Texts{"none"});
  EXPECT_EQ(fields.get("share"), Texts{"0.5"});
  EXPECT_EQ(fields.get("files"), (Texts{"a", "b"}));
  EXPECT_EQ(fields.get("weights"), (Texts{"1", "0.5"}));
  EXPECT_EQ(fields.get("budget"), Texts{"10e"});
  EXPECT_EQ(fields.get("inner.depth"), Texts{"3"});
  EXPECT_EQ(fields.get("shape"), Texts{"round"});
  EXPECT_EQ(fields.get("radius"), Texts{"1"});
}

TEST(Options, EveryTypeIsSetFromText) {
  Everything options;
  const Fields fields(options);
  fields.set("flag", {"false"});
  fields.set("count", {"7"});
  fields.set("rate", {"1e-3"});
  fields.set("name", {"y z"});
  fields.set("color", {"red"});
  fields.set("limit", {"9"});
  fields.set("share", {"none"});
  fields.set("files", {});
  fields.set("weights", {"2", "1e-3"});
  fields.set("budget", {"5Mt"});
  fields.set("inner.depth", {"-4"});
  EXPECT_FALSE(options.flag);
  EXPECT_EQ(options.count, 7);
  EXPECT_EQ(options.rate, 1e-3);
  EXPECT_EQ(options.name, "y z");
  EXPECT_EQ(options.color, Color::Red);
  EXPECT_EQ(options.limit, 9);
  EXPECT_EQ(options.share, std::nullopt);
  EXPECT_TRUE(options.files.empty());
  EXPECT_EQ(options.weights, (std::vector<double>{2, 1e-3}));
  EXPECT_FALSE(fields.accepts("weights", {"1", "0"}));
  EXPECT_FALSE(fields.accepts("weights", {"1", "x"}));
  EXPECT_EQ(options.budget, (Amount{5e6, AmountUnit::Tokens}));
  EXPECT_EQ(options.inner.depth, -4);
}

TEST(Options, ReadBackExactlyWhatTheyGave) {
  Everything options;
  options.rate = 1.0 / 3;
  options.count = 9'007'199'254'740'993;  // no double holds it
  Everything copy;
  const Fields from(options), to(copy);
  for (const auto& [name, field] : from.all) to.set(name, field.get());
  EXPECT_EQ(copy.rate, options.rate);
  EXPECT_EQ(copy.count, options.count);
}

TEST(Options, RefuseWhatTheyCannotHoldAndKeepTheirValue) {
  Everything options;
  const Fields fields(options);
  for (const auto& [name, texts] : std::vector<std::pair<std::string, Texts>>{{"flag", {"yes"}},
                                                                              {"flag", {}},
                                                                              {"count", {"0"}},
                                                                              {"count", {"2.5"}},
                                                                              {"count", {"2x"}},
                                                                              {"count", {""}},
                                                                              {"count", {"99999999999999999999"}},
                                                                              {"count", {"1", "2"}},
                                                                              {"rate", {"1.5"}},
                                                                              {"rate", {"-0.1"}},
                                                                              {"rate", {"nan"}},
                                                                              {"rate", {"inf"}},
                                                                              {"color", {"Red"}},
                                                                              {"color", {"green"}},
                                                                              {"limit", {"4"}},
                                                                              {"limit", {"None"}},
                                                                              {"share", {"2"}},
                                                                              {"budget", {"10 e"}},
                                                                              {"budget", {"-1"}},
                                                                              {"shape", {"triangle"}}}) {
    EXPECT_FALSE(fields.accepts(name, texts)) << name << " " << (texts.empty() ? "" : texts[0]);
  }
  EXPECT_EQ(options.count, 2);
  EXPECT_EQ(options.color, Color::DarkBlue);
  EXPECT_EQ(options.limit, std::nullopt);
}

TEST(Options, NumbersAreFiniteWhateverTheirBounds) {
  struct Numbers {
    double any = 1, positive = 1;
    std::optional<double> absent;
    Amount amount{1};
  } numbers;
  std::map<std::string, OptionField> fields{{"any", option_detail::number(numbers.any, {})},
                                            {"positive", option_detail::number(numbers.positive, above(0))},
                                            {"absent", option_detail::make(numbers.absent, at_least(0))},
                                            {"amount", option_detail::amount(numbers.amount, at_least(0))}};
  for (auto& [name, field] : fields) {
    for (const std::string text : {"inf", "-inf", "infinity", "nan", "1e999"}) {
      EXPECT_THROW(field.set(std::vector{text}), std::invalid_argument) << name << " " << text;
    }
    EXPECT_NO_THROW(field.set(std::vector<std::string>{"3"})) << name;
  }
}

TEST(Options, SayWhatTheyExpect) {
  Everything options;
  const Fields fields(options);
  EXPECT_EQ(fields.all.at("count").expected, "a whole number of at least 1");
  EXPECT_EQ(fields.all.at("rate").expected, "a number from 0 to 1");
  EXPECT_TRUE(fields.all.at("weights").expected.ends_with(" above 0")) << fields.all.at("weights").expected;
  EXPECT_EQ(fields.all.at("flag").expected, "true or false");
  EXPECT_EQ(fields.all.at("color").expected, "one of red, dark-blue");
  EXPECT_EQ(fields.all.at("color").choices, (Texts{"red", "dark-blue"}));
  EXPECT_EQ(fields.all.at("limit").expected, "a whole number of at least 5 or none");
  EXPECT_EQ(fields.all.at("inner.depth").expected, "a whole number");
  EXPECT_FALSE(fields.all.at("limit").has_value);
  EXPECT_TRUE(fields.all.at("share").has_value);
}

/// What is to be chosen is told by what there is; "none" is a way to choose nothing.
TEST(Options, AChoiceThatMayBeAbsentNamesWhatThereIs) {
  std::optional<Color> color;
  const OptionField field = option_detail::make(color, {});
  EXPECT_EQ(field.expected, "one of red, dark-blue");
  EXPECT_FALSE(field.has_value);
  field.set(Texts{"dark-blue"});
  EXPECT_EQ(color, Color::DarkBlue);
  field.set(Texts{"none"});
  EXPECT_FALSE(color);
}

TEST(Options, ChoosingAnotherAlternativeBringsItsDefaults) {
  Everything options;
  std::get<Round>(options.shape).radius = 5;
  Fields(options).set("shape", {"round"});
  EXPECT_EQ(std::get<Round>(options.shape).radius, 5);
  Fields(options).set("shape", {"square"});
  EXPECT_EQ(std::get<Square>(options.shape).side, 2);
  const Fields fields(options);
  EXPECT_TRUE(fields.all.contains("side"));
  EXPECT_FALSE(fields.all.contains("radius"));
}

}  // namespace
}  // namespace heed
