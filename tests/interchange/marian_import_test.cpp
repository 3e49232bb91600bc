#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "heed/core/error.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/interchange/interchange.h"
#include "interchange/imports.h"
#include "interchange/marian_files.h"
#include "support/message_of.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;
using testing::MarianFiles;
using testing::message_of;

at::Tensor values(const std::vector<float>& numbers) { return torch::tensor(numbers); }

class MarianImport : public Imports<MarianFiles, Format::HuggingFace> {};

TEST_F(MarianImport, RowsOfEmbeddingsAreInHeedsOrder) {
  const at::Tensor theirs = files.tensors["model.shared.weight"];
  const auto tensors = imported(files);
  const at::Tensor& table = tensors.at("decoder.embedding.weight");
  ASSERT_EQ(table.sizes(), (std::vector<int64_t>{8, 4}));
  // pad has none of theirs, unk is their 1, bos their pad, eos their 0; then pieces by their ids.
  EXPECT_TRUE(table[0].equal(torch::zeros(4)));
  const std::vector<int64_t> rows{1, 6, 0, 2, 3, 4, 5};
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [ours, their] : {std::pair{0, 0}, {1, 2}, {2, 1}, {3, 3}}) {  // sines before cosines
      EXPECT_EQ(table[static_cast<int64_t>(i) + 1][ours].item<float>(), theirs[rows[i]][their].item<float>());
    }
  }
  EXPECT_FALSE(tensors.contains("encoder.embedding.weight"));
  EXPECT_TRUE(tensors.at("output.bias").equal(values({-100, 1, 6, 0, 2, 3, 4, 5})));
}

TEST_F(MarianImport, MapsAreStackedAndTheirWidthPermuted) {
  const auto theirs = files.tensors;
  const auto tensors = imported(files);
  const at::Tensor order = torch::tensor({0, 2, 1, 3});
  const std::string layer = "model.decoder.layers.1.";
  const at::Tensor stacked =
      at::cat({theirs.at(layer + "self_attn.q_proj.weight"), theirs.at(layer + "self_attn.k_proj.weight"),
               theirs.at(layer + "self_attn.v_proj.weight")});
  const auto ours = [&](const std::string& name) { return tensors.at("decoder.layers.1." + name); };
  EXPECT_TRUE(ours("self_attention.query_key_value.weight").equal(stacked.index_select(1, order)));
  EXPECT_TRUE(ours("cross_attention.output.weight")
                  .equal(theirs.at(layer + "encoder_attn.out_proj.weight").index_select(0, order)));
  EXPECT_TRUE(ours("cross_attention.output.bias")
                  .equal(theirs.at(layer + "encoder_attn.out_proj.bias").index_select(0, order)));
  EXPECT_TRUE(ours("feed_forward.hidden.bias").equal(theirs.at(layer + "fc1.bias")));
  EXPECT_TRUE(ours("feed_forward.output.weight").equal(theirs.at(layer + "fc2.weight").index_select(0, order)));
  EXPECT_TRUE(
      ours("feed_forward_norm.weight").equal(theirs.at(layer + "final_layer_norm.weight").index_select(0, order)));
}

TEST_F(MarianImport, TheNetworkIsThatOfTheConfiguration) {
  files.write();
  import(files);
  const auto opened = config::open_model(files.directory + "-heed", "", at::kCPU);
  EXPECT_FALSE(opened.model->is_training()) << "for whoever calls it";
  const auto& arch = opened.options.arch;
  EXPECT_EQ(arch.d_model, 4);
  EXPECT_EQ(arch.dropout, 0.2);
  EXPECT_TRUE(arch.embedding_scale && arch.output_bias);
  const auto& encoder = std::get<models::TransformerEncoderOptions>(arch.encoder.type).stack;
  const auto& decoder = std::get<models::TransformerDecoderOptions>(arch.decoder.type).stack;
  EXPECT_EQ(encoder.layers, 1);
  EXPECT_EQ(decoder.layers, 2);
  EXPECT_EQ(nn::heads_of(encoder.attention), 2);
  EXPECT_EQ(nn::heads_of(decoder.attention), 1);
  EXPECT_EQ(encoder.feed_forward.d_hidden, 3);
  EXPECT_EQ(decoder.feed_forward.d_hidden, 5);
  EXPECT_EQ(decoder.feed_forward.activation, nn::Activation::Silu);
  EXPECT_EQ(opened.options.search.search.beam, 4);
  EXPECT_EQ(opened.tokenizers.source, opened.tokenizers.target);
  EXPECT_EQ(opened.tokenizers.source->encode("the dogs."), (text::Ids{4, text::kUnk, 7}));
}

