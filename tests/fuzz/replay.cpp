// Runs fuzz targets without libFuzzer: on their seeds, and on inputs that are changed at random.
//
//   PROGRAM SEEDS [--inputs N] [--seed N] [--keep FOLDER] [TARGET...]
//
// SEEDS has a folder for each target. The input that ends the program is written to FOLDER (default: the current one).
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"

#if defined(__SANITIZE_ADDRESS__)
/// So that the handler of SIGABRT writes the input.
extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
#endif

namespace heed::fuzz {
namespace {

constexpr unsigned kSeconds = 20;  // for one input

struct Options {
  std::filesystem::path seeds;
  std::filesystem::path keep = ".";
  long inputs = 0;
  unsigned seed = 1;
  std::vector<std::string> targets;
};

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const auto value = [&] { return ++i < count ? arguments[i] : ""; };
    if (word == "--inputs") {
      options.inputs = std::atol(value());
    } else if (word == "--seed") {
      options.seed = static_cast<unsigned>(std::atol(value()));
    } else if (word == "--keep") {
      options.keep = value();
    } else if (options.seeds.empty()) {
      options.seeds = word;
    } else {
      options.targets.emplace_back(word);
    }
  }
  if (options.targets.empty()) {
    for (const Target& target : all_targets()) options.targets.emplace_back(target.name);
  }
  return options;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Changes inputs as libFuzzer does, without knowing what they reach.
class Mutator {
 public:
  Mutator(const std::vector<std::string>& seeds, unsigned seed) : seeds_(seeds), random_(seed) {}

  std::string next() {
    std::string input = seeds_[random_() % seeds_.size()];
    for (size_t changes = 1 + random_() % 6; changes > 0; --changes) change(input);
    input.resize(std::min(input.size(), kLongest));
    return input;
  }

 private:
  size_t place(const std::string& input) { return input.empty() ? 0 : random_() % (input.size() + 1); }
  size_t length(const std::string& input, size_t from) {
    return std::min<size_t>(input.size() - from, 1 + random_() % (random_() % 4 == 0 ? 400 : 12));
  }

  void change(std::string& input) {
    const size_t at = place(input);
    switch (random_() % 8) {
      case 0:  // a bit
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << random_() % 8));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(random_() % 256);
        break;
      case 2:  // a large, small or negative number
        for (size_t i = at; i < std::min(input.size(), at + (size_t{1} << random_() % 4)); ++i)
          input[i] = static_cast<char>(random_() % 2 == 0 ? 0xff : 0);
        break;
      case 3:
        input.erase(at, length(input, at));
        break;
      case 4:
        input.insert(at, input.substr(at, length(input, at)));
        break;
      case 5: {
        const std::string& other = seeds_[random_() % seeds_.size()];
        const size_t from = place(other);
        input.insert(at, other.substr(from, length(other, from)));
        break;
      }
      case 6:
        input.insert(at, piece());
        break;
      default:
        if (random_() % 8 == 0) input.resize(at);
    }
  }

  /// Text that matters to many formats.
  std::string_view piece() {
    // clang-format off
    static constexpr auto kPieces = std::to_array<std::string_view>({
        "\n", "\r\n", "\t", " ", "\"", "'", "\\", "/", "..", "<", ">", "</", "&", "&amp;", "&#x0;", "<!--", "]]>", "{", "}", "[", "]", ",", ":", "=",
        "null", "true", "-", "-1", "0", "1e999", "nan", "inf", "18446744073709551615", "9223372036854775808", "4294967296", "0x7fffffff", "|||",
        "a", "the ", ".", "1", "9", "\xc2\x85", "\xc2\xa0", "\xe3\x80\x80", "\xe2\x80\xa8", "\xe2\x80\xae", "\xe2\x96\x81", "\xe4\xbd\xa0", "\xef\xbc\x8c",
        "\xce\xa3", "\xc4\xb0", "\xf0\x9f\x98\x80", "\xcc\x81", "\xef\xbf\xbd", "\xef\xbb\xbf", "\xc3", "\xff", "\xed\xa0\x80", "@@", "</w>", "%s", "\x1b[31m"});
    // clang-format on
    return kPieces[random_() % kPieces.size()];
  }

  const std::vector<std::string>& seeds_;
  std::mt19937 random_;
};

std::string running;  // the input
std::string kept;     // the file that the input goes to

/// A handler of signals: writes the input, and ends the program by the signal.
void keep_input(int signal) {
  if (std::FILE* file = std::fopen(kept.c_str(), "wb"); file != nullptr) {
    std::fwrite(running.data(), 1, running.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "ended by signal %d%s; the input is in %s\n", signal, signal == SIGALRM ? ", after 20 s" : "",
               kept.c_str());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Limits memory that can be written, not addresses: a thread reserves 64 MiB of addresses for its memory, and
/// SentencePiece starts 16 of them.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  std::ifstream status("/proc/self/statm");
  size_t size = 0, resident = 0, shared = 0, text = 0, libraries = 0, data = 0;
  status >> size >> resident >> shared >> text >> libraries >> data;
  const rlim_t limit = data * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + kMemory;
  const rlimit limits{.rlim_cur = limit, .rlim_max = limit};
  setrlimit(RLIMIT_DATA, &limits);
#endif
}

void run_kept(const Target& target, std::string input) {
  running = std::move(input);
  alarm(kSeconds);
  run(target, running);
  alarm(0);
}

void replay(const Target& target, const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  kept = (options.keep / ("crash-" + std::string(target.name))).string();
  std::vector<std::string> seeds;
  for (const auto& path : files_of(options.seeds / target.name)) seeds.push_back(content_of(path));
  if (seeds.empty()) {
    std::fprintf(stderr, "%s has no seeds\n", std::string(target.name).c_str());
    std::exit(1);
  }
  for (const std::string& seed : seeds) run_kept(target, seed);
  Mutator mutator(seeds, options.seed);
  for (long i = 0; i < options.inputs; ++i) run_kept(target, mutator.next());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%-20s %zu seeds, %ld changed inputs, %.1f s\n", std::string(target.name).c_str(), seeds.size(),
              options.inputs, seconds.count());
  std::fflush(stdout);
}

int run_program(const Options& options) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(signal, keep_input);
  limit_memory();
  for (const std::string& name : options.targets) replay(target_named(name), options);
  return 0;
}

}  // namespace
}  // namespace heed::fuzz

int main(int count, char** arguments) { return heed::fuzz::run_program(heed::fuzz::read_options(count, arguments)); }
