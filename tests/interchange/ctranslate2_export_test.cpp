#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "heed/core/error.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/interchange/ctranslate2/ctranslate2.h"
#include "heed_torch/interchange/interchange.h"
#include "interchange/ctranslate2_files.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;
using testing::CTranslate2Files;
using testing::decoder_of;
using testing::decoder_stack;
using testing::encoder_stack;
using testing::message_of;
using testing::TemporaryDirectory;

constexpr int64_t kPositions = 2048;

/// A Transformer with random parameters and words.
ExchangedModel small_model(const std::function<void(models::ArchitectureOptions&)>& change) {
  ExchangedModel model{
      .arch = testing::tiny_transformer(), .search = {}, .tokenizers = {}, .tensors = {}, .left_out = {}};
  change(model.arch);
  model.tokenizers.source = text::testing::learn_one({.type = text::WordsOptions{}});
  model.tokenizers.target = model.tokenizers.source;
  const int64_t size = model.tokenizers.source->size();
  model.tensors = checkpoint::named_tensors(*models::build_model(model.arch, {.source = size, .target = size}, 1));
  return model;
}

class CTranslate2Export : public ::testing::Test {
 protected:
  std::string refused(const std::function<void(models::ArchitectureOptions&)>& change) {
    ExchangedModel model = small_model(change);
    std::string message = message_of<CheckpointError>([&] { write_ctranslate2(model, "M", output); });
    EXPECT_FALSE(fs::exists(output)) << message;
    return message;
  }

  TemporaryDirectory folder;
  std::string output = folder.file("theirs");
};

/// What CTranslate2 wrote comes back with the same bytes.
TEST_F(CTranslate2Export, ThereAndBackIsTheSame) {
  const CTranslate2Files files(folder.file("m"), kPositions);
  files.write();
  import_model({.from = Format::CTranslate2, .input = files.directory, .model = folder.file("heed")});
  export_model({.to = Format::CTranslate2, .model = folder.file("heed"), .output = output});
  for (const char* name : {"model.bin", "shared_vocabulary.json", "source.spm", "target.spm"}) {
    EXPECT_TRUE(read_file(output + "/" + name) == read_file(files.directory + "/" + name)) << name;
  }
  import_model({.from = Format::CTranslate2, .input = output, .model = folder.file("again")});
  EXPECT_TRUE(read_file(folder.file("again/model.safetensors")) == read_file(folder.file("heed/model.safetensors")));
}

TEST_F(CTranslate2Export, AnEntryForTheFirstTokenStays) {
  CTranslate2Files files(folder.file("m"), kPositions);
  files.turn_to_pre_norm();
  files.write();
  import_model({.from = Format::CTranslate2, .input = files.directory, .model = folder.file("heed")});
  export_model({.to = Format::CTranslate2, .model = folder.file("heed"), .output = output});
  const auto read = [&](const char* name) { return nlohmann::json::parse(read_file(output + "/" + name)); };
  // pad, which none of theirs is, has no entry; others have heed's order.
  EXPECT_EQ(read("shared_vocabulary.json"), (nlohmann::json{"<unk>", "<s>", "</s>", "\u2581the", "\u2581dog", "."}));
  EXPECT_EQ(read("config.json").at("decoder_start_token"), "<s>");
  EXPECT_EQ(read("config.json").at("add_source_eos"), true);
}