TEST_F(MarianImport, SpecialTokensHaveTheNamesOfTheTokenizersConfiguration) {
  files.vocabulary.erase("<unk>");
  files.vocabulary["[UNK]"] = 1;
  EXPECT_EQ(refused([&](MarianFiles& changed) { changed.vocabulary = files.vocabulary; }),
            "vocab.json: lacks the token `<unk>`");
  files.write();
  write_file(files.directory + "/tokenizer_config.json", R"({"unk_token": {"content": "[UNK]"}})");
  import(files);
  EXPECT_EQ(text::load_tokenizers(files.directory + "-heed").target->encode("the dogs."),
            (text::Ids{4, text::kUnk, 7}));
}

/// Some files repeat the shared table under the names of those it is shared by.
TEST_F(MarianImport, TablesThatRepeatTheSharedOneArePassedOver) {
  const auto tensors = imported(files);
  const testing::TemporaryDirectory apart;
  MarianFiles repeated(apart.file("m"));
  for (const char* name : {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"})
    repeated.tensors[name] = repeated.tensors["model.shared.weight"].clone();
  const auto same = imported(repeated);
  ASSERT_EQ(same.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) EXPECT_TRUE(same.at(name).equal(tensor)) << name;
}

TEST_F(MarianImport, TablesOfTheirOwnStayThree) {
  files.config["share_encoder_decoder_embeddings"] = false;
  files.config["tie_word_embeddings"] = false;
  files.config["decoder_vocab_size"] = 7;
  files.tensors.erase("model.shared.weight");
  for (const char* name : {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"})
    files.add_table(name, 7, 4);
  const auto tensors = imported(files);
  EXPECT_NE(tensors.at("encoder.embedding.weight")[1][0].item<float>(),
            tensors.at("decoder.embedding.weight")[1][0].item<float>());
  EXPECT_EQ(tensors.at("output.weight")[2][1].item<float>(), files.tensors["lm_head.weight"][6][2].item<float>());
}

TEST_F(MarianImport, ATableThatNumbersPiecesAsSentencePieceDoesIsLeftToIt) {
  const auto plain = text::testing::learn_one({.type = text::UnigramOptions{.subwords = {.size = {.vocab_size = 50}}}});
  files.vocabulary = {{"</s>", 0}, {"<unk>", 1}};
  for (int32_t id = 4; id < plain->size(); ++id) files.vocabulary[plain->piece(id)] = id - 2;
  const int64_t size = plain->size() - 1;
  files.vocabulary["<pad>"] = size - 1;
  files.config["vocab_size"] = size;
  files.config["pad_token_id"] = files.config["decoder_start_token_id"] = size - 1;
  files.add_table("model.shared.weight", size, 4);
  files.tensors["final_logits_bias"] = torch::zeros({1, size});
  imported(files);
  EXPECT_TRUE(fs::exists(files.directory + "-heed/source.spm"));
  EXPECT_EQ(text::load_tokenizers(files.directory + "-heed").target->serialized(), plain->serialized());
}

TEST_F(MarianImport, RowsWithoutAPieceAreKept) {
  files.vocabulary.erase("s");
  files.vocabulary.erase(".");
  files.vocabulary["two\nlines"] = 5;
  imported(files);
  const auto tokenizer = text::load_tokenizers(files.directory + "-heed").target;
  EXPECT_EQ(tokenizer->size(), 8);
  EXPECT_EQ(tokenizer->piece(6), "<entry 4>");
  EXPECT_EQ(tokenizer->piece(7), "<entry 5>");
}

TEST_F(MarianImport, HalfPrecisionIsWidened) {
  for (auto& [name, tensor] : files.tensors) tensor = tensor.to(at::kHalf);
  const auto tensors = imported(files);
  EXPECT_EQ(tensors.at("output.bias").scalar_type(), at::kFloat);
}

TEST_F(MarianImport, RefusesOtherNetworks) {
  const auto with = [&](const char* name, const nlohmann::json& value) {
    return refused([&](MarianFiles& changed) { changed.config[name] = value; });
  };
  EXPECT_EQ(with("model_type", "bart"), "config.json: `model_type` must be marian, but is \"bart\"");
  EXPECT_EQ(with("activation_function", "gelu_new"),
            "config.json: `activation_function` must be swish, silu, relu, gelu or sigmoid, but is \"gelu_new\"");
  EXPECT_EQ(with("normalize_before", true),
            "config.json: `normalize_before` must be false, as MarianMT's layers are, but is true");
  EXPECT_EQ(with("decoder_start_token_id", 0),
            "config.json: `decoder_start_token_id` must be the `pad_token_id`, 6, but is 0");
  EXPECT_EQ(with("encoder_layers", 0), "config.json: `encoder_layers` must be a whole number from 1 to 1000, but is 0");
  EXPECT_EQ(with("encoder_layers", "six"),
            "config.json: `encoder_layers` must be a whole number from 1 to 1000, but is \"six\"");
  EXPECT_EQ(with("encoder_layers", 1.5),
            "config.json: `encoder_layers` must be a whole number from 1 to 1000, but is 1.5");
  EXPECT_EQ(with("d_model", nullptr), "config.json: `d_model` must be a whole number, but is missing");
  EXPECT_EQ(with("encoder_attention_heads", 3),
            "config.json: describes an impossible network: `arch.encoder.heads` must divide arch.d-model (4), "
            "found 3");
}

/// A configuration asks for no more memory than the file has numbers for.
TEST_F(MarianImport, RefusesAHugeConfiguration) {
  EXPECT_EQ(refused([](MarianFiles& changed) {
              changed.config["encoder_layers"] = 1000;
              changed.config["encoder_ffn_dim"] = 1000000;
            }),
            "model.safetensors: `model.encoder.layers.0.fc1.weight` must have the shape [1000000, 4], but has [3, 4]");
}

TEST_F(MarianImport, RefusesTensorsThatDoNotFit) {
  const std::string name = "model.encoder.layers.0.fc1.weight";
  const auto file = std::string("model.safetensors: ");
  EXPECT_EQ(refused([&](MarianFiles& changed) { changed.tensors.erase(name); }), file + "lacks `" + name + "`");
  EXPECT_EQ(refused([&](MarianFiles& changed) { changed.tensors[name] = changed.tensors[name].t().contiguous(); }),
            file + "`" + name + "` must have the shape [3, 4], but has [4, 3]");
  EXPECT_EQ(refused([&](MarianFiles& changed) { changed.tensors[name] = changed.tensors[name].to(at::kInt); }),
            file + "`" + name + "` must be of floating point numbers, but is not");
  EXPECT_EQ(refused([&](MarianFiles& changed) { changed.tensors[name][0][0] = std::nanf(""); }),
            file + "`" + name + "` has a number that is not finite");
  EXPECT_EQ(refused([&](MarianFiles& changed) { changed.add_norm("model.encoder.layer_norm"); }),
            file +
                "has the tensor `model.encoder.layer_norm.bias`, which a MarianMT model of this configuration does "
                "not have");
  EXPECT_EQ(refused([&](MarianFiles& changed) { changed.add_table("lm_head.weight", 7, 4); }),
            file +
                "`lm_head.weight` must be the same as the other tables of embeddings, as config.json ties them, but "
                "is not");
}

/// transformers 4 saved them.
TEST_F(MarianImport, PositionsMustBeSinusoids) {
  at::Tensor table = torch::zeros({3, 4});
  for (int i = 0; i < 3; ++i) {
    const double place = i;
    table[i] = values({static_cast<float>(std::sin(place)), static_cast<float>(std::sin(place / 100)),
                       static_cast<float>(std::cos(place)), static_cast<float>(std::cos(place / 100))});
  }
  const std::string name = "model.decoder.embed_positions.weight";
  EXPECT_EQ(refused([&](MarianFiles& changed) {
              changed.tensors[name] = table.clone();
              changed.tensors[name][1][2] += 0.01;
            }),
            "model.safetensors: `" + name + "` must be sinusoids, as MarianMT's positions are");
  files.tensors[name] = table;
  EXPECT_EQ(imported(files).count("decoder.positions.weight"), 0);
}

TEST_F(MarianImport, RefusesVocabulariesThatDoNotFit) {
  const auto with = [&](const char* piece, const nlohmann::json& id) {
    return refused([&](MarianFiles& changed) { changed.vocabulary[piece] = id; });
  };
  EXPECT_EQ(with("x", 7), "vocab.json: `x` must be an id below 7, the rows of the embeddings in config.json, but is 7");
  EXPECT_EQ(with("x", -1),
            "vocab.json: `x` must be an id below 7, the rows of the embeddings in config.json, but is -1");
  EXPECT_EQ(with("x", "2"),
            "vocab.json: `x` must be an id below 7, the rows of the embeddings in config.json, but is \"2\"");
  EXPECT_EQ(with("x", 5), "vocab.json: gives the id 5 to `.` and to `x`");
  EXPECT_EQ(refused([](MarianFiles& changed) { changed.vocabulary.erase("<pad>"); }),
            "vocab.json: lacks the token `<pad>`");
  EXPECT_EQ(refused([](MarianFiles& changed) {
              changed.config["pad_token_id"] = changed.config["decoder_start_token_id"] = 5;
            }),
            "vocab.json: `<pad>` must be 5, its id in config.json, but is 6");
}

TEST_F(MarianImport, RefusesDamagedFiles) {
  const auto cut = [&](const char* name) {
    return refused([](MarianFiles&) {},
                   [&](const std::string& directory) {
                     const std::string path = directory + "/" + name;
                     fs::resize_file(path, fs::file_size(path) - 5);
                   });
  };
  EXPECT_EQ(cut("config.json"), "config.json: is not a JSON object, or it is truncated");
  EXPECT_EQ(cut("vocab.json"), "vocab.json: is not a JSON object, or it is truncated");
  EXPECT_NE(cut("model.safetensors").find("outside the file: it is truncated or damaged"), std::string::npos);
}

TEST_F(MarianImport, RefusesPickles) {
  const std::string message = refused([](MarianFiles&) {},
                                      [](const std::string& directory) {
                                        fs::rename(directory + "/model.safetensors", directory + "/pytorch_model.bin");
                                      });
  EXPECT_TRUE(
      message.starts_with("pytorch_model.bin: is a pickle, which can run any program when it is read, and heed "
                          "reads none; convert it: python3 -c "))
      << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST_F(MarianImport, NeedsItsOptions) {
  files.write();
  ImportOptions options = options_of(files);
  options.from.reset();
  EXPECT_EQ(message_of<ConfigError>([&] { import_model(options); }),
            "`--from` is missing: name the toolkit whose files they are, huggingface or ctranslate2");
  options = options_of(files);
  options.input.clear();
  EXPECT_EQ(message_of<ConfigError>([&] { import_model(options); }),
            "`--input` is missing: name the directory of the other toolkit's model");
  options = options_of(files);
  options.model = files.directory;
  EXPECT_EQ(message_of<ConfigError>([&] { import_model(options); }),
            "`--model` must be a new or an empty directory, but " + files.directory + " holds something already");
  options = options_of(files);
  options.input += "/config.json";
  EXPECT_EQ(message_of<ConfigError>([&] { import_model(options); }),
            "`--input` must be a directory, but " + options.input + " is not one");
}

}  // namespace
}  // namespace heed::interchange
