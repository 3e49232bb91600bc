#include "heed_torch/config/setup/training_run.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <variant>

#include <fmt/format.h>

#include "heed/core/cpu_limit.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/memory_limit.h"
#include "heed/core/text/counted.h"
#include "heed/core/wall_clock.h"
#include "heed/data/corpus/spooled_files.h"
#include "heed/data/encoded/index_file.h"
#include "heed/data/encoded/source_statistics.h"
#include "heed/data/overlap/swapped_sides.h"
#include "heed/data/overlap/text_overlap.h"
#include "heed/data/overlap/validation_pairs.h"
#include "heed/data/streamed/pair_stream.h"
#include "heed/report/json_lines_observer.h"
#include "heed/report/page_observer.h"
#include "heed/report/tensorboard_observer.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed_torch/config/device.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/join_ranks.h"
#include "heed_torch/config/setup/resume_rules.h"
#include "heed_torch/config/setup/run_corpora.h"
#include "heed_torch/config/setup/run_overlap.h"
#include "heed_torch/config/setup/run_tokenizers.h"
#include "heed_torch/config/setup/saved_text.h"
#include "heed_torch/config/setup/source_vectors.h"
#include "heed_torch/config/setup/start_facts.h"
#include "heed_torch/config/setup/start_rules.h"
#include "heed_torch/config/setup/teachers.h"
#include "heed_torch/config/setup/training_model.h"
#include "heed_torch/distributed/rank_error.h"

