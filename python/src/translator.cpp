#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "arrays.h"
#include "bindings.h"
#include "heed/api/given_lines.h"
#include "heed/command_line/former_names.h"
#include "heed/core/error.h"
#include "heed/heed.h"
#include "heed/translation/lines/flags.h"
#include "interruptible.h"
#include "tokenizer_object.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace heed::python {
namespace {

using Lines = std::vector<std::string>;

/// heed.Translation: with the tokenizers that name its tokens.
struct TranslationObject {
  Translation translation;
  text::Tokenizers tokenizers;
};

/// The options of a request by the names that `heed translate` has for them.
struct NamedRequest {
  TranslateRequest request;
};
void describe(NamedRequest& o, OptionVisitor& visit) {
  visit("split", o.request.split, "which lines are translated sentence by sentence");
  describe(o.request.constraints, visit);
  visit.section("search", o.request.options, "search");
}
void describe(OpenOptions& o, OptionVisitor& visit) {
  visit("precision", o.engine.precision, "precision of matrix multiplications on a CPU");
}

Translator open(const std::filesystem::path& model, const std::string& checkpoint, const std::string& device,
                int64_t threads, const std::string& precision, bool shortlist) {
  OpenOptions options{
      .checkpoint = checkpoint, .device = device, .engine = {.threads = threads, .short_list = shortlist}};
  config::apply_layers([&](OptionVisitor& visit) { describe(options, visit); },
                       {{{.name = "precision", .values = {precision}}}});
  std::optional<Translator> translator;
  run_interruptibly([&](const Interrupt&) { translator.emplace(Translator::open(model.string(), options)); });
  return std::move(*translator);
}

/// The keywords under the names of `heed translate`: options of the search if no other option has that name. A file,
/// metric or tag that is None is not given.
config::Layer settings_of_request(NamedRequest& named, const nb::kwargs& options) {
  const config::OptionList known = config::list_options(config::visit_options(named));
  nb::dict beside, search;
  for (const auto& [key, value] : options) {
    std::string name = nb::cast<std::string>(key);
    std::ranges::replace(name, '_', '-');
    if (!known.find(config::present_name(name))) {
      search[key] = value;
    } else if (!value.is_none()) {
      beside[key] = value;
    }
  }
  config::Layer settings = settings_of(beside);
  for (config::Setting& setting : settings_of(search, "search.")) settings.push_back(std::move(setting));
  return settings;
}

/// Calls work(). Errors name options of the search as translate() does, without their section.
template <class Work>
void with_keywords(const Work& work) {
  static const std::regex kSection("`(--)?search\\.");
  try {
    work();
  } catch (const ConfigError& error) {
    throw ConfigError(std::regex_replace(error.what(), kSection, "`--"));
  }
}

std::vector<TranslationObject> translate(const Translator& self, const nb::object& given, bool attention,
                                         bool token_scores, const nb::object& prefix, const nb::kwargs& options) {
  const Lines lines = lines_of(given, api::kLines);
  NamedRequest named{self.usual_request()};
  std::vector<Translation> translations;
  with_keywords([&] {
    config::apply_layers(config::visit_options(named), {settings_of_request(named, options)});
    if (!prefix.is_none()) named.request.prefix = lines_of(prefix, "prefix");
    named.request.keep = {.token_scores = token_scores, .attention = attention};
    run_interruptibly([&](const Interrupt& interrupt) {
      named.request.on_progress = [&](const auto&) { interrupt.check(); };
      translations = self.translate(lines, named.request);
    });
  });
  std::vector<TranslationObject> objects;
  for (Translation& translation : translations) objects.push_back({std::move(translation), self.tokenizers()});
  return objects;
}

constexpr size_t kPairsAtOnce = 1024;

/// Calls work(sources, targets) for stretches of the pairs, so that Ctrl-C is heard between them.
template <class Work>
void in_stretches(const Lines& sources, const Lines& targets, const Work& work) {
  const std::span<const std::string> all_sources(sources), all_targets(targets);
  run_interruptibly([&](const Interrupt& interrupt) {
    api::require_pairs(sources, targets, /*has_sources=*/!sources.empty());
    for (size_t begin = 0; begin < targets.size(); begin += kPairsAtOnce) {
      interrupt.check();
      const size_t count = std::min(kPairsAtOnce, targets.size() - begin);
      work(sources.empty() ? all_sources : all_sources.subspan(begin, count), all_targets.subspan(begin, count));
    }
  });
}

std::vector<ScoredTranslation> score(const Translator& self, const nb::object& sources, const nb::object& targets) {
  const Lines source_lines = sources.is_none() ? Lines() : lines_of(sources, api::kSources);
  const Lines target_lines = lines_of(targets, api::kTargets);
  std::vector<ScoredTranslation> all;
  in_stretches(source_lines, target_lines, [&](auto source, auto target) {
    for (ScoredTranslation& one : self.score(source, target)) all.push_back(std::move(one));
  });
  return all;
}

std::vector<Alignment> align(const Translator& self, const nb::object& sources, const nb::object& targets,
                             std::optional<int64_t> layer, std::optional<int64_t> head, bool all_heads, bool subwords) {
  const Lines source_lines = lines_of(sources, api::kSources), target_lines = lines_of(targets, api::kTargets);
  const translation::AlignerOptions options{.shown = {.layer = layer, .head = head, .all_heads = all_heads},
                                            .subwords = subwords};
  std::vector<Alignment> all;
  in_stretches(source_lines, target_lines, [&](auto source, auto target) {
    for (Alignment& one : self.align(source, target, options)) all.push_back(std::move(one));
  });
  return all;
}

Lines pieces(const text::Tokenizer& tokenizer, const text::Ids& ids) {
  Lines names;
  for (const int32_t id : ids) names.push_back(tokenizer.piece(id));
  return names;
}

std::vector<TranslationObject> others(const TranslationObject& self) {
  std::vector<TranslationObject> objects;
  for (const Translation& other : self.translation.others) objects.push_back({other, self.tokenizers});
  return objects;
}

const char* help_of_flags() {
  static const std::string kHelp = fmt::format("What is unusual: {}.", fmt::join(translation::flag_names(), ", "));
  return kHelp.c_str();
}

Lines flags(const TranslationObject& self) {
  Lines names;
  for (const auto flag : translation::flags_of(self.translation)) names.emplace_back(name_of(flag));
  return names;
}

/// Raises ValueError unless the attention was asked for.
void require_attention(const TranslationObject& self) {
  if (self.translation.attention.empty() && !self.translation.target.empty()) {
    throw nb::value_error("the translation has no attention: ask for it with translate(..., attention=True)");
  }
}

Alignment alignment(const TranslationObject& self, bool subwords) {
  require_attention(self);
  return subwords ? token_alignment(self.translation, self.tokenizers) : word_alignment(self.translation);
}

void add_translation(nb::module_& module) {
  using Self = const TranslationObject&;
  nb::class_<TranslationObject>(module, "Translation", "A translated line; str() is its text.")
      .def_prop_ro(
          "text", [](Self s) { return s.translation.text; }, "The translation, without a line break.")
      .def_prop_ro(
          "score", [](Self s) { return s.translation.score; },
          "What it was chosen by: the log-probability after all penalties.")
      .def_prop_ro(
          "log_probability", [](Self s) { return s.translation.log_probability; },
          "Natural log of p(translation | source), end of sentence included.")
      .def_prop_ro(
          "tokens", [](Self s) { return pieces(*s.tokenizers.target, s.translation.target); },
          "The model's tokens of the translation.")
      .def_prop_ro(
          "source_tokens", [](Self s) { return pieces(*s.tokenizers.source, s.translation.source); },
          "The model's tokens of the source.")
      .def_prop_ro(
          "token_log_probabilities", [](Self s) { return array_of(s.translation.token_log_probabilities); },
          kOwnsItself, "float32 [tokens + 1], the end of the sentence last; empty unless token_scores was asked for.")
      .def_prop_ro("flags", flags, help_of_flags())
      .def_prop_ro(
          "parts", [](Self s) { return s.translation.parts; },
          "More than 1 for a line that was translated in parts, 0 for a blank one.")
      .def_prop_ro("others", others, "The next best translations, best first, where n_best is more than 1.")
      .def("alignment", alignment, "subwords"_a = false,
           "How much each word of the translation attends to each of the source, or the model's tokens; needs "
           "translate(..., attention=True).")
      .def("__str__", [](Self s) { return s.translation.text; })
      .def("__repr__", [](Self s) {
        return "<heed.Translation " + nb::cast<std::string>(nb::repr(nb::cast(s.translation.text))) + ">";
      });
}

void add_alignment(nb::module_& module) {
  nb::class_<Alignment>(module, "Alignment", "Which words of a source belong to which of its target.")
      .def_ro("source", &Alignment::source, "The words of the source, or tokens.")
      .def_ro("target", &Alignment::target, "The words of the target, or tokens.")
      .def_prop_ro(
          "weights", [](const Alignment& self) { return array_of(self.weights); }, kOwnsItself,
          "float32 [target, source]: the attention that each target word pays to each source word. What falls "
          "on the end of the sentence is left out, so a row sums to at most 1.")
      .def_prop_ro(
          "heads",
          [](const Alignment& self) -> std::optional<Array<float>> {
            if (self.heads.empty()) return std::nullopt;
            return array_of(self.heads);
          },
          kOwnsItself, "float32 [layer, head, target, source], if all_heads was asked for.")
      .def("links", &Alignment::links, "threshold"_a = nb::none(),
           "Pairs (source, target) of places, from 0: the source word that each target word looks at most or, with a "
           "threshold, every pair of at least that weight.");
}

void add_score(nb::module_& module) {
  nb::class_<ScoredTranslation>(module, "ScoredTranslation", "What a model says of a translation that exists.")
      .def_ro("log_probability", &ScoredTranslation::log_probability,
              "Natural log of p(target | source), end of sentence included.")
      .def_prop_ro(
          "token_log_probabilities",
          [](const ScoredTranslation& self) { return array_of(self.token_log_probabilities); }, kOwnsItself,
          "float32 [tokens + 1], the end of the sentence last.");
}

}  // namespace

