// Files of a model directory, and tokenizers of other programs.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/targets/targets.h"
#include "heed/command_line/settings_file.h"
#include "heed/core/random.h"
#include "heed/engine/engine.h"
#include "heed/model_directory/described_model.h"
#include "heed/model_directory/manifest.h"
#include "heed/text/bpe/bpe_codes.h"
#include "heed/text/short_list.h"
#include "heed/text/target.h"
#include "heed/text/tokenizers/tokenizer_files.h"

namespace heed::fuzz {
namespace {

/// Uses a tokenizer as a model does.
void use(const text::Tokenizer& tokenizer) {
  constexpr const char* kLine =
      "The  cat's \xc3\xa9t\xc3\xa9, 2 <unk> \xe2\x96\x81\xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x98\x80 @@ x";
  attempt([&] {
    const text::Ids ids = tokenizer.encode(kLine);
    for (const int32_t id : ids) require(id >= 0 && id < tokenizer.size());
    require(tokenizer.decode(ids).find('\n') == std::string::npos);
    tokenizer.words(ids);
  });
  attempt([&] { tokenizer.line_words(kLine); });
  text::Ids all(static_cast<size_t>(std::min<int64_t>(tokenizer.size(), 200)));
  std::iota(all.begin(), all.end(), 0);
  attempt([&] { tokenizer.decode(all); });
  for (const int32_t id : all) attempt([&] { tokenizer.spelling(id); });
}

void use_file(std::string_view input, const std::string& ending) {
  attempt([&] {
    const auto tokenizer = text::load_tokenizer(as_file(input, "source." + ending));
    use(*tokenizer);
    const auto again = text::load_tokenizer(as_file(tokenizer->serialized(), "again." + ending));
    require(again->serialized() == tokenizer->serialized());
  });
}

}  // namespace

void read_manifest_file(std::string_view input) {
  const std::string path = as_file(input, "model/manifest.json");
  const std::string folder = std::filesystem::path(path).parent_path();
  attempt([&] { checkpoint::read_model_manifest(folder); });
  checkpoint::verify_finished_model(folder);
}

void read_configuration(std::string_view input) {
  attempt([&] { config::parse_settings(input, "run.toml"); });
  config::read_model_options(as_file(input, "config.toml"));
}

void read_parameters(std::string_view input) {
  static const config::DescribedModel model =
      config::read_described_model(std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1");
  const engine::Engine engine(model.options.arch, config::vocabulary_sizes(model.tokenizers),
                              as_file(input, "model.safetensors"), engine::Precision::Float32);
}

void read_sentence_pieces(std::string_view input) { use_file(input, "spm"); }

void read_codes_file(std::string_view input) {
  attempt([&] { text::parse_codes("codes", input); });
  use_file(input, "codes");
}

void read_vocabulary_file(std::string_view input) {
  for (const char* ending : {"words", "tokens", "characters"}) use_file(input, ending);
}

void read_target_vocabulary(std::string_view input) {
  for (const char* ending : {"labels", "numbers"}) use_file(input, ending);
}

void read_piece_table(std::string_view input) { use_file(input, "pieces"); }

void read_short_list(std::string_view input) {
  const text::ShortList list(as_file(input, text::kShortListFile), 15, 15);
  const text::Ids ids{4, 5, 6, 14};
  for (const int32_t id : list.tokens_for(ids)) require(id >= 0 && id < 15);
}

}  // namespace heed::fuzz
