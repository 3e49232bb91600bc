#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "heed/core/error.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/interchange/interchange.h"
#include "interchange/ctranslate2_files.h"
#include "interchange/imports.h"
#include "support/message_of.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;
using testing::CTranslate2Files;
using testing::message_of;
using testing::ModelBytes;

const auto& stack_of(const models::ArchitectureOptions& arch) {
  return std::get<models::TransformerEncoderOptions>(arch.encoder.type).stack;
}

class CTranslate2Import : public Imports<CTranslate2Files, Format::CTranslate2> {
 protected:
  /// After model.bin was replaced.
  static std::string refused_bytes(const std::string& bytes) {
    return refused([](CTranslate2Files&) {},
                   [&](const std::string& directory) { write_file(directory + "/model.bin", bytes); });
  }
};

TEST_F(CTranslate2Import, RowsOfEmbeddingsAreInHeedsOrder) {
  const at::Tensor theirs = files.tensors["decoder/embeddings/weight"];
  const auto tensors = imported(files);
  const at::Tensor& table = tensors.at("decoder.embedding.weight");
  ASSERT_EQ(table.sizes(), (std::vector<int64_t>{8, 4}));
  // pad and bos have none of theirs, unk is their 1, eos their 0; then pieces by their ids.
  const std::vector<int64_t> rows{-1, 1, -1, 0, 2, 3, 4, 5};
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [ours, their] : {std::pair{0, 0}, {1, 2}, {2, 1}, {3, 3}}) {  // sines before cosines
      const float expected = rows[i] < 0 ? 0 : theirs[rows[i]][their].item<float>();
      EXPECT_EQ(table[static_cast<int64_t>(i)][ours].item<float>(), expected);
    }
  }
  EXPECT_FALSE(tensors.contains("encoder.embedding.weight"));
  EXPECT_TRUE(tensors.at("output.bias").equal(torch::tensor({-100.F, 0.F, -100.F, 0.F, 0.F, 0.F, 0.F, 0.F})));
}

TEST_F(CTranslate2Import, MapsAreTakenAndTheirWidthPermuted) {
  const auto theirs = files.tensors;
  const auto tensors = imported(files);
  const at::Tensor order = torch::tensor({0, 2, 1, 3});
  const std::string layer = "decoder/layer_1/";
  const auto ours = [&](const std::string& name) { return tensors.at("decoder.layers.1." + name); };
  EXPECT_TRUE(ours("self_attention.query_key_value.weight")
                  .equal(theirs.at(layer + "self_attention/linear_0/weight").index_select(1, order)));
  EXPECT_TRUE(ours("cross_attention.key_value.bias").equal(theirs.at(layer + "attention/linear_1/bias")));
  EXPECT_TRUE(
      ours("cross_attention.output.bias").equal(theirs.at(layer + "attention/linear_2/bias").index_select(0, order)));
  EXPECT_TRUE(
      ours("feed_forward.output.weight").equal(theirs.at(layer + "ffn/linear_1/weight").index_select(0, order)));
  EXPECT_TRUE(ours("feed_forward_norm.weight").equal(theirs.at(layer + "ffn/layer_norm/gamma").index_select(0, order)));
}

TEST_F(CTranslate2Import, TheNetworkIsThatOfTheVariables) {
  files.config["layer_norm_epsilon"] = 1e-6;
  files.write();
  import(files);
  const auto opened = config::open_model(files.directory + "-heed", "", at::kCPU);
  const auto& arch = opened.options.arch;
  EXPECT_EQ(arch.d_model, 4);
  EXPECT_TRUE(arch.embedding_scale && arch.output_bias);
  EXPECT_EQ(arch.tied_embeddings, models::TiedEmbeddings::All);
  const auto& encoder = stack_of(arch);
  const auto& decoder = std::get<models::TransformerDecoderOptions>(arch.decoder.type).stack;
  EXPECT_EQ(encoder.layers, 1);
  EXPECT_EQ(decoder.layers, 2);
  EXPECT_EQ(nn::heads_of(encoder.attention), 2);
  EXPECT_EQ(nn::heads_of(decoder.attention), 1);
  EXPECT_EQ(encoder.feed_forward.d_hidden, 3);
  EXPECT_EQ(encoder.feed_forward.activation, nn::Activation::Silu);
  EXPECT_EQ(decoder.feed_forward.activation, nn::Activation::Relu);
  EXPECT_EQ(std::get<models::PostNorm>(encoder.norm_order).epsilon, 1e-6);
  EXPECT_TRUE(std::holds_alternative<nn::SinusoidalPositions>(encoder.positions));
  EXPECT_EQ(opened.tokenizers.source->encode("the dogs."), (text::Ids{4, text::kUnk, 7}));
}