/// Each form of network that both have.
TEST_F(CTranslate2Export, EveryFormComesBack) {
  using Arch = models::ArchitectureOptions;
  const std::vector<std::function<void(Arch&)>> forms{
      [](Arch&) {},
      [](Arch& arch) {
        encoder_stack(arch).norm_order = decoder_stack(arch).norm_order = models::PreNorm{.epsilon = 1e-6};
      },
      [](Arch& arch) {
        encoder_stack(arch).norm_order = decoder_stack(arch).norm_order = models::PostNorm{.norm = nn::NormKind::Rms};
        encoder_stack(arch).feed_forward.gated = true;
      },
      [](Arch& arch) {
        encoder_stack(arch).positions = nn::LearnedPositions{.max_length = 20};
        decoder_stack(arch).positions = nn::RelativePositionOptions{.max_distance = 2};
      },
      [](Arch& arch) {
        arch.tied_embeddings = models::TiedEmbeddings::None;
        arch.output_bias = true;
        arch.embedding_scale = false;
        encoder_stack(arch).positions = decoder_stack(arch).positions = nn::RotaryPositions{.base = 500};
        decoder_stack(arch).scale_scores = false;
      },
      [](Arch& arch) {
        const nn::MultiHead plain{.heads = nn::heads_of(decoder_stack(arch).attention), .bias = false};
        decoder_of(arch).cross.attention = plain;
        decoder_stack(arch).feed_forward.bias = false;
        encoder_stack(arch).feed_forward.activation = nn::Activation::Sigmoid;
      },
  };
  for (size_t i = 0; i < forms.size(); ++i) {
    ExchangedModel model = small_model(forms[i]);
    const std::string theirs = fmt::format("{}{}", output, i), ours = folder.file(fmt::format("heed{}", i));
    write_ctranslate2(model, "M", theirs);
    import_model({.from = Format::CTranslate2, .input = theirs, .model = ours});
    const auto back = checkpoint::read_tensors(ours + "/model.safetensors").tensors;
    ASSERT_EQ(back.size(), model.tensors.size()) << i;
    for (const auto& [name, tensor] : model.tensors) EXPECT_TRUE(back.at(name).equal(tensor)) << i << name;
    const auto opened = config::open_model(ours, "", at::kCPU);
    Arch expected = model.arch;  // CTranslate2 has no dropout
    expected.dropout = opened.options.arch.dropout;
    EXPECT_TRUE(opened.options.arch == expected) << i;
  }
}

TEST_F(CTranslate2Export, NamesWhatCTranslate2CannotHold) {
  using Arch = models::ArchitectureOptions;
  EXPECT_EQ(refused([](Arch& arch) { arch.encoder.type = models::RnnEncoderOptions{}; }),
            "M: has the encoder `rnn`, which CTranslate2 cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { encoder_stack(arch).norm_order = models::NoNorm{}; }),
            "M: has no norms (`arch.encoder.norm-order` = none), which CTranslate2 cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { decoder_stack(arch).positions = nn::NoPositions{}; }),
            "M: has no positions (`arch.decoder.positions` = none), which CTranslate2 cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { encoder_stack(arch).norm_order = models::PostNorm{.epsilon = 1e-3}; }),
            "M: has two epsilons of norms (`arch.decoder.norm-epsilon`), which CTranslate2 cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { encoder_stack(arch).attention = nn::SingleHead{}; }),
            "M: has `arch.encoder.attention` = single-head, which CTranslate2 cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { decoder_of(arch).cross.attention = nn::MultiHead{.heads = 1}; }),
            "M: has another number of heads to the source than in self-attention (`arch.decoder.cross.heads`), which "
            "CTranslate2 cannot hold");
}

/// Tokenizers that are not SentencePiece's stand beside the vocabularies as heed has them.
TEST_F(CTranslate2Export, TokenizersMustHaveTheTokensOfTheirVocabularies) {
  ExchangedModel model = small_model([](models::ArchitectureOptions&) {});
  const std::string others = text::testing::learn_one({.type = text::WordsOptions{}}, {"a b c"})->serialized();
  write_ctranslate2(model, "M", output);
  import_model({.from = Format::CTranslate2, .input = output, .model = folder.file("heed")});
  for (const std::string side : {"source", "target"}) {
    const std::string path = output + "/" + side + ".words", own = read_file(path);
    write_file(path, others);
    EXPECT_EQ(message_of<CheckpointError>(
                  [&] { import_model({.from = Format::CTranslate2, .input = output, .model = folder.file("again")}); }),
              path + ": must have the tokens of the vocabulary next to it, but has others");
    write_file(path, own);
  }
}

/// A full disk, say.
TEST_F(CTranslate2Export, LeavesNothingThatIsNotWhole) {
  CTranslate2Files files(folder.file("m"), kPositions);
  files.flag("encoder/", "activation", 0);  // MarianMT has one of both sides
  files.write();
  import_model({.from = Format::CTranslate2, .input = folder.file("m"), .model = folder.file("heed")});
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const Format format : {Format::CTranslate2, Format::HuggingFace}) {
    for (const bool is_new : {true, false}) {
      if (!is_new) fs::create_directory(output);
      const rlimit little{.rlim_cur = 2000, .rlim_max = before.rlim_max};
      setrlimit(RLIMIT_FSIZE, &little);
      const std::string message =
          message_of<FileError>([&] { export_model({.to = format, .model = folder.file("heed"), .output = output}); });
      setrlimit(RLIMIT_FSIZE, &before);
      EXPECT_NE(message, "");
      EXPECT_EQ(fs::exists(output), !is_new);
      EXPECT_TRUE(is_new || fs::is_empty(output));
      fs::remove(output);
    }
  }
  std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace heed::interchange
