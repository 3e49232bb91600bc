// heed-large-corpus: a corpus of any size, and what encoding it and reading it costs. Each step is a process of its
// own, so that its peak memory is its own: README.md beside this file, run.sh.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/parallel.h"
#include "heed/core/random.h"
#include "heed/data/batches/batch_stream.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/data/encoded/index_file.h"
#include "heed/data/training_text.h"
#include "heed/text/tokenizers/tokenizer_files.h"

namespace heed {
namespace {

constexpr uint64_t kWords = 200'000;

/// A word's letters: syllables of its number, so that frequent words are short.
std::string word(uint64_t number, const std::string& consonants) {
  constexpr std::string_view kVowels = "aeiou";
  std::string letters;
  for (uint64_t rest = number + 1; rest > 0; rest /= consonants.size() * kVowels.size()) {
    letters += consonants[rest % consonants.size()];
    letters += kVowels[rest / consonants.size() % kVowels.size()];
  }
  return letters;
}

/// Numbers of words by Zipf's law, nearly: log-uniform.
uint64_t draw_word(RandomStream& random) {
  return static_cast<uint64_t>(std::exp(random.uniform() * std::log(static_cast<double>(kWords)))) - 1;
}

/// Lines of 4 to 40 words, the target's order turned round in threes.
void generate(const std::string& folder, int64_t pairs) {
  std::filesystem::create_directories(folder);
  std::ofstream source(folder + "/source"), target(folder + "/target");
  for (int64_t line = 0; line < pairs; ++line) {
    RandomStream random(1, Purpose::Test, static_cast<uint64_t>(line));
    const auto words = 4 + random.below(13) + random.below(13) + random.below(12);
    std::vector<std::string> words_here, words_there;
    for (uint64_t i = 0; i < words; ++i) {
      const uint64_t number = draw_word(random);
      words_here.push_back(word(number, "bdfgklmnprst"));
      const auto place = i % 3 == 0 ? words_there.end() : words_there.begin();
      words_there.insert(place, word(number, "cfhjlmnpqrsvwz"));
    }
    source << fmt::format("{}\n", fmt::join(words_here, " "));
    target << fmt::format("{}\n", fmt::join(words_there, " "));
  }
}

data::CorpusFiles files_of(const std::string& folder) {
  return {.source = {folder + "/source"}, .target = {folder + "/target"}, .pairs = {}};
}

std::string encode(const std::string& folder) {
  const auto tokenizers = text::load_tokenizers(folder);
  const auto summary = data::build_corpus(folder + "/corpus", files_of(folder), tokenizers, {},
                                          {.threads = available_cores(), .buckets = 0});
  const data::EncodedCorpus corpus(folder + "/corpus");
  return fmt::format("{} pairs, {:.1f} bytes a pair, {} buckets", summary.kept,
                     static_cast<double>(corpus.bytes()) / static_cast<double>(corpus.size()),
                     corpus.buckets().size() - 1);
}

/// What a second start does before its first training step.
std::string open(const std::string& folder) {
  const auto files = files_of(folder);
  data::checksums(files, "", data::known_files(folder + "/corpus"));
  const bool fits = data::has_fitting_corpus(folder + "/corpus", files, text::load_tokenizers(folder), {});
  const auto corpus = std::make_shared<const data::EncodedCorpus>(folder + "/corpus");
  data::BatchStream stream(corpus, {}, {}, 1);
  return fmt::format("{}, the first batch has {} target tokens", fits ? "fits" : "does not fit",
                     stream.next().target_tokens);
}

/// Batches without a model, one epoch at most.
std::string stream(const std::string& folder, double seconds) {
  const auto corpus = std::make_shared<const data::EncodedCorpus>(folder + "/corpus");
  data::BatchStream stream(corpus, {}, {}, 1);
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  int64_t tokens = 0, steps = 0;
  while (passed() < seconds && stream.position().epoch == 0) {
    tokens += stream.next().target_tokens;
    ++steps;
  }
  return fmt::format("{} batches, {:.0f} target tokens/s, {:.1f}% of the epoch", steps,
                     static_cast<double>(tokens) / passed(),
                     stream.position().epoch > 0 ? 100 : 100 * stream.epoch_progress());
}

/// The same of text that is read once, through a shuffle buffer, and not stored; from a pipe or a file.
std::string streamed(const std::string& folder, const std::string& pairs, int64_t buffer) {
  data::StreamOptions options{.context = data::SentenceContext{.shuffle_buffer = buffer},
                              .prefetch_threads = available_cores()};
  const text::Tokenizers tokenizers = text::load_tokenizers(folder);
  const auto lines = std::make_shared<data::PairStream>(data::CorpusFiles{.source = {}, .target = {}, .pairs = {pairs}},
                                                        data::TextFormat{});
  const data::StreamedText text(lines, {.tokenizers = tokenizers, .options = {}, .threads = options.prefetch_threads});
  data::BatchStream stream(text.batches(tokenizers, options, {}, 1), options);
  const auto begin = std::chrono::steady_clock::now();
  int64_t tokens = 0;
  while (stream.wait([] { return false; }) == data::Waited::Batch) tokens += stream.next().target_tokens;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return fmt::format("{} lines, {:.0f} lines/s, {:.0f} target tokens/s", lines->lines(),
                     static_cast<double>(lines->lines()) / seconds, static_cast<double>(tokens) / seconds);
}

int run(int count, char** words) {
  const std::string step = count > 1 ? words[1] : "", folder = count > 2 ? words[2] : "";
  const auto begin = std::chrono::steady_clock::now();
  std::string said;
  if (step == "generate" && count == 4) {
    generate(folder, std::atoll(words[3]));
  } else if (step == "encode" && count == 3) {
    said = encode(folder);
  } else if (step == "open" && count == 3) {
    said = open(folder);
  } else if (step == "stream" && count == 4) {
    said = stream(folder, std::atof(words[3]));
  } else if (step == "streamed" && count == 5) {
    said = streamed(folder, words[3], std::atoll(words[4]));
  } else {
    std::cerr << "heed-large-corpus generate FOLDER PAIRS | encode FOLDER | open FOLDER | stream FOLDER SECONDS | "
                 "streamed FOLDER PAIRS-FILE BUFFER\n";
    return 2;
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << fmt::format("{}: {:.2f} s, {} MiB{}{}\n", step, seconds, used.ru_maxrss / 1024, said.empty() ? "" : "; ",
                           said);
  return 0;
}

}  // namespace
}  // namespace heed

int main(int count, char** words) {
  heed::set_log_sink([](heed::LogLevel, std::string_view message) { std::cerr << message << '\n'; });
  try {
    return heed::run(count, words);
  } catch (const heed::Error& error) {
    std::cerr << "heed-large-corpus: " << error.what() << '\n';
    return 1;
  }
}