TEST_F(CTranslate2Import, WhatIsUnsaidIsWhatCTranslate2Assumes) {
  for (auto it = files.tensors.begin(); it != files.tensors.end();) {
    const bool erased = it->first.ends_with("/beta") || it->first.ends_with("/scale_embeddings");
    it = erased ? files.tensors.erase(it) : std::next(it);
  }
  files.write();
  import(files);
  const auto arch = config::open_model(files.directory + "-heed", "", at::kCPU).options.arch;
  EXPECT_TRUE(arch.embedding_scale);
  EXPECT_EQ(std::get<models::PostNorm>(stack_of(arch).norm_order).norm, nn::NormKind::Rms);
  EXPECT_EQ(std::get<models::PostNorm>(stack_of(arch).norm_order).epsilon, 1e-6);
}

/// A token a line, as older converters wrote them.
TEST_F(CTranslate2Import, VocabulariesMayBeLines) {
  const auto tensors = imported(files);
  const testing::TemporaryDirectory apart;
  CTranslate2Files lines(apart.file("m"));
  lines.write();
  fs::remove(lines.directory + "/shared_vocabulary.json");
  write_file(lines.directory + "/shared_vocabulary.txt", "</s>\n<unk>\n\u2581the\n\u2581dog\ns\n.\n");
  import(lines);
  const auto same = checkpoint::read_tensors(lines.directory + "-heed/model.safetensors").tensors;
  ASSERT_EQ(same.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) EXPECT_TRUE(same.at(name).equal(tensor)) << name;
}

/// As CTranslate2 takes them: a CR is part of a token unless all lines end with one.
TEST_F(CTranslate2Import, LinesMayAllEndWithACarriageReturn) {
  const auto with_lines = [](const std::string& text) {
    return [text](const std::string& directory) {
      fs::remove(directory + "/shared_vocabulary.json");
      write_file(directory + "/shared_vocabulary.txt", text);
    };
  };
  const testing::TemporaryDirectory apart;
  CTranslate2Files lines(apart.file("m"));
  lines.write();
  with_lines("</s>\r\n<unk>\r\n\u2581the\r\n\u2581dog\r\ns\r\n.\r\n")(lines.directory);
  import(lines);
  EXPECT_EQ(text::load_tokenizers(lines.directory + "-heed").target->piece(4), "\u2581the");
  const std::string lacks = "shared_vocabulary.txt: lacks the token `<unk>`";
  EXPECT_EQ(refused([](CTranslate2Files&) {}, with_lines("</s>\r\n<unk>\r\n\u2581the\n\u2581dog\ns\n.\n")), lacks);
  EXPECT_EQ(refused([](CTranslate2Files&) {}, with_lines("</s>\r\n<unk>\r\n\u2581the\r\n\u2581dog\r\ns\r\n.\n")),
            lacks);
}

TEST_F(CTranslate2Import, TheFirstTokenMayBePadding) {
  files.turn_to_pre_norm();
  files.vocabulary[4] = files.config["decoder_start_token"] = "<pad>";
  const at::Tensor start = files.tensors["decoder/embeddings/weight"][4].index_select(0, torch::tensor({0, 2, 1, 3}));
  const auto tensors = imported(files);
  const at::Tensor& table = tensors.at("decoder.embedding.weight");
  EXPECT_TRUE(table[text::kBos].equal(start));
  EXPECT_TRUE(table[text::kPad].equal(torch::zeros(4)));
}

TEST_F(CTranslate2Import, PreNormAndLearnedPositions) {
  files.turn_to_pre_norm();
  files.add_table("decoder/position_encodings/encodings", 3, 4);
  const at::Tensor start = files.tensors["decoder/embeddings/weight"][4];
  const auto tensors = imported(files);
  const auto opened = config::open_model(files.directory + "-heed", "", at::kCPU);
  EXPECT_TRUE(std::holds_alternative<models::PreNorm>(stack_of(opened.options.arch).norm_order));
  EXPECT_EQ(std::get<nn::LearnedPositions>(stack_of(opened.options.arch).positions).max_length, 3);
  // The width stays as it is.
  EXPECT_TRUE(tensors.at("encoder.positions.weight").equal(files.tensors["decoder/position_encodings/encodings"]));
  EXPECT_TRUE(tensors.at("decoder.norm.bias").equal(files.tensors["decoder/layer_norm/beta"]));
  EXPECT_TRUE(tensors.at("decoder.embedding.weight")[text::kBos].equal(start));
  EXPECT_EQ(tensors.at("output.bias")[text::kBos].item<float>(), 0);  // an entry as others
}

