// Without torch, neither its headers nor its libraries: what a program needs to read the section [arch] of a model's
// config.toml.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "heed/architecture/architecture.h"
#include "heed/command_line/settings_file.h"
#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::models {
namespace {

using config::Setting;
using heed::testing::message_of;

struct WithArchitecture {
  ArchitectureOptions arch;
};
void describe(WithArchitecture& o, OptionVisitor& visit) { visit.section("arch", o.arch, "architecture of the model"); }

ArchitectureOptions read(std::vector<Setting> settings) {
  std::erase_if(settings, [](const Setting& setting) { return !setting.name.starts_with("arch."); });
  WithArchitecture options;
  config::apply_layers(config::visit_options(options), {settings});
  return options.arch;
}
ArchitectureOptions read(const std::string& toml) { return read(config::parse_settings(toml, "config.toml")); }

const std::string kLuong = R"toml(
[arch]
d-model = 256
dropout = 0.2
tied-embeddings = "none"

[arch.encoder]
type = "rnn"
cell = "lstm"
layers = 2
hidden = 128
direction = "both"

[arch.decoder]
type = "rnn"
cell = "lstm"
layers = 2
hidden = 256
initial-state = "last"
attention = "after"
score = "general"
score-scale = "learned"
window = "local-p"
half-width = 4
readout = "tanh"
)toml";

TEST(ArchitectureOptions, AreReadFromAConfiguration) {
  const ArchitectureOptions options = read(kLuong);
  EXPECT_EQ(options.d_model, 256);
  EXPECT_EQ(options.dropout, 0.2);
  EXPECT_EQ(options.tied_embeddings, TiedEmbeddings::None);
  const auto& encoder = std::get<RnnEncoderOptions>(options.encoder.type);
  EXPECT_EQ(encoder.stack, (RnnStackOptions{.cell = nn::CellKind::Lstm, .layers = 2, .hidden = 128}));
  EXPECT_EQ(encoder.direction, EncoderDirection::Both);
  const auto& decoder = std::get<RnnDecoderOptions>(options.decoder.type);
  const nn::MemoryAttentionOptions attend{.score = nn::GeneralScore{.scale = nn::ScoreScale::Learned},
                                          .window = nn::PredictedWindow{.half_width = 4}};
  EXPECT_EQ(decoder.attention, DecoderAttentionOptions(AttentionAfterCell{.attend = attend}));
  EXPECT_EQ(decoder.readout, ReadoutOptions(TanhReadout{}));
}

TEST(ArchitectureOptions, TellWhatAnEncoderLeaves) {
  const MemoryShape shape = memory_shape(read(kLuong));
  EXPECT_EQ(shape.d_memory, 2 * 128);
  EXPECT_EQ(shape.last, (std::vector<int64_t>{256, 256}));
  EXPECT_TRUE(shape.cells);
  EXPECT_EQ(memory_shape(read("")).d_memory, 512);
}

TEST(ArchitectureOptions, TellWhoAttendsToTheSource) {
  EXPECT_TRUE(has_source_attention(read("")));
  EXPECT_FALSE(has_source_attention(read("[arch.encoder]\ntype = 'none'\n")));
  EXPECT_EQ(recurrent_attention(read("")), nullptr);
  EXPECT_TRUE(has_source_attention(read(kLuong)));
  EXPECT_FALSE(has_source_attention(read("[arch.decoder]\ntype = 'rnn'\nattention = 'none'\n")));
}

TEST(ArchitectureOptions, TellHowLongSentencesCanBe) {
  EXPECT_EQ(max_source_length(read("")), std::nullopt);
  const ArchitectureOptions learned = read("[arch.encoder]\npositions = 'learned'\nmax-length = 12\n");
  EXPECT_EQ(max_source_length(learned), 12);
  EXPECT_EQ(max_target_length(learned), std::nullopt);
  const ArchitectureOptions convolutions = read(
      "[arch.encoder]\ntype = 'convolution'\nmax-length = 9\n[arch.decoder]\ntype = 'convolution'\nmax-length = 7\n");
  EXPECT_EQ(max_source_length(convolutions), 9);
  EXPECT_EQ(max_target_length(convolutions), 7);
  const std::string scored = "[arch.decoder]\ntype = 'rnn'\nscore = 'location'\nmax-source = 10\n";
  EXPECT_EQ(max_source_length(read(scored)), 10);
  EXPECT_EQ(max_source_length(read("[arch.encoder]\npositions = 'learned'\nmax-length = 12\n" + scored)), 10);
  EXPECT_EQ(max_source_length(read("[arch.encoder]\npositions = 'learned'\nmax-length = 8\n" + scored)), 8);
}

