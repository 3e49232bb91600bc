// The fuzz targets of heed::heed_torch: models of other toolkits, and checkpoints.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "fuzz/target.h"
#include "heed/command_line/settings_file.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/interchange/common/json_file.h"
#include "heed_torch/interchange/ctranslate2/model_file.h"
#include "heed_torch/interchange/ctranslate2/network.h"
#include "heed_torch/interchange/ctranslate2/vocabularies.h"
#include "heed_torch/interchange/huggingface/generation_config.h"
#include "heed_torch/interchange/huggingface/marian_config.h"
#include "heed_torch/interchange/huggingface/marian_vocabulary.h"
#include "heed_torch/interchange/interchange.h"
#include "heed_torch/training/training_state.h"

namespace heed::fuzz {
namespace {

constexpr int kSeedVocabulary = 40;  // entries of the model in seeds/ctranslate2-model

/// The folder of a file.
std::string folder_of(const std::string& path) { return std::filesystem::path(path).parent_path(); }

/// Reads the model file, and then with it the whole model. Its vocabulary is made as large as that of the seed.
void read_ctranslate2_model(std::string_view input) {
  const std::string path = as_file(input, "ctranslate2/model.bin");
  attempt([&] { interchange::read_model_file(path); });
  std::string vocabulary = R"(["<unk>", "<s>", "</s>")";
  for (int i = 3; i < kSeedVocabulary; ++i) vocabulary += fmt::format(R"(, "t{}")", i);
  as_file(vocabulary + "]", "ctranslate2/shared_vocabulary.json");
  as_file(R"({"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"})", "ctranslate2/config.json");
  const std::string model = folder_of(path) + "-model";
  std::filesystem::remove_all(model);
  interchange::import_model({.from = interchange::Format::CTranslate2, .input = folder_of(path), .model = model});
}

void read_ctranslate2_vocabularies(std::string_view input) {
  const std::string folder = folder_of(as_file(input, "vocabularies/shared_vocabulary.json"));
  const std::string config = as_file("{}", "vocabularies/config.json");
  attempt([&] { interchange::read_vocabularies(folder, interchange::JsonFile(config), false); });
  const std::string lines = folder_of(as_file(input, "lines/shared_vocabulary.txt"));
  interchange::read_vocabularies(lines, interchange::JsonFile(as_file(input, "lines/config.json")), true);
}

void read_marian_model(std::string_view input) {
  const std::string folder = folder_of(as_file(input, "marian/config.json"));
  as_file("{\"<unk>\": 0, \"</s>\": 1, \"a\": 2, \"<pad>\": 3}", "marian/vocab.json");
  as_file(input, "marian/generation_config.json");
  const interchange::MarianConfig config = interchange::read_marian_config(folder);
  const interchange::MarianVocabularies vocabularies = interchange::read_marian_vocabularies(folder, config);
  std::vector<std::string> left_out;
  interchange::read_generation_config(folder, config, vocabularies.target, left_out);
}

void read_marian_vocabulary(std::string_view input) {
  const std::string folder = folder_of(as_file(input, "pieces/vocab.json"));
  interchange::read_marian_vocabularies(
      folder, {.arch = {}, .source_rows = 4, .target_rows = 4, .one_vocabulary = true, .pad_id = 3, .eos_id = 1});
}

void read_tensor_file(std::string_view input) { checkpoint::read_tensors(as_file(input, "tensors.safetensors")); }

void read_state_file(std::string_view input) { training::read_state(std::string(input), "state.json"); }

void read_run_options(std::string_view input) {
  config::RunOptions options;
  config::apply_layers(config::visit_options(options), {config::parse_settings(input, "run.toml")});
}

}  // namespace

std::span<const Target> all_targets() {
  static constexpr Target kTargets[] = {
      {"ctranslate2-model", read_ctranslate2_model},
      {"ctranslate2-vocabulary", read_ctranslate2_vocabularies},
      {"marian-config", read_marian_model},
      {"marian-vocabulary", read_marian_vocabulary},
      {"safetensors", read_tensor_file},
      {"training-state", read_state_file},
      {"run-options", read_run_options},
  };
  return kTargets;
}

}  // namespace heed::fuzz