/// fairseq's models begin with the end of a sentence, which has its row for both.
TEST_F(CTranslate2Import, TheFirstTokenMayBeTheEnd) {
  files.flag("decoder/", "start_from_zero_embedding", 0);
  const auto tensors = imported(files);
  const at::Tensor& table = tensors.at("decoder.embedding.weight");
  EXPECT_TRUE(table[text::kBos].equal(table[text::kEos]));
  EXPECT_EQ(tensors.at("output.bias")[text::kBos].item<float>(), -100);
}

TEST_F(CTranslate2Import, TablesOfOtherNumbersStayApart) {
  for (const char* name : {"decoder/projection/weight", "encoder/embeddings_0/weight"}) {
    files.aliases.erase(name);
    files.add_table(name, 6, 4);
  }
  files.add_vector("decoder/projection/bias", 6);
  const float output = files.tensors["decoder/projection/weight"][0][2].item<float>();
  const float bias = files.tensors["decoder/projection/bias"][0].item<float>();
  const auto tensors = imported(files);
  EXPECT_EQ(tensors.at("output.weight")[text::kEos][1].item<float>(), output);
  EXPECT_EQ(tensors.at("output.bias")[text::kEos].item<float>(), bias);
  EXPECT_EQ(tensors.at("output.bias")[text::kPad].item<float>(), bias - 100);
  EXPECT_FALSE(tensors.at("encoder.embedding.weight").equal(tensors.at("decoder.embedding.weight")));
}

TEST_F(CTranslate2Import, PartsWithoutBiasesStayWithout) {
  for (auto it = files.tensors.begin(); it != files.tensors.end();) {
    it = it->first.ends_with("/bias") ? files.tensors.erase(it) : std::next(it);
  }
  const auto tensors = imported(files);
  EXPECT_FALSE(tensors.contains("decoder.layers.0.cross_attention.key_value.bias"));
  EXPECT_FALSE(tensors.contains("encoder.layers.0.feed_forward.hidden.bias"));
}

/// A number is what it is over its row's scale, also under another name.
TEST_F(CTranslate2Import, BytesAreDequantized) {
  const std::string table = "decoder/embeddings/weight", map = "encoder/layer_0/ffn/linear_1/weight";
  files.tensors[table] = torch::arange(24).view({6, 4}).to(torch::kChar);
  files.tensors[table + "_scale"] = torch::tensor({1.F, 2.F, 3.F, 4.F, 5.F, 8.F});
  files.tensors[map] = torch::full({4, 3}, -512, torch::kShort);
  files.tensors[map + "_scale"] = torch::scalar_tensor(1024.0, at::kFloat);
  const auto tensors = imported(files);
  // heed's row 7 is their 5, [20, 21, 22, 23] over 8, cosines behind their sines.
  EXPECT_TRUE(tensors.at("decoder.embedding.weight")[7].equal(torch::tensor({2.5F, 2.75F, 2.625F, 2.875F})));
  EXPECT_FALSE(tensors.contains("encoder.embedding.weight"));
  EXPECT_TRUE(tensors.at("encoder.layers.0.feed_forward.output.weight").equal(torch::full({4, 3}, -0.5F)));
}

TEST_F(CTranslate2Import, RefusesScalesThatDoNotFit) {
  const std::string map = "encoder/layer_0/ffn/linear_1/weight";
  const auto with = [&](const at::Tensor& scale) {
    return refused([&](CTranslate2Files& changed) {
      changed.tensors[map] = torch::ones({4, 3}, torch::kChar);
      changed.tensors[map + "_scale"] = scale;
    });
  };
  EXPECT_EQ(with(torch::ones(3)), "model.bin: `" + map + "_scale` does not fit the quantized `" + map + "`");
  EXPECT_EQ(with(torch::tensor({1.F, 1.F, 0.F, 1.F})), "model.bin: `" + map + "_scale` must be above 0");
  EXPECT_EQ(with(torch::tensor({1.F, 1.F, std::nanf(""), 1.F})), "model.bin: `" + map + "_scale` must be above 0");
}

