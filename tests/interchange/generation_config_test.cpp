#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heed_torch/config/model_directory.h"
#include "heed_torch/interchange/interchange.h"
#include "interchange/imports.h"
#include "interchange/marian_files.h"

namespace heed::interchange {
namespace {

using testing::MarianFiles;
using Lines = std::vector<std::string>;

class GenerationConfig : public Imports<MarianFiles, Format::HuggingFace> {
 protected:
  /// The search of the imported model. The files stay as they were.
  search::SearchOptions search_of(const nlohmann::json& generation, const nlohmann::json& config = {}) {
    const testing::TemporaryDirectory apart;
    MarianFiles changed(apart.file("m"));
    changed.generation = generation;
    if (config.is_object()) changed.config.update(config);
    changed.write();
    left_out = import(changed);
    return config::open_model(changed.directory + "-heed", "", at::kCPU).options.search.search;
  }
  Lines named(const nlohmann::json& generation) {
    search_of(generation);
    return left_out;
  }
  /// Of a refused import.
  static std::string refusal(const nlohmann::json& generation) {
    return refused([&](MarianFiles& changed) { changed.generation = generation; });
  }

  Lines left_out;
};

TEST_F(GenerationConfig, SettingsThatHeedHasAreHonored) {
  const auto search = search_of({{"num_beams", 6},
                                 {"length_penalty", 0.5},
                                 {"no_repeat_ngram_size", 2},
                                 {"early_stopping", "never"},
                                 {"num_beam_groups", 3},
                                 {"diversity_penalty", 0.25}},
                                {{"num_beams", 9}});
  EXPECT_EQ(search.beam, 6);
  EXPECT_EQ(std::get<search::PowerPenalty>(search.length_penalty).alpha, 0.5);
  EXPECT_EQ(search.no_repeat_ngram, 2);
  EXPECT_TRUE(std::holds_alternative<search::StopAtBest>(search.stop));
  EXPECT_EQ(search.groups, 3);
  EXPECT_EQ(search.diversity, 0.25);
  EXPECT_EQ(left_out,
            (Lines{"`diversity_penalty`, 0.25, decides what a group of the beam chooses; heed's scores do not "
                   "include it"}));
  EXPECT_EQ(search_of({{"num_beams", 6}, {"early_stopping", true}}).stop, search::StopRule{search::StopAtCount{}});
  EXPECT_EQ(left_out, Lines{});
}

/// transformers' lengths count the first token and the end; those of new tokens count the end.
TEST_F(GenerationConfig, LengthsCountWhatHeedsCount) {
  EXPECT_EQ(search_of({{"min_length", 0}}).min_length, 0);
  EXPECT_EQ(search_of({{"min_length", 5}}).min_length, 4);
  EXPECT_EQ(search_of({{"min_new_tokens", 5}}).min_length, 5);
  EXPECT_EQ(search_of({{"min_length", 9}, {"min_new_tokens", 2}}).min_length, 2) << "as transformers has it";
  for (const auto& [setting, longest] : {std::pair{"max_length", 510}, {"max_new_tokens", 511}}) {
    const auto forced = search_of({{setting, 512}, {"forced_eos_token_id", 0}});
    EXPECT_EQ(search::max_length(forced, 7), longest);
    EXPECT_EQ(search::max_length(search_of({{setting, 512}}), 7), longest + 1);
  }
  EXPECT_EQ(search::max_length(search_of({{"max_length", 9}, {"max_new_tokens", 512}}), 7), 512);
  EXPECT_EQ(left_out, Lines{});
}

TEST_F(GenerationConfig, WhatIsNotSaidIsHeeds) {
  const search::SearchOptions usual;
  EXPECT_EQ(search_of({{"transformers_version", "5.0"}}), usual);
  EXPECT_EQ(search_of({{"num_beams", nullptr}, {"bad_words_ids", nullptr}, {"unheard_of", nullptr}}), usual);
  EXPECT_EQ(left_out, Lines{});
}

/// Those of before 2022 have no generation_config.json.
TEST_F(GenerationConfig, OlderModelsHaveSettingsInTheirConfiguration) {
  const nlohmann::json config{{"num_beams", 7},           {"length_penalty", 2}, {"min_length", 3},
                              {"forced_bos_token_id", 4}, {"top_k", 3},          {"unheard_of", 1}};
  const auto search = search_of(nullptr, config);
  EXPECT_EQ(search.beam, 7);
  EXPECT_EQ(std::get<search::PowerPenalty>(search.length_penalty).alpha, 2);
  EXPECT_EQ(search.min_length, 2);
  EXPECT_EQ(left_out, (Lines{"`forced_bos_token_id`, 4, is left out: `heed translate --prefix` gives each line its "
                             "beginning"}));
  EXPECT_EQ(search_of({{"num_beams", 2}}, config).min_length, 1) << "a generation_config.json goes first";
  EXPECT_EQ(left_out, Lines{});
}

TEST_F(GenerationConfig, OthersAreNamed) {
  const std::string none = "heed has no such setting";
  const auto line = [](const std::string& setting, const std::string& note) {
    return setting + ", is left out: " + note;
  };
  EXPECT_EQ(named({{"repetition_penalty", 1.5}}), Lines{line("`repetition_penalty`, 1.5", "heed's is another")});
  EXPECT_EQ(named({{"encoder_no_repeat_ngram_size", 3}}), Lines{line("`encoder_no_repeat_ngram_size`, 3", none)});
  EXPECT_EQ(named({{"exponential_decay_length_penalty", {5, 1.1}}}),
            Lines{line("`exponential_decay_length_penalty`, [5,1.1]", none)});
  EXPECT_EQ(named({{"sequence_bias", {{{4}, -1.5}}}}), Lines{line("`sequence_bias`, [[[4],-1.5]]", none)});
  EXPECT_EQ(named({{"begin_suppress_tokens", {4}}}), Lines{line("`begin_suppress_tokens`, [4]", none)});
  EXPECT_EQ(named({{"unheard_of", {{"a", 1}}}}),
            Lines{line("`unheard_of`, {\"a\":1}", "heed does not know this setting")});
  EXPECT_EQ(named({{"early_stopping", false}}),
            Lines{line("`early_stopping`, false", "heed ends a search when it has as many translations as the beam")});
  EXPECT_EQ(named({{"eos_token_id", {0, 5}}}),
            Lines{line("`eos_token_id`, [0,5]", "heed ends translations with 0, as config.json says")});
  EXPECT_EQ(named({{"length_penalty", -1}}), Lines{"a `length_penalty` below 0, -1, which heed does not support: 1 is "
                                                   "used"});
}

TEST_F(GenerationConfig, SamplingIsNamedWithItsSettings) {
  EXPECT_EQ(named({{"temperature", 0.5}, {"top_k", 10}, {"do_sample", false}}), Lines{});
  EXPECT_EQ(named({{"top_k", 10}, {"do_sample", true}}),
            (Lines{"`do_sample`, true, is left out: heed searches", "`top_k`, 10, is left out: heed searches"}));
}

/// pad is 6 and unk 1: heed produces neither.
TEST_F(GenerationConfig, BarredTokensThatHeedMayProduceAreNamed) {
  const std::string end = " is left out: `heed translate --forbid` takes phrases";
  EXPECT_EQ(named({{"bad_words_ids", {{6}, {1}, {0}}}, {"suppress_tokens", {6, 1}}}), Lines{});
  EXPECT_EQ(named({{"bad_words_ids", {{6}, {4}, {2, 5}}}}), Lines{"`bad_words_ids`: [4,[2,5]]" + end});
  EXPECT_EQ(named({{"suppress_tokens", {6, 3}}}), Lines{"`suppress_tokens`: [3]" + end});
}

TEST_F(GenerationConfig, SettingsOfNoEffectAreNotNamed) {
  EXPECT_EQ(named({{"transformers_version", "4.5"},
                   {"use_cache", false},
                   {"pad_token_id", 6},
                   {"bos_token_id", 0},
                   {"eos_token_id", {0}},
                   {"forced_eos_token_id", 0},
                   {"decoder_start_token_id", 6},
                   {"repetition_penalty", 1.0},
                   {"encoder_no_repeat_ngram_size", 0},
                   {"num_return_sequences", 1},
                   {"diversity_penalty", 0.0},
                   {"num_beam_groups", 1},
                   {"num_beams", 1},
                   {"early_stopping", false},
                   {"renormalize_logits", false},
                   {"begin_suppress_tokens", nlohmann::json::array()}}),
            Lines{});
}

TEST_F(GenerationConfig, RefusesValuesThatAreNone) {
  const std::string file = "generation_config.json: ";
  EXPECT_EQ(refusal({{"num_beams", 0}}), file + "`num_beams` must be a whole number from 1 to 1000, but is 0");
  EXPECT_EQ(refusal({{"min_length", -1}}),
            file + "`min_length` must be a whole number from 0 to 1000000000, but is -1");
  EXPECT_EQ(refusal({{"early_stopping", "soon"}}), file + "`early_stopping` must be true or false, but is \"soon\"");
  EXPECT_EQ(refusal({{"bad_words_ids", "the"}}),
            file + "`bad_words_ids` must be a list of ids of tokens, but is \"the\"");
  EXPECT_EQ(refusal({{"bad_words_ids", {{"the"}}}}),
            file + "`bad_words_ids` must be a list of ids of tokens, but is [[\"the\"]]");
  EXPECT_EQ(refusal({{"decoder_start_token_id", 0}}),
            file + "`decoder_start_token_id` must be that of config.json, 6, but is 0");
  EXPECT_EQ(refusal({{"num_beams", 4}, {"num_beam_groups", 3}}),
            file + "describes an impossible search: `search.groups` must divide `search.beam` (4), but is 3");
  EXPECT_EQ(refusal({{"min_length", 9}, {"max_length", 6}}),
            file +
                "describes an impossible search: `search.min-length` must be at most "
                "`search.max-length-constant` (5) where `search.max-length-factor` is 0, but is 8");
}

}  // namespace
}  // namespace heed::interchange
