// One report of each kind, as training might make them.
#pragma once

#include "heed/report/observer.h"

namespace heed::report {

inline training::StartReport start_report() {
  return {.parameters = 1'912'064,
          .pairs = 28'990,
          .valid_pairs = 1014,
          .valid_translated = 1020,
          .translation_search = {},
          .device = "cpu",
          .threads = 2,
          .replicas = 2,
          .products = "float32 matrix multiplications by oneDNN",
          .resumed = false,
          .progress = {}};
}

inline training::TrainingReport training_report() {
  return {.progress = {.steps = 1200, .tokens = 4'800'000, .epochs = 2.5},
          .epoch = 3,
          .objective = 3.25,
          .loss = 2,
          .learning_rate = 0.000125,
          .gradient_norm = 1.5,
          .source_tokens_per_second = 5000.5,
          .target_tokens_per_second = 5120.25,
          .time = {.data = 1, .forward = 35, .backward = 55, .optimizer = 9},
          .elapsed_seconds = 1000,
          .remaining_seconds = 185,
          .skipped_steps = 0};
}

inline training::ValidationReport validation_report() {
  return {.progress = {.steps = 1500, .tokens = 6'000'000, .epochs = 3.125},
          .epoch = 4,
          .scores = {{"loss", 1.25}, {"perplexity", 3.4903}, {"bleu", 31.416}},
          .signature = "nrefs:1|case:mixed",
          .stopping_metric = "bleu",
          .best = true,
          .since_best = 0,
          .patience = 10,
          .seconds = 12.5,
          .elapsed_seconds = 1250,
          .samples = {{"a house", "ein Haus", "das Haus"}}};
}

inline training::FinalReport final_report() {
  return {.progress = {.steps = 2000, .tokens = 8'000'000, .epochs = 4.25},
          .chosen = "averaged",
          .candidates = {{"best", {1500}, {{"bleu", 31.416}}}, {"averaged", {1500, 2000}, {{"bleu", 32}}}},
          .metric = "bleu",
          .spent = {.elapsed_seconds = 7620, .processor_seconds = 7500.5}};
}

}  // namespace heed::report