TEST_F(CTranslate2Import, RefusesOtherNetworks) {
  const auto flagged = [&](const std::string& name, int value) {
    return refused([&](CTranslate2Files& changed) { changed.flag("", name, value); });
  };
  EXPECT_EQ(flagged("encoder/activation", 1),
            "model.bin: has the activation GELUTanh (`encoder/activation`), which heed does not have");
  EXPECT_EQ(flagged("decoder/alibi", 1), "model.bin: has `decoder/alibi`, which heed does not have");
  EXPECT_EQ(flagged("encoder/multi_query_attention", 1),
            "model.bin: has `encoder/multi_query_attention`, which heed does not have");
  EXPECT_EQ(flagged("encoder/scale_embeddings", 0),
            "model.bin: scales embeddings on one side only, which heed cannot represent");
  EXPECT_EQ(flagged("encoder/pre_norm", 1), "model.bin: lacks `encoder/layer_norm/gamma`");
  EXPECT_EQ(
      flagged("encoder/layer_0/self_attention/rotary_dim", 2),  // in pairs, unless said
      "model.bin: turns states in pairs, in part or not alike (`encoder/layer_0/self_attention/rotary_dim`), which "
      "heed cannot hold");
  EXPECT_EQ(refused([](CTranslate2Files& changed) {
              changed.flag("encoder/layer_0/self_attention/", "rotary_dim", 1);  // of two
              changed.flag("encoder/layer_0/self_attention/", "rotary_interleave", 0);
            }),
            "model.bin: turns states in pairs, in part or not alike (`encoder/layer_0/self_attention/rotary_dim`), "
            "which heed cannot hold");
  EXPECT_EQ(flagged("encoder/num_heads", 3),
            "model.bin: describes an impossible network: `arch.encoder.heads` must divide arch.d-model (4), found 3");
  EXPECT_EQ(flagged("encoder/num_heads", -1),
            "model.bin: `encoder/num_heads` must be a number from 1 to 1000000, but is -1");
  EXPECT_EQ(refused([](CTranslate2Files& changed) { changed.specification = "WhisperSpec"; }),
            "model.bin: is a WhisperSpec of CTranslate2; heed has only its TransformerSpec, an encoder and a decoder");
  EXPECT_EQ(refused([](CTranslate2Files& changed) { changed.revision = 8; }),
            "model.bin: is of revision 8 of TransformerSpec, but heed knows up to 7");
  EXPECT_EQ(refused([](CTranslate2Files& changed) { changed.add_norm("decoder/layernorm_embedding"); }),
            "model.bin: has the tensor `decoder/layernorm_embedding/beta`, which a Transformer of heed of this "
            "configuration does not have");
  EXPECT_EQ(refused([](CTranslate2Files& changed) { changed.aliases.erase("encoder/position_encodings/encodings"); }),
            "model.bin: has neither `encoder/position_encodings/encodings` nor "
            "`encoder/layer_0/self_attention/relative_position_keys`: other positions of CTranslate2 heed cannot hold");
  EXPECT_EQ(
      refused([](CTranslate2Files& changed) {
        changed.tensors["encoder/scale_embeddings"] = torch::scalar_tensor(3.0, at::kFloat);
      }),
      "model.bin: multiplies embeddings by 3 (`encoder/scale_embeddings`); heed by 1 or the root of their width, 2");
  EXPECT_EQ(refused([](CTranslate2Files& changed) {
              changed.tensors["decoder/layer_1/attention/queries_scale"] = torch::scalar_tensor(0.25, at::kFloat);
            }),
            "model.bin: multiplies scores by 0.25 (`decoder/layer_1/attention/queries_scale`), which heed cannot hold");
  EXPECT_EQ(flagged("decoder/layer_1/attention/queries_scale", 1),  // others are divided by the root of their width
            "model.bin: multiplies scores by 1 (`decoder/layer_1/attention/queries_scale`), which heed cannot hold");
}