namespace heed::config {
namespace {

/// The text, with streams copied to `copies`.N. If the training has begun, the copies exist, even if its directory had
/// another name.
data::SpooledFiles rereadable(const data::CorpusFiles& files, const std::string& copies, bool begun) {
  return data::SpooledFiles(begun ? data::found_again(files, copies) : files, copies);
}

RunDescription describe_run(RunOptions options, const data::CorpusFiles& text, const data::CorpusFiles& valid_text,
                            const Checksums& sums) {
  options.corpus = text;
  options.valid_corpus = valid_text;
  return {.options = std::move(options), .text = sums};
}

/// Options that would be read back differently must fail now, not at the next start or at the end of the training.
void require_read_back(const std::string& settings, const std::string& path) {
  if (format_options(parse_saved_options(settings, path)) == settings) return;
  throw Error(fmt::format("{}: the options that are written there differ when they are read again", path));
}

void write_description(checkpoint::RunDirectory& directory, const RunDescription& run) {
  const std::string settings = format_options(run.options);
  require_read_back(settings, directory.file(kConfigFile));
  directory.write(kConfigFile, settings);
  std::error_code gone;
  directory.describe_run(static_cast<uint64_t>(run.options.seed), run.text, run.usual_source_length,
                         std::filesystem::current_path(gone));
}

/// What this start of a training that has begun does otherwise than the one before.
void compare_with_before(PreparedRun& run) {
  const RunOptions before = options_before(run.directory->path());
  const Checksums valid_before = validation_text(run.directory->manifest().corpus);
  const Checksums valid_now = validation_text(run.description.text);
  run.conditions_before = state_conditions(before, valid_before);
  run.changes = option_changes(before, run.description.options);
  if (valid_before != valid_now) run.changes.push_back(validation_text_change(before, run.description.options));
}

/// The files of stored text, or the stream of text that is not stored.
struct GivenText {
  data::CorpusFiles stored;
  std::shared_ptr<data::PairStream> stream;                      // null: the text is stored
  std::shared_ptr<const data::ValidationPairs> valid = nullptr;  // the pairs to look for in the stream; null: none
  std::optional<RunOverlap> overlap = std::nullopt;              // of stored text, once it is compared
};

GivenText given_text(const RunOptions& options) {
  if (!data::shuffle_buffer_of(options.data.stream)) return {.stored = options.corpus, .stream = nullptr};
  return {.stored = data::CorpusFiles{},
          .stream = std::make_shared<data::PairStream>(options.corpus, options.data.corpus.format)};
}

data::ComparedTexts compared_texts(const data::SpooledFiles& train, const data::SpooledFiles& valid,
                                   const RunOptions& options) {
  const bool has_valid = options.valid_corpus != data::CorpusFiles{};
  return {.train = train.files(),
          .valid = has_valid ? std::optional(valid.files()) : std::nullopt,
          .format = options.data.corpus.format};
}

/// Compares the text with itself and with the validation text, unless the result is known. So wrong text stops the run
/// before it spends minutes on tokenizers. A stream is compared as it is read. checked: whether an earlier start has
/// read the text.
void compare_text(GivenText& given, const data::ComparedTexts& texts, const checkpoint::RunDirectory& directory,
                  const RunOptions& options, const Checksums& sums, bool checked) {
  const data::TextFormat& format = texts.format;
  if (given.stream) {
    if (texts.valid) given.valid = std::make_shared<data::ValidationPairs>(*texts.valid, format, "data.");
    return;
  }
  RunOverlap& overlap = given.overlap.emplace(directory, options, texts, sums);
  if (!checked || !overlap.known()) {
    overlap.find();
    if (options.task == Task::Translation) {
      data::warn_of_swapped_sides(texts);
      data::warn_of_same_sides(texts.train, format);
      if (texts.valid) data::warn_of_same_sides(*texts.valid, format, "valid-");
    }
  } else if (texts.valid && checkpoint::has_checkpoints(directory.path())) {
    data::inspect_pairs(*texts.valid, format, "data.");  // it may have changed
  }
  data::log_overlap(overlap.counts(), texts.train, options.data.corpus.filters,
                    std::holds_alternative<data::TextContext>(options.data.stream.context));
}

/// A stream has no checksums: StreamedText compares it as it is read.
Checksums checksums_of(const GivenText& given, const data::CorpusFiles& files,
                       const checkpoint::RunDirectory& directory) {
  if (given.stream) return {{checkpoint::kStreamedText, "read once"}};
  return data::checksums(files, "", data::known_files(directory.file("train.corpus")));
}

/// All ranks read the text that rank 0 found.
void share_description(PreparedRun& run) {
  const std::string leaders = run.ranks->broadcast(run.ranks->leads() ? format_options(run.description.options) : "");
  if (!run.ranks->leads()) run.description.options = parse_saved_options(leaders, "the options of rank 0");
}

/// Opens the encoded text, or the stream.
void open_text(PreparedRun& run, GivenText& given, const data::CorpusFiles& files, const RunOptions& options,
               const text::Tokenizers& tokenizers) {
  if (given.stream) {
    run.text =
        std::make_shared<data::StreamedText>(given.stream,
                                             data::StreamEncoding{.tokenizers = tokenizers,
                                                                  .options = options.data.corpus,
                                                                  .threads = options.data.stream.prefetch_threads,
                                                                  .valid = given.valid},
                                             run.ranks->alone() ? nullptr : run.ranks->open_broadcast());
    return;
  }
  run.corpus = open_training_corpus({.path = run.directory->file("train.corpus"), .files = files}, tokenizers, options,
                                    run.threads, *run.ranks, *given.overlap);
  run.text = std::make_shared<data::StoredText>(run.corpus, given.overlap->counts());
  if (tokenizers.source && run.corpus->vectors() == nullptr) {
    run.description.usual_source_length = data::usual_source_length(*run.corpus);
  }
}

void open_validation(PreparedRun& run, const data::CorpusFiles& files, const RunOptions& options,
                     const text::Tokenizers& tokenizers) {
  run.validation = open_validation_set({.path = run.directory->file("valid.corpus"), .files = files}, tokenizers,
                                       options, run.threads);
}

/// Refuses this start if the content of the directory does not allow it.
void refuse_wrong_start(const checkpoint::RunDirectory& directory, const RunOptions& options, bool begun) {
  if (begun)
    refuse_other_start(directory, options);
  else
    refuse_to_replace_model(directory);
}

/// Makes everything that a training needs, in the model directory.
void prepare(PreparedRun& run, const RunOptions& options) {
  const data::TextFormat& format = options.data.corpus.format;
  run.directory = std::make_unique<checkpoint::RunDirectory>(options.model);
  checkpoint::RunDirectory& directory = *run.directory;
  const bool begun = checkpoint::has_checkpoints(directory.path());
  const bool has_valid = options.valid_corpus != data::CorpusFiles{};

  // Everything is checked before anything is written: a start that is refused leaves the directory unchanged.
  find_teachers(options);
  refuse_wrong_start(directory, options, begun);
  GivenText given = given_text(options);
  data::SpooledFiles text = rereadable(given.stored, directory.file("train.text"), begun);
  data::SpooledFiles valid_text = rereadable(options.valid_corpus, directory.file("valid.text"), begun);
  ConvertedMedia media(options.corpus, directory.file("train.vectors"), options.media, run.threads);
  ConvertedMedia valid_media(options.valid_corpus, directory.file("valid.vectors"), options.media, run.threads);
  Checksums sums = checksums_of(given, media.with(text.files()), directory);
  sums.merge(data::checksums(valid_media.with(valid_text.files()), "valid-",
                             data::known_files(directory.file("valid.corpus"))));
  if (begun) refuse_other_text(directory, sums, options);
  if (!begun) {
    run.vectors = read_embedding_vectors(options.vectors, options.arch.d_model);
    run.base = open_base(options);
  }
  const bool keep_tokenizers = begun || (!given.stream && has_fitting_tokenizers(directory, options, sums));
  const auto texts = [&] { return compared_texts(text, valid_text, options); };
  compare_text(given, texts(), directory, options, sums, keep_tokenizers);
  if (!keep_tokenizers) remove_tokenizers(directory);
  text.keep();
  valid_text.keep();
  media.keep();
  valid_media.keep();
  if (given.overlap) given.overlap->keep(texts());
  run.description = describe_run(options, given.stream ? options.corpus : text.files(), valid_text.files(), sums);
  run.conditions = state_conditions(options, validation_text(sums));
  if (begun)
    compare_with_before(run);
  else
    write_description(directory, run.description);

  const text::Tokenizers tokenizers = open_tokenizers(
      directory, options,
      given.stream ? tokenizer_text(given.stream, options.text) : tokenizer_text(text.files(), format, options.text));
  if (!keep_tokenizers && !given.stream && options.base.gives_tokenizers() && options.task == Task::Translation) {
    data::warn_of_swapped_sides(text.files(), format, tokenizers, options.base.from);
  }
  run.tokenizers = sampling_tokenizers(tokenizers, options.text);
  require_fitting_teachers(run, options);
  share_description(run);
  open_text(run, given, media.with(text.files()), options, tokenizers);
  if (has_valid) open_validation(run, valid_media.with(valid_text.files()), options, tokenizers);
}

/// Calls `work`. Adds to an error about a row the option that leaves it out.
template <class Work>
auto naming_bad_rows(const Work& work) {
  try {
    return work();
  } catch (const data::BadRow& error) {
    throw InputError(fmt::format("{}; `--data.bad-rows leave-out` leaves out such lines", error.what()));
  }
}

/// Whether no training step is saved: the first checkpoint is that of step 0.
bool is_untrained(const checkpoint::RunDirectory& directory) {
  return std::ranges::all_of(checkpoint::list_checkpoints(directory.path()),
                             [](const auto& info) { return info.step == 0; });
}

/// Calls `work`. If it throws a Refusal before a training step is saved, the options or the text must change, so what
/// was made from them is removed. After an error of the system, the next start may succeed: the tokenizers stay for it.
template <class Refusal, class Work>
auto leaving_nothing_after(PreparedRun& run, const Work& work) {
  try {
    return naming_bad_rows(work);
  } catch (const FileError&) {
    throw;
  } catch (const distributed::RankError&) {
    throw;
  } catch (const Refusal&) {
    if (run.directory && is_untrained(*run.directory)) run.directory->discard();
    throw;
  }
}

/// Sets this process's threads. If the CPU quota decides their number, the log says so.
int64_t choose_threads(const RunOptions& options, int64_t processes) {
  const CpuLimit limit = cpu_limit();
  if (options.threads == 0 && limit.quota_decides()) {
    log_info(fmt::format("threads follow the CPU quota of {:.4g} CPUs (cgroup); the affinity mask has {}", *limit.quota,
                         counted(limit.cores, "core")));
  }
  return use_threads(options.threads, processes);
}

/// If a control group limits the memory, the log says to how much: Linux ends a training that needs more.
void log_memory_limit() {
  const MemoryLimit limit = memory_limit();
  if (!limit.group_decides()) return;
  log_info(fmt::format("memory is limited to {:.1f} GiB (cgroup); this machine has {:.1f} GiB",
                       static_cast<double>(limit.bytes()) / (1 << 30), static_cast<double>(limit.machine) / (1 << 30)));
}

/// Sends the conditions of rank 0 to all ranks.
void share_conditions(PreparedRun& run) {
  auto share = [&](const char*, std::string& condition) { condition = run.ranks->broadcast(condition); };
  training::describe_members(run.conditions, share);
  training::describe_members(run.conditions_before, share);
}

/// What the corpus that this rank sees is made of.
std::string text_seen(const PreparedRun& run) {
  if (!run.corpus) return "a stream";
  const data::CorpusOrigin& origin = run.corpus->origin();
  std::string seen = fmt::format("{} pairs with the tokenizers {:.8}", run.corpus->size(), origin.tokenizers);
  for (const data::CorpusFile& file : origin.files) seen += fmt::format(", {} {:.8}", file.path, file.sha256);
  return seen;
}

}  // namespace

PreparedRun prepare_run(const RunOptions& options, std::shared_ptr<distributed::RankGroup> ranks) {
  PreparedRun run;
  run.ranks = std::move(ranks);
  const MachineRanks place = run.ranks->alone() ? MachineRanks{} : ranks_on_this_machine(*run.ranks);
  run.device = run.ranks->alone() ? pick_device(options.device)
                                  : pick_rank_device(options.device, place, options.distributed.backend);
  run.threads = choose_threads(options, place.count);
  log_memory_limit();
  training::replica_count(options.train, run.device, run.threads);  // for its error
  const auto prepare_text = [&] { leaving_nothing_after<Error>(run, [&] { prepare(run, options); }); };
  if (run.ranks->alone()) {
    prepare_text();
    return run;
  }
  require_same_start(*run.ranks, options, run.threads);
  training::validate_ranks(options.data.stream, run.ranks->size());
  if (run.ranks->leads()) prepare_text();
  if (!run.ranks->leads()) {
    share_description(run);
    help_rank_0(run, options);
  }
  share_conditions(run);  // until then the others wait
  if (!run.ranks->leads()) follow_rank_0(run, options);
  require_same(*run.ranks, fmt::format("what {}/train.corpus was made of", options.model), text_seen(run));
  return run;
}

training::TrainingOutcome run_training(PreparedRun& run, const RunOptions& options,
                                       std::vector<training::Observer*> observers, const training::StopRequest& stop) {
  const auto seed = static_cast<uint64_t>(options.seed);
  const auto model = make_training_model(run, options);
  std::vector<std::shared_ptr<models::Model>> teachers = open_teachers(run, options);
  run.base.reset();
  std::optional<report::JsonLinesObserver> history;
  std::optional<report::PageObserver> page;
  std::optional<report::TensorBoardObserver> curves;
  if (run.directory) {
    history.emplace(run.directory->file(kHistoryFile), system_clock(), start_facts(run.description.options));
    page.emplace(run.directory->path(), system_clock());
    observers.insert(observers.end(), {&*history, &*page});  // the page and the curves read the history
    if (!options.log.tensorboard.empty()) {
      const auto directory = std::filesystem::path(run.directory->path() + "/").lexically_normal().parent_path();
      curves.emplace(options.log.tensorboard, run.directory->file(kHistoryFile), directory.filename().string(),
                     system_clock());
      observers.push_back(&*curves);
    }
  }
  training::Trainer trainer({.model = model,
                             .tokenizers = run.tokenizers,
                             .text = run.text,
                             .validation = run.validation,
                             .stream = options.data.stream,
                             .train = options.train,
                             .teachers = std::move(teachers),
                             .valid = options.valid,
                             .log = options.log,
                             .search = options.search.search,
                             .translator = options.search.translator,
                             .device = run.device,
                             .threads = run.threads,
                             .ranks = run.ranks,
                             .gradients = options.distributed.gradients,
                             .shard_optimizer = options.distributed.shard_optimizer,
                             .seed = seed,
                             .conditions = run.conditions,
                             .conditions_before = run.conditions_before,
                             .changes = run.changes,
                             .reported =
                                 [&run] {
                                   if (run.directory) write_description(*run.directory, run.description);
                                 }},
                            run.directory.get(), std::move(observers));
  return leaving_nothing_after<InputError>(run, [&] { return trainer.train(stop); });
}

}  // namespace heed::config
