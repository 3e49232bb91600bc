#include "heed_torch/config/setup/embedding_vectors.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "support/tiny_models.h"
#include "support/tiny_tokenizer.h"

namespace heed::config {
namespace {

using testing::message_of;

struct Vectors : ::testing::Test {
  Vectors() {
    arch.tied_embeddings = models::TiedEmbeddings::None;
    arch.embedding_scale = true;  // sqrt(16) = 4
    const auto words = text::numbered_words(0, {"dog", "cat"});
    tokenizers = {.source = words, .target = words};
    write_file(file, "dog" + numbers(8) + "bird" + numbers(3));
    set_log_sink([this](LogLevel, std::string_view message) { log += message; });
  }
  ~Vectors() override { set_log_sink({}); }

  static std::string numbers(int value) {
    std::string text;
    for (int i = 0; i < 16; ++i) text += ' ' + std::to_string(value);
    return text + '\n';
  }
  std::shared_ptr<models::Model> model() const { return models::build_model(arch, {.source = 6, .target = 6}, 1); }

  models::ArchitectureOptions arch = heed::testing::tiny_transformer();
  text::Tokenizers tokenizers;
  heed::testing::TemporaryDirectory directory;
  std::string file = directory.file("v"), log;
};

TEST_F(Vectors, TheModelSeesTheFilesVectors) {
  const auto made = model(), untouched = model();
  set_embedding_vectors(*made, tokenizers, read_embedding_vectors({.source = file, .target = {}}, 16));
  const auto values = made->named_parameters(), before = untouched->named_parameters();
  const at::Tensor& source = values["encoder.embedding.weight"];
  EXPECT_TRUE(at::equal(source[4], at::full({16}, 2.0F))) << "8 / sqrt(16)";
  EXPECT_TRUE(at::equal(source[5], before["encoder.embedding.weight"][5])) << "cat has no vector";
  EXPECT_TRUE(at::equal(values["decoder.embedding.weight"], before["decoder.embedding.weight"]));
  EXPECT_EQ(log, file + ": vectors for 1 of the 2 tokens of the source vocabulary");
}

TEST_F(Vectors, OfPlainWordsAreThoseOfPiecesThatBeginWords) {
  const auto pieces = text::numbered_words(0, {"\u2581dog", "er", "\u2581er"});
  const auto made = models::build_model(arch, {.source = 7, .target = 7}, 1);
  const auto set = [&](const std::string& content) {
    write_file(file, content);
    at::NoGradGuard no_grad;
    made->named_parameters()["encoder.embedding.weight"].zero_();
    set_embedding_vectors(*made, {.source = pieces, .target = pieces},
                          read_embedding_vectors({.source = file, .target = {}}, 16));
    return made->named_parameters()["encoder.embedding.weight"].slice(0, 4).select(1, 0).clone();
  };
  EXPECT_TRUE(at::equal(set("dog" + numbers(4) + "er" + numbers(8)), torch::tensor({1.0F, 0.0F, 2.0F})));
  EXPECT_TRUE(at::equal(set("\u2581dog" + numbers(4) + "er" + numbers(8)), torch::tensor({1.0F, 2.0F, 0.0F})))
      << "a file of pieces";
}

TEST_F(Vectors, FrozenOnesAreNotTrained) {
  const auto made = model();
  freeze_embeddings(*made, {.source = {}, .target = {}, .frozen = FrozenEmbeddings::Both});
  for (const auto& replica : training::make_replicas(made, 2, c10::kCPU, {})) {
    EXPECT_EQ(replica.parameters.size(), made->parameters().size() - 2);
  }
  for (const auto& [name, parameter] : training::trainable_parameters(*made)) {
    EXPECT_FALSE(name == "encoder.embedding.weight" || name == "decoder.embedding.weight");
  }
}

TEST_F(Vectors, WhatDoesNotFitIsNamed) {
  const auto made = model();
  write_file(directory.file("narrow"), "dog 1 2\n");
  EXPECT_EQ(
      message_of<ConfigError>([&] { read_embedding_vectors({.source = {}, .target = directory.file("narrow")}, 16); }),
      "`vectors.target` must have vectors as wide as arch.d-model (16), found 2");
  write_file(file, "bird" + numbers(3));
  EXPECT_EQ(message_of<Error>([&] {
              set_embedding_vectors(*made, tokenizers, read_embedding_vectors({.source = file, .target = {}}, 16));
            }),
            file + ": has no vector for any token of the source vocabulary");
  const auto refusal = [&](const EmbeddingVectorOptions& options) {
    return message_of<ConfigError>([&] { validate(options, arch); });
  };
  EXPECT_NO_THROW(validate({.source = "a", .target = "b", .frozen = FrozenEmbeddings::Both}, arch));
  arch.tied_embeddings = models::TiedEmbeddings::Decoder;
  EXPECT_NO_THROW(validate({.source = "a", .target = "b", .frozen = FrozenEmbeddings::Source}, arch));
  EXPECT_EQ(refusal({.source = {}, .target = "b", .frozen = FrozenEmbeddings::Source}),
            "`vectors.frozen` names the source, which needs vectors: give vectors.source");
  const std::string shared =
      "`vectors.frozen` must not name a table that is also the output layer: set "
      "arch.tied-embeddings to none";
  EXPECT_EQ(refusal({.source = {}, .target = {}, .frozen = FrozenEmbeddings::Target}), shared);
  arch.tied_embeddings = models::TiedEmbeddings::All;
  EXPECT_EQ(refusal({.source = {}, .target = {}, .frozen = FrozenEmbeddings::Source}), shared);
  EXPECT_EQ(
      refusal({.source = "a", .target = "b"}),
      "`vectors.target` must not be given beside vectors.source: with arch.tied-embeddings = all there is one table");
}

}  // namespace
}  // namespace heed::config