TEST(ArchitectureOptions, TellWhatIsDrawnByChance) {
  EXPECT_TRUE(has_dropout(read(kLuong)));
  EXPECT_FALSE(draws_at_random(read("[arch]\ndropout = 0\n")));
  for (const char* dropout :
       {"word-dropout = 0.1\n", "[arch.encoder]\nquery-key-value-dropout = 0.1\n",
        "[arch.decoder]\noutput-dropout = 0.1\n", "[arch.decoder.feed-forward]\nactivation-dropout = 0.1\n"}) {
    EXPECT_TRUE(draws_at_random(read(std::string("[arch]\ndropout = 0\n") + dropout))) << dropout;
  }
  EXPECT_FALSE(draws_at_random(read("[arch]\ndropout = 0\n[arch.encoder]\nlayer-dropout = 0.1\n")))
      << "all sentences of a batch have the same layers";
  EXPECT_TRUE(has_hard_attention(read("[arch.decoder]\ntype = 'rnn'\nattention-function = 'hard'\n")));
}

TEST(ArchitectureOptions, AreRefusedWherePartsDoNotFit) {
  const auto refusal = [](const std::string& toml) {
    return message_of<ConfigError>([&] { validate(read(toml), {.source = 11, .target = 12}); });
  };
  EXPECT_EQ(refusal(kLuong), "nothing was thrown");
  EXPECT_EQ(refusal("[arch.encoder]\nheads = 3\n"), "`arch.encoder.heads` must divide arch.d-model (512), found 3");
  const std::string without_parameters =
      ".query-key-norm` must be none with parameter-free attention: the norms have parameters";
  EXPECT_EQ(refusal("[arch.encoder]\nattention = 'parameter-free'\nquery-key-norm = 'rms'\n"),
            "`arch.encoder" + without_parameters);
  EXPECT_EQ(refusal("[arch.decoder]\nquery-key-norm = 'rms'\n[arch.decoder.cross]\nattention = 'parameter-free'\n"),
            "`arch.decoder" + without_parameters);
  EXPECT_EQ(refusal("[arch.initialization]\nzero-branches = true\n[arch.encoder]\nresidual = false\n"),
            "`arch.initialization.zero-branches` must be false without residual connections: a layer would pass on "
            "nothing");
  EXPECT_EQ(refusal("[arch.encoder]\ntype = 'convolution'\nkernel = 4\n"),
            "`arch.encoder.kernel` must be odd: as much on the left as on the right, found 4");
  EXPECT_EQ(refusal("[arch]\nd-model = 8\n[arch.encoder]\nheads = 8\npositions = 'rotary'\n"),
            "`arch.encoder.positions` rotary need an even width of each head, found 1");
  EXPECT_EQ(refusal("[arch]\nd-model = 9\n[arch.encoder]\nheads = 3\n"),
            "`arch.encoder.positions` sinusoidal need an even arch.d-model, found 9");
  EXPECT_EQ(refusal("[arch.encoder]\ntype = 'rnn'\nhidden = 7\n[arch.decoder.cross]\nattention = 'parameter-free'\n"),
            "`arch.decoder.cross.attention` parameter-free needs an encoder whose states have the width of "
            "arch.d-model (512), found 14");
  EXPECT_EQ(refusal("[arch.decoder]\ntype = 'rnn'\nhidden = 500\nscore = 'dot'\n"),
            "`arch.decoder.score` dot, scaled-dot and cosine compare vectors of one width, but arch.decoder.hidden is "
            "500 and the encoder's states have 512");
  EXPECT_EQ(
      refusal("[arch.decoder]\ntype = 'rnn'\nscore = 'idf'\nattention-function = 'hard'\n"),
      "`arch.decoder.attention-function` must be soft with the scores uniform, idf and tf-idf: there is nothing to learn to "
      "choose by");
  EXPECT_EQ(refusal("[arch.decoder]\ntype = 'rnn'\nhidden = 500\nattention = 'before'\nreadout = 'state'\n"),
            "`arch.decoder.readout` state needs arch.decoder.hidden = arch.d-model, found 500 and 512");
  EXPECT_EQ(
      refusal("[arch]\ntied-embeddings = 'all'\n"),
      "`arch.tied-embeddings` all needs one vocabulary for both languages, found 11 source and 12 target entries");
}

TEST(ArchitectureOptions, OfEveryPresetAreReadAndWrittenAlike) {
  const auto presets = std::filesystem::path(std::getenv("HEED_SOURCE_DIR")) / "lib/heed_torch/config/presets";
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(presets)) {
    WithArchitecture options{.arch = read(config::read_settings(file.path()))};
    EXPECT_NO_THROW(validate(options.arch)) << file.path();
    EXPECT_EQ(read(config::format_settings(config::visit_options(options))), options.arch) << file.path();
    ++count;
  }
  EXPECT_GE(count, 12);
}

}  // namespace
}  // namespace heed::models
