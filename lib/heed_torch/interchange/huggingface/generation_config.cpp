#include "heed_torch/interchange/huggingface/generation_config.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/interchange/common/json_file.h"

namespace heed::interchange {
namespace {

/// A setting that heed does not read. If it is absent or has this value, it has no effect on the text.
struct Setting {
  std::string_view name;
  std::string_view without_effect = "null";  ///< JSON
  std::string_view note = "heed has no such setting";
};

// The settings of transformers 5.24 that GenerationReader does not read.
constexpr auto kSettings = std::to_array<Setting>({
    {"begin_suppress_tokens", "[]"},
    {"constraints"},
    {"do_sample", "false", "heed searches"},
    {"dola_layers"},
    {"encoder_no_repeat_ngram_size", "0"},
    {"encoder_repetition_penalty", "1"},
    {"exponential_decay_length_penalty"},
    {"force_words_ids"},
    {"forced_bos_token_id", "null", "`heed translate --prefix` gives each line its beginning"},
    {"guidance_scale", "1"},
    {"max_time"},
    {"num_return_sequences", "1", "`--search.n-best` asks for several translations"},
    {"penalty_alpha", "0"},
    {"renormalize_logits", "false", "in heed, forbidden tokens keep their probability"},
    {"repetition_penalty", "1", "heed's is another"},
    {"sequence_bias"},
    {"stop_strings"},
    {"token_healing", "false"},
    {"watermarking_config"},
});

/// How to sample; without effect unless `do_sample` is true.
constexpr auto kSampling = std::to_array<std::string_view>(
    {"epsilon_cutoff", "eta_cutoff", "min_p", "temperature", "top_h", "top_k", "top_p", "typical_p"});

/// How transformers computes, and what it returns in addition to the text. The last three: the id of the beginning,
/// given by `decoder_start_token_id`; the id of the padding after an end; and numbers that are not finite, an error in
/// heed.
constexpr auto kWithoutEffect = std::to_array<std::string_view>({
    "_from_model_config",
    "assistant_confidence_threshold",
    "assistant_early_exit",
    "assistant_ensemble_weight",
    "assistant_lookbehind",
    "cache_config",
    "cache_implementation",
    "compile_config",
    "continuous_batching_config",
    "disable_compile",
    "is_assistant",
    "low_memory",
    "max_cache_len",
    "max_matching_ngram_size",
    "num_assistant_tokens",
    "num_assistant_tokens_schedule",
    "output_attentions",
    "output_hidden_states",
    "output_logits",
    "output_scores",
    "prefill_chunk_size",
    "prompt_lookup_num_tokens",
    "return_dict_in_generate",
    "speculation_type",
    "target_lookbehind",
    "transformers_version",
    "use_cache",
    "use_mtp",
    "bos_token_id",
    "pad_token_id",
    "remove_invalid_values",
});

constexpr auto kLengths = between(0, 1e9);
constexpr auto kTokenIds = between(0, 2147483647);

/// Reads the settings of a file, and names those that heed leaves out.
class GenerationReader {
 public:
  GenerationReader(const JsonFile& file, bool all_are_settings, const MarianConfig& config, const PieceTable& target,
                   std::vector<std::string>& left_out)
      : file_(file), all_are_settings_(all_are_settings), config_(config), target_(target), left_out_(left_out) {}

  search::SearchOptions read() {
    read_beams();
    read_penalties();
    read_lengths();
    read_ids();
    name_others();
    try {
      search::validate(options_);
    } catch (const ConfigError& error) {
      throw CheckpointError(file_.path(), fmt::format("describes an impossible search: {}", error.what()));
    }
    return options_;
  }

 private:
  /// Whether the setting exists. Asks for every setting that the reader knows; name_others() names the rest.
  bool given(const std::string& name) {
    known_.insert(name);
    return file_.has(name);
  }
  void leave_out(const std::string& name, std::string_view note) {
    left_out_.push_back(fmt::format("`{}`, {}, is left out: {}", name, shown_json(file_.member(name)), note));
  }

  void read_beams() {
    if (given("num_beams")) options_.beam = file_.whole_number("num_beams", between(1, 1000));
    if (given("num_beam_groups")) options_.groups = file_.whole_number("num_beam_groups", between(1, 1000));
    if (given("diversity_penalty") && options_.groups > 1) {
      options_.diversity = file_.number("diversity_penalty", at_least(0));
      left_out_.push_back(fmt::format(
          "`diversity_penalty`, {}, decides what a group of the beam chooses; heed's scores do not include it",
          options_.diversity));
    }
    if (given("early_stopping") && options_.beam > 1) read_stop_rule();
  }

  void read_stop_rule() {
    const nlohmann::json& rule = file_.member("early_stopping");
    if (rule == "never") {
      options_.stop = search::StopAtBest{};
    } else if (!file_.flag("early_stopping")) {
      leave_out("early_stopping", "heed ends a search when it has as many translations as the beam");
    }
  }