void add_translator(nb::module_& module) {
  add_translation(module);
  add_alignment(module);
  add_score(module);
  nb::class_<Translator>(
      module, "Translator",
      "A trained model: lines in, translations, scores or alignments out. Several threads may use one.")
      .def(
          "__init__",
          [](Translator* self, const std::filesystem::path& model, const std::string& checkpoint,
             const std::string& device, int64_t threads, const std::string& precision, bool shortlist,
             bool short_list) {
            new (self) Translator(open(model, checkpoint, device, threads, precision, shortlist || short_list));
          },
          "model"_a, nb::kw_only(), "checkpoint"_a = "", "device"_a = "auto", "threads"_a = 0, "precision"_a = "fp32",
          "shortlist"_a = false, "short_list"_a = false,
          "Opens a model directory.\n\n"
          "checkpoint: \"\" (the finished model), \"best\", \"last\", \"averaged\" or the number of a step.\n"
          "device: cpu, cuda, cuda:N, or auto. threads: of the CPU; 0: one for each core.\n"
          "precision: of matrix multiplications on a CPU: fp32, bf16, int8 or auto.\n"
          "shortlist: choose tokens among those that `heed shortlist` has learned; short_list is its former name.")
      .def(
          "translate", translate, "lines"_a, nb::kw_only(), "attention"_a = false, "token_scores"_a = false,
          "prefix"_a = nb::none(), "options"_a,
          nb::sig(
              "def translate(self, lines: collections.abc.Iterable[str], *, attention: bool = False, token_scores: "
              "bool = False, prefix: collections.abc.Iterable[str] | None = None, split: str = 'auto', terminology: "
              "str | os.PathLike[str] | None = None, terminology_fold_case: bool = False, terminology_strict: bool = False, "
              "forbid: str | os.PathLike[str] | None = None, target_tag: str | "
              "None = None, replace_unknown: bool = False, dictionary: str | os.PathLike[str] | None = None, mbr: str "
              "= 'none', mbr_scale: float | None = None, **search) -> list[Translation]"),
          "The translation of each line, in order. A blank line has a blank translation.\n\n"
          "search: the options --search.NAME of `heed translate`, such as beam=10, n_best=5,\n"
          "length_penalty=\"gnmt\", method=\"sample\". The defaults are those of the model.\n"
          "attention, token_scores: keep them in the translations.\n"
          "prefix: the beginning of each translation; \"\" for no prefix.\n"
          "split: auto, sentences or none. terminology, forbid, dictionary: files as `heed translate` reads them.\n"
          "terminology_fold_case, terminology_strict, target_tag, replace_unknown, mbr (chrf or bleu), mbr_scale: options of `heed "
          "translate`.")
      .def("score", score, "sources"_a.none(), "targets"_a,
           nb::sig(
               "def score(self, sources: collections.abc.Iterable[str] | None, targets: collections.abc.Iterable[str]) "
               "-> list[ScoredTranslation]"),
           "The log-probability of each target as a translation of its source; of a language model, whose sources are "
           "None, that of each target.")
      .def(
          "align", align, "sources"_a, "targets"_a, nb::kw_only(), "layer"_a = nb::none(), "head"_a = nb::none(),
          "all_heads"_a = false, "subwords"_a = false,
          nb::sig("def align(self, sources: collections.abc.Iterable[str], targets: collections.abc.Iterable[str], *, "
                  "layer: int | None = None, head: int | None = None, all_heads: bool = False, subwords: bool = False) "
                  "-> list[Alignment]"),
          "How much the words of each target attend to those of its source. layer, head: from 1; None: the last "
          "layer, the mean of its heads.")
      .def_prop_ro("source_tokenizer", [](const Translator& self) { return TokenizerObject{self.tokenizers().source}; })
      .def_prop_ro("target_tokenizer",
                   [](const Translator& self) { return TokenizerObject{self.tokenizers().target}; });
}

}  // namespace heed::python
