#include "heed/command_line/settings.h"

#include <gtest/gtest.h>

#include "config/sample_options.h"
#include "heed/command_line/settings_file.h"
#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::config {
namespace {

using heed::testing::message_of;

Setting flag(const std::string& name, const std::string& value) { return {.name = name, .values = {value}}; }

sample::Options read(const std::vector<Layer>& layers) {
  sample::Options options;
  apply_layers(visit_options(options), layers);
  return options;
}

sample::Options read_toml(const std::string& toml) { return read({parse_settings(toml, "run.toml")}); }

std::string toml_error(const std::string& toml) {
  return message_of<ConfigError>([&] { read_toml(toml); });
}
std::string flag_error(const std::string& name, const std::string& value) {
  return message_of<ConfigError>([&] { read({Layer{flag(name, value)}}); });
}

TEST(Settings, LaterLayersWin) {
  const sample::Options options =
      read({Layer{flag("encoder.layers", "2"), flag("encoder.dropout", "0.3")},
            parse_settings("model = 'file'\n[encoder]\nlayers = 3\n", "run.toml"), Layer{flag("encoder.layers", "5")}});
  EXPECT_EQ(std::get<sample::Attentive>(options.encoder.parts).layers, 5);
  EXPECT_EQ(options.encoder.dropout, 0.3);
  EXPECT_EQ(options.model, "file");
}

TEST(Settings, AnEmptyTextOverrulesAFileOrIsAMistake) {
  EXPECT_EQ(flag_error("model", ""), "`--model` is empty: give it a value, or leave it out");
  EXPECT_EQ(read({parse_settings("model = 'file'", "run.toml"), Layer{flag("model", "")}}).model, "");
  EXPECT_EQ(read_toml("model = ''").model, "");
  const sample::Options options = read({Layer{flag("encoder.type", "rnn"), flag("encoder.cell", "")}});
  EXPECT_EQ(std::get<sample::Recurrent>(options.encoder.parts).cell, "") << "which is \"gru\" if left out";
}

TEST(Settings, TheChoiceIsMadeBeforeItsOptionsWhateverTheirOrder) {
  const sample::Options options = read({Layer{flag("encoder.cell", "lstm"), flag("encoder.type", "rnn")}});
  EXPECT_EQ(std::get<sample::Recurrent>(options.encoder.parts).cell, "lstm");
}

TEST(Settings, OptionsOfOtherChoicesAreErrors) {
  EXPECT_EQ(flag_error("encoder.cell", "lstm"),
            "`--encoder.cell` applies only when `encoder.type` is `rnn`, but it is `transformer`");
  EXPECT_EQ(toml_error("[encoder]\ndistance = 3\n"),
            "run.toml:2: `encoder.distance` applies only when `encoder.positions` is `shaw`, but it is `sinusoidal`");
  EXPECT_EQ(toml_error("[encoder]\ntype = 'rnn'\ndistance = 3\n"),
            "run.toml:3: `encoder.distance` applies only when `encoder.type` is `transformer`, but it is `rnn`");
}

TEST(Settings, AnotherChoiceInALaterLayerLeavesOutWhatBelongsToTheOldOne) {
  const Layer shaw =
      parse_settings("[encoder]\nlayers = 3\ndropout = 0.3\npositions = 'shaw'\ndistance = 3\n", "run.toml");
  const sample::Options other = read({shaw, Layer{flag("encoder.positions", "sinusoidal")}});
  EXPECT_EQ(std::get<sample::Attentive>(other.encoder.parts).layers, 3);
  const sample::Options rnn = read({shaw, Layer{flag("encoder.type", "rnn")}});
  EXPECT_EQ(std::get<sample::Recurrent>(rnn.encoder.parts).layers, 3) << "means the same with both";
  EXPECT_EQ(rnn.encoder.dropout, 0.3);
  const sample::Options back =
      read({shaw, Layer{flag("encoder.type", "rnn")}, Layer{flag("encoder.type", "transformer")}});
  EXPECT_TRUE(std::holds_alternative<sample::Sinusoidal>(std::get<sample::Attentive>(back.encoder.parts).positions));
  EXPECT_EQ(
      message_of<ConfigError>([&] { read({shaw, Layer{flag("encoder.type", "rnn"), flag("encoder.distance", "2")}}); }),
      "`--encoder.distance` applies only when `encoder.type` is `transformer`, but it is `rnn`")
      << "within a layer nothing is left out";
  const Layer cell = parse_settings("[encoder]\ncell = 'lstm'\n", "run.toml");
  EXPECT_EQ(std::get<sample::Recurrent>(read({cell, Layer{flag("encoder.type", "rnn")}}).encoder.parts).cell, "lstm")
      << "what goes with the new choice stays";
}

TEST(Settings, WrongValuesNameOptionExpectedAndFound) {
  EXPECT_EQ(flag_error("encoder.layers", "0"), "`--encoder.layers` must be a whole number of at least 1, but is `0`");
  EXPECT_EQ(flag_error("threads", "two"), "`--threads` must be a whole number of at least 1 or none, but is `two`");
  EXPECT_EQ(toml_error("\n[encoder]\nnorm = 'both'\n"),
            "run.toml:3: `encoder.norm` must be one of pre, post, but is `both`");
  EXPECT_EQ(flag_error("encoder.norm", "pres"),
            "`--encoder.norm` must be one of pre, post, but is `pres`; did you mean `pre`?");
  EXPECT_EQ(flag_error("encoder.type", "transfomer"),
            "`--encoder.type` must be one of transformer, rnn, but is `transfomer`; did you mean `transformer`?");
  EXPECT_EQ(toml_error("joint = 'yes'"), "run.toml:1: `joint` must be true or false, but is `yes`");
  EXPECT_EQ(toml_error("model = ['a', 'b']"), "run.toml:1: `model` must be a text, but is `a b`");
  EXPECT_EQ(toml_error("model = 1979-05-27"),
            "run.toml:1: `model` must be a text, a number, true, false or a list of these");
}

TEST(Settings, UnknownNamesInFilesAreErrors) {
  EXPECT_EQ(toml_error("[encoder]\nlayer = 3\n"),
            "run.toml:2: `encoder.layer` is not an option; did you mean `encoder.layers`?");
  EXPECT_EQ(toml_error("[encoder]\nd_ropout = 3\n"),
            "run.toml:2: `encoder.d_ropout` is not an option; did you mean `encoder.dropout`?");
}

TEST(Settings, WhatIsNotTomlIsAnErrorWithItsLine) {
  EXPECT_TRUE(toml_error("model = 'm'\n[encoder\n").starts_with("run.toml:2: is not TOML: "));
  EXPECT_TRUE(toml_error("model = 'm'\nmodel = 'n'\n").starts_with("run.toml:2: is not TOML: "));
}

TEST(Settings, AKeyOfTooManyPartsIsAnErrorBeforeItFillsTheStack) {
  const auto key = [](int parts) {
    std::string text = "a";
    for (int i = 1; i < parts; ++i) text += i % 2 == 0 ? ".a" : " . \"b.c\"";
    return text;
  };
  const std::string message = "run.toml:2: has a key of more than 16 parts, which no option has";
  EXPECT_EQ(toml_error("# " + key(99) + "\n" + key(17) + " = 1\n"), message);
  EXPECT_EQ(toml_error("\n[" + key(17) + "]\n"), message);
  EXPECT_EQ(toml_error("\nx = {" + key(40'000) + " = 1}\n"), message);
  EXPECT_TRUE(toml_error("x = " + std::string(100'000, '[')).starts_with("run.toml:1: is not TOML: "));
  std::string tables = "1";
  for (int i = 0; i < 200; ++i) tables = "{" + key(16) + " = " + tables + "}";
  EXPECT_EQ(parse_settings("x = " + tables, "run.toml").size(), 1U);
}

TEST(Settings, DotsThatAreNotOfKeysAreNotCounted) {
  const std::string dots = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t";
  std::string numbers = "[0.5";
  for (int i = 0; i < 40; ++i) numbers += ", 0.5";
  const auto settings = parse_settings("a = '" + dots + "'\nb = \"\\\"" + dots + "\" # " + dots + "\nc = '''\n" + dots +
                                           "\n" + dots + "'''\nd = " + numbers + "]\n" + "e.f = 1\n",
                                       "run.toml");
  ASSERT_EQ(settings.size(), 5U);
  EXPECT_EQ(settings[1].values, std::vector<std::string>{"\"" + dots});
  EXPECT_EQ(settings[2].values, std::vector<std::string>{dots + "\n" + dots});
}

TEST(Settings, WrittenOptionsReadBackEqual) {
  sample::Options options;
  options.source = {"a b", "c\"d\\", "e\n\tü"};
  options.threads = 3;
  options.joint = true;
  options.encoder.dropout = 1e-9;
  options.encoder.parts =
      sample::Attentive{.layers = 7, .norm = sample::Order::Pre, .positions = sample::Shaw{.distance = 5}};
  EXPECT_EQ(read_toml(format_settings(visit_options(options))), options);
  options.threads = std::nullopt;
  options.encoder.parts = sample::Recurrent{.cell = "lstm", .layers = 2};
  EXPECT_EQ(read_toml(format_settings(visit_options(options))), options);
}

TEST(Settings, TheFileHasOneSectionPerSectionAndOnlyTheChosen) {
  sample::Options options;
  options.source = {"x", "y"};
  EXPECT_EQ(format_settings(visit_options(options)), R"(source = ["x", "y"]
model = ""
joint = false
threads = "none"
patience = "10e"

[encoder]
type = "transformer"
layers = 4
norm = "post"
positions = "sinusoidal"
dropout = 0.1
)");
}

struct Inner {
  double rate = 1;
};
void describe(Inner& o, OptionVisitor& visit) { visit("rate", o.rate, "rate"); }
struct Outer {
  Inner schedule;
  bool last = true;
};
void describe(Outer& o, OptionVisitor& visit) {
  visit.section("schedule", o.schedule, "described before the section's own fields");
  visit("last", o.last, "last");
}
struct Nested {
  Outer train;
};
void describe(Nested& o, OptionVisitor& visit) { visit.section("train", o.train, "section"); }

TEST(Settings, ASectionStandsBeforeThoseInIt) {
  Nested options;
  EXPECT_EQ(format_settings(visit_options(options)), "[train]\nlast = true\n\n[train.schedule]\nrate = 1\n");
}

TEST(Settings, DifferencesNameWhatChanged) {
  sample::Options before;
  sample::Options after;
  after.model = "m";
  std::get<sample::Attentive>(after.encoder.parts).positions = sample::Shaw{.distance = 8};
  const auto found = differences(visit_options(before), visit_options(after));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "encoder.positions");
  EXPECT_EQ(found[1].name, "model");
  EXPECT_EQ(found[2].name, "encoder.distance");
  EXPECT_EQ(found[2].before, "");
  EXPECT_EQ(found[2].after, "8");
}

}  // namespace
}  // namespace heed::config