TEST_F(CTranslate2Import, RefusesTensorsThatDoNotFit) {
  const std::string name = "encoder/layer_0/ffn/linear_0/weight", file = "model.bin: ";
  EXPECT_EQ(refused([&](CTranslate2Files& changed) { changed.tensors.erase(name); }), file + "lacks `" + name + "`");
  EXPECT_EQ(refused([&](CTranslate2Files& changed) { changed.tensors[name] = changed.tensors[name].t().contiguous(); }),
            file + "`" + name + "` must have the shape [3, 4], but has [4, 3]");
  EXPECT_EQ(refused([&](CTranslate2Files& changed) { changed.tensors[name] = changed.tensors[name].to(at::kInt); }),
            file + "`" + name + "` must be of floating point numbers, but is not");
  EXPECT_EQ(refused([&](CTranslate2Files& changed) { changed.tensors[name][0][0] = std::nanf(""); }),
            file + "`" + name + "` has a number that is not finite");
  EXPECT_EQ(refused([&](CTranslate2Files& changed) {
              changed.tensors["encoder/layer_0/ffn/linear_1/weight"] = torch::zeros({0, 4000000000});
            }),
            file + "`" + name + "` must have the shape [4000000000, 4], but has [3, 4]");
  EXPECT_EQ(refused([&](CTranslate2Files& changed) { changed.tensors.erase("decoder/num_heads"); }),
            file + "lacks `decoder/num_heads`");
}