  void read_penalties() {
    const double alpha = given("length_penalty") ? file_.number("length_penalty", between(-100, 100)) : 1;
    if (alpha >= 0) {
      options_.length_penalty = search::PowerPenalty{alpha};
    } else {
      left_out_.push_back(fmt::format("a `length_penalty` below 0, {}, which heed does not support: 1 is used", alpha));
    }
    if (given("no_repeat_ngram_size")) {
      options_.no_repeat_ngram = file_.whole_number("no_repeat_ngram_size", between(0, 1000));
    }
  }

  /// transformers' lengths count the decoder's first token and end-of-sentence. Its lengths of new tokens do not count
  /// the first one. heed's lengths count neither.
  void read_lengths() {
    const bool has_least = given("min_length"), has_least_new = given("min_new_tokens");
    if (has_least_new) {  // it has precedence
      options_.min_length = file_.whole_number("min_new_tokens", kLengths);
    } else if (has_least) {
      options_.min_length = std::max<int64_t>(0, file_.whole_number("min_length", kLengths) - 1);
    }
    const bool has_most = given("max_length"), has_most_new = given("max_new_tokens");
    if (!has_most && !has_most_new) return;
    const int64_t most = has_most_new ? file_.whole_number("max_new_tokens", between(2, 1e9)) + 1
                                      : file_.whole_number("max_length", between(3, 1e9));
    options_.max_length_factor = 0;
    options_.max_length_constant = most - (file_.has("forced_eos_token_id") ? 2 : 1);
  }

  void read_ids() {
    if (given("decoder_start_token_id") && file_.whole_number("decoder_start_token_id", kTokenIds) != config_.pad_id) {
      file_.refuse("decoder_start_token_id", fmt::format("that of config.json, {}", config_.pad_id));
    }
    for (const char* name : {"eos_token_id", "forced_eos_token_id"}) {
      if (!given(name)) continue;
      const nlohmann::json& id = file_.member(name);
      if (id == config_.eos_id || id == nlohmann::json{config_.eos_id}) continue;
      leave_out(name, fmt::format("heed ends translations with {}, as config.json says", config_.eos_id));
    }
    if (given("suppress_tokens")) leave_out_barred("suppress_tokens", file_.member("suppress_tokens"));
    if (given("bad_words_ids")) read_bad_words();
  }

  void read_bad_words() {
    nlohmann::json tokens = nlohmann::json::array();
    for (const nlohmann::json& words : file_.member("bad_words_ids")) {
      const bool one = words.is_array() && words.size() == 1;
      if (one && words[0] == config_.eos_id) continue;  // transformers does not forbid it either
      tokens.push_back(one ? words[0] : words);
    }
    leave_out_barred("bad_words_ids", tokens);
  }

  /// tokens: ids, and lists of ids for phrases. heed's search never produces pad, bos and unknown words.
  void leave_out_barred(const std::string& name, const nlohmann::json& tokens) {
    const auto is_id = [](const nlohmann::json& value) { return value.is_number_integer(); };
    const auto is_entry = [&](const nlohmann::json& value) {
      return is_id(value) || (value.is_array() && std::ranges::all_of(value, is_id));
    };
    if (!file_.member(name).is_array() || !std::ranges::all_of(tokens, is_entry))
      file_.refuse(name, "a list of ids of tokens");
    nlohmann::json rest = nlohmann::json::array();
    for (const nlohmann::json& entry : tokens) {
      if (!is_id(entry) || !is_never_produced(entry.get<int64_t>())) rest.push_back(entry);
    }
    if (rest.empty()) return;
    left_out_.push_back(
        fmt::format("`{}`: {} is left out: `heed translate --forbid` takes phrases", name, shown_json(rest)));
  }
  bool is_never_produced(int64_t id) const {
    return id == target_.rows[text::kPad] || id == target_.rows[text::kBos] || id == target_.rows[text::kUnk];
  }

  void name_others() {
    const bool samples = file_.member("do_sample") == true;
    for (const auto& [name, value] : file_.object().items()) {
      if (value.is_null() || known_.contains(name)) continue;
      if (std::ranges::find(kWithoutEffect, name) != kWithoutEffect.end()) continue;
      if (std::ranges::find(kSampling, name) != kSampling.end()) {
        if (samples) leave_out(name, "heed searches");
        continue;
      }
      const auto* setting = std::ranges::find(kSettings, name, &Setting::name);
      if (setting != kSettings.end()) {
        if (value != nlohmann::json::parse(setting->without_effect)) leave_out(name, setting->note);
      } else if (all_are_settings_) {
        leave_out(name, "heed does not know this setting");
      }
    }
  }

  const JsonFile& file_;
  const bool all_are_settings_;
  const MarianConfig& config_;
  const PieceTable& target_;
  std::vector<std::string>& left_out_;
  search::SearchOptions options_;
  std::set<std::string> known_;
};

}  // namespace

search::SearchOptions read_generation_config(const std::string& directory, const MarianConfig& config,
                                             const PieceTable& target, std::vector<std::string>& left_out) {
  const std::string own = directory + "/generation_config.json";
  const bool has_own = std::filesystem::exists(own);
  const JsonFile file(has_own ? own : directory + "/config.json");
  return GenerationReader(file, has_own, config, target, left_out).read();
}

}  // namespace heed::interchange