TEST_F(CTranslate2Import, RefusesVocabulariesThatDoNotFit) {
  const auto with = [&](const nlohmann::json& tokens) {
    return refused([&](CTranslate2Files& changed) { changed.vocabulary = tokens; });
  };
  const std::string file = "shared_vocabulary.json: ";
  EXPECT_EQ(with({"</s>", "<unk>", "a"}),
            "model.bin: `encoder/embeddings_0/weight` has 6 rows, but its vocabulary has 3 tokens");
  EXPECT_EQ(with({"</s>", "x", "a", "b", "c", "d"}), file + "lacks the token `<unk>`");
  EXPECT_EQ(with({"</s>", "<unk>", "a", "b", "b", "d"}), file + "has `b` twice");
  EXPECT_EQ(with({"</s>", "<unk>", "a", "b", 3, "d"}), file + "is not a JSON list of tokens, or it is truncated");
  EXPECT_EQ(with(nlohmann::json::object()), file + "is not a JSON list of tokens, or it is truncated");
  EXPECT_EQ(refused([](CTranslate2Files& changed) { changed.config["unk_token"] = "</s>"; }),
            file + "has one id for two special tokens");
  EXPECT_EQ(refused([](CTranslate2Files& changed) {
              changed.flag("decoder/", "start_from_zero_embedding", 0);
              changed.config["decoder_start_token"] = nullptr;
            }),
            "config.json: `decoder_start_token` must be a text, but is missing");
  EXPECT_EQ(refused([](CTranslate2Files& changed) { changed.config["add_source_bos"] = true; }),
            "config.json: `add_source_bos` must be false: heed puts nothing before a source, but is true");
  const std::string without =
      refused([](CTranslate2Files&) {},
              [](const std::string& directory) { fs::remove(directory + "/shared_vocabulary.json"); });
  const std::string deep = refused([](CTranslate2Files&) {},
                                   [](const std::string& directory) {
                                     write_file(directory + "/shared_vocabulary.json",
                                                std::string(100'000, '[') + std::string(100'000, ']'));
                                   });
  EXPECT_TRUE(deep.ends_with(file + "is nested deeper than 64 levels")) << deep;
  EXPECT_TRUE(without.ends_with("lacks shared_vocabulary.json, or source_vocabulary.json and target_vocabulary.json"))
      << without;
}

/// CTranslate2 keeps no tokenizers.
TEST_F(CTranslate2Import, NeedsTokenizers) {
  const std::string message =
      refused([](CTranslate2Files&) {}, [](const std::string& directory) { fs::remove(directory + "/target.spm"); });
  EXPECT_TRUE(message.ends_with(
      "has no target tokenizer, which CTranslate2 keeps elsewhere: put the model's SentencePiece files there as "
      "source.spm and target.spm (ct2-transformers-converter --copy_files source.spm target.spm)"))
      << message;
  files.write();
  fs::rename(files.directory + "/source.spm", files.directory + "/sentencepiece.model");
  fs::remove(files.directory + "/target.spm");
  import(files);
  EXPECT_TRUE(fs::exists(files.directory + "-heed/target.pieces"));
}

/// Wherever it ends: in names, sizes and numbers.
TEST_F(CTranslate2Import, RefusesAFileThatIsCutOff) {
  files.write();
  const std::string bytes = files.model_bytes();
  for (size_t length = 0; length < bytes.size(); length += 13) {
    write_file(files.directory + "/model.bin", bytes.substr(0, length));
    const std::string message = message_of<CheckpointError>([&] { import(files); });
    ASSERT_TRUE(message.ends_with("model.bin: ends too soon: it is truncated or damaged")) << length << message;
  }
  EXPECT_FALSE(fs::exists(files.directory + "-heed"));
  write_file(files.directory + "/model.bin", bytes);
  import(files);
}

TEST_F(CTranslate2Import, RefusesDamagedFiles) {
  const ModelBytes head = files.head();
  const auto with = [&](const std::function<void(ModelBytes&)>& add) {
    ModelBytes bytes = head;
    add(bytes);
    return refused_bytes(bytes.bytes());
  };
  constexpr uint32_t kHuge = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(refused_bytes(files.model_bytes() + "x"), "model.bin: has 1 bytes after its end: it is damaged");
  EXPECT_EQ(with([](ModelBytes& bytes) { bytes.number(kHuge); }),
            "model.bin: ends too soon: it is truncated or "
            "damaged");
  EXPECT_EQ(with([](ModelBytes& bytes) { bytes.number(uint32_t{1}).name(std::string(60000, 'a')); }),
            "model.bin: has a name of 60000 bytes: it is damaged");
  EXPECT_EQ(with([](ModelBytes& bytes) { bytes.number(uint32_t{1}).name("a\nb"); }),
            "model.bin: has a name that is not text: it is damaged");
  EXPECT_EQ(with([](ModelBytes& bytes) { bytes.number(uint32_t{1}).number(uint16_t{2}).number(uint16_t{0x6161}); }),
            "model.bin: has a name that does not end with 0: it is damaged");
  EXPECT_EQ(with([](ModelBytes& bytes) {
              bytes.number(uint32_t{1}).name("a").number(uint8_t{2}).number(kHuge).number(kHuge);
              bytes.number(uint8_t{0}).number(uint32_t{4});
            }),
            "model.bin: gives `a` 4 bytes, which do not fit its shape and dtype");
  EXPECT_EQ(with([](ModelBytes& bytes) {
              bytes.number(uint32_t{1}).name("a").number(uint8_t{0}).number(uint8_t{9}).number(uint32_t{4});
            }),
            "model.bin: gives `a` the dtype 9, which none is of CTranslate2's");
  EXPECT_EQ(with([](ModelBytes& bytes) { bytes.number(uint32_t{1}).name("a").number(uint8_t{200}); }),
            "model.bin: gives `a` 200 dimensions: it is damaged");
  EXPECT_EQ(with([](ModelBytes& bytes) {
              bytes.number(uint32_t{2}).tensor("a", torch::ones(1)).tensor("a", torch::ones(1));
            }),
            "model.bin: has `a` twice");
  EXPECT_EQ(refused_bytes("PK"), "model.bin: ends too soon: it is truncated or damaged");
  EXPECT_EQ(refused_bytes("PK\3\4"),
            "model.bin: must be a model.bin of CTranslate2 of binary version 6, as its converters have written since "
            "version 3.0, but begins with 67324752");
}

/// An alias stands for a tensor, not for another alias: none leads back to itself.
TEST_F(CTranslate2Import, RefusesAliasesOfAliases) {
  const auto with = [&](const std::string& alias, const std::string& name) {
    return refused([&](CTranslate2Files& changed) { changed.aliases[alias] = name; });
  };
  EXPECT_EQ(with("a", "b"), "model.bin: has the alias `a` of `b`, which is not a variable of the file");
  EXPECT_EQ(with("a", "a"), "model.bin: has the alias `a` of `a`, which is not a variable of the file");
  EXPECT_EQ(with("a", "decoder/projection/weight"),
            "model.bin: has the alias `a` of `decoder/projection/weight`, which is not a variable of the file");
  EXPECT_EQ(with("decoder/embeddings/weight", "decoder/embeddings/weight"),
            "model.bin: has `decoder/embeddings/weight` twice");
}

TEST_F(CTranslate2Import, SaysWhatItCannotKeep) {
  files.turn_to_pre_norm();
  files.config["add_source_eos"] = false;
  files.write();
  write_file(files.directory + "/vmap.txt", "");
  const auto left_out = import(files);
  ASSERT_EQ(left_out.size(), 2U);
  EXPECT_EQ(left_out[0], "vmap.txt is left out: `heed shortlist` makes heed's own shortlists");
  EXPECT_TRUE(left_out[1].starts_with("`add_source_eos` is false: heed ends each source with </s>")) << left_out[1];
}

}  // namespace
}  // namespace heed::interchange
