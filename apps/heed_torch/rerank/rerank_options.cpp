#include "rerank/rerank_options.h"

#include "heed/core/error.h"
#include "output.h"

namespace heed::apps {
namespace {

/// Throws ConfigError, "has no effect REASON", if one of the options is given.
void refuse(const config::Arguments& given, std::initializer_list<const char*> options, const std::string& reason) {
  for (const char* option : options) {
    if (given.gives(option)) throw ConfigError(std::string("--") + option, "has no effect " + reason);
  }
}

}  // namespace

void describe(RerankCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "n-best list, as `heed translate --search.n-best` writes it: a file (.gz too), or -");
  visit("source", o.source,
        "text that the list translates: the translations with number N in the list are of line N, from 0");
  visit("output", o.output, "file for the best translations, or - for standard output");
  visit("n-best", o.n_best, "write all translations in their new order: LINE ||| TRANSLATION ||| SCORE");
  visit("forward", o.forward, "other models that translate: log p(translation | source)");
  visit("reverse", o.reverse, "models that translate back: log p(source | translation)");
  visit("right-to-left", o.right_to_left,
        "models trained on targets with the words in reverse order: log p(reversed translation | source)");
  visit("language-model", o.language_model, "language models of the target's side: log p(translation)");
  visit("weights", o.weights, "`FILE.json` with the models and their weights: written with `reference`, else read");
  visit("reference", o.reference,
        "reference translations of the lines: heed chooses the weights with the highest metric");
  visit(
      "oracle", o.oracle,
      "write the translation of each list that is most like the reference by the metric: about the best that reranking "
      "could reach");
  describe(o.metric, visit, "metric by which the weights are chosen");
  describe(o.tuning, visit);
  describe_computation(o.use, visit);
  describe(o.scorer, visit);
}

const config::CommandHelp kRerankHelp{
    .usage =
        "heed rerank --input LIST --source FILE --reference FILE --weights OUT.json [models] [options]\n"
        "       heed rerank --input LIST --source FILE --weights FILE.json [options]",
    .summary =
        R"(Chooses the best translation of each n-best list with the help of more models: one that translates back, one
that writes from right to left, a language model. With --reference, heed finds the weights of these models by
minimum error rate training, on a validation set. Without --reference, it uses them for other text.)",
    .examples = R"(  heed translate --model en-de --search.beam 20 --search.n-best 20 < val.en > val.list
  heed rerank --input val.list --source val.en --reference val.de --reverse de-en --weights weights.json
  heed translate --model en-de --search.beam 20 --search.n-best 20 < test.en |
    heed rerank --source test.en --weights weights.json > test.de
  heed rerank --input val.list --reference val.de --oracle > best-in-the-list.de)",
    .common = {"input", "source", "output", "n-best", "forward", "reverse", "right-to-left", "language-model",
               "weights", "reference", "oracle", "metric", "tokenize", "device", "threads"},
};

void check_options(const RerankCommand& command, const config::Arguments& given) {
  const bool has_reference = !command.reference.empty();
  if (command.oracle && !has_reference) throw ConfigError("--oracle", "needs `reference`");
  if (command.oracle) {
    refuse(given, {"weights", "source", "n-best", "forward", "reverse", "right-to-left", "language-model"},
           "with `oracle`, which uses only the reference");
  } else {
    require_option(!command.weights.empty(), "weights",
                   has_reference ? "name the file for the weights that are chosen"
                                 : "name the file that `heed rerank --reference` wrote");
  }
  if (!has_reference) {
    refuse(given, {"forward", "reverse", "right-to-left", "language-model"},
           "without `reference`: the file of weights names its models");
    refuse(given, {"metric", "tokenize", "tokenizer-model"}, "without `reference`");
  }
  if (!command.tunes()) refuse(given, {"starts", "seed"}, "where no weights are chosen");
  if (command.tunes())
    refuse(given, {"output", "n-best"}, "with `reference`, which chooses weights and translates nothing");
  check_options(command.metric, given);
  const std::vector<std::string> inputs{command.input, command.source, command.reference};
  if (!command.output.empty()) require_other_than_inputs("--output", command.output, inputs);
  if (command.tunes()) require_other_than_inputs("--weights", command.weights, inputs);
  require_one_standard_input(inputs);
}

std::vector<reranking::Feature> features_of(const RerankCommand& command) {
  using Kind = reranking::FeatureKind;
  std::vector<reranking::Feature> features{{.kind = Kind::List}, {.kind = Kind::Length}};
  const auto add = [&](Kind kind, const std::vector<std::string>& models) {
    for (const std::string& model : models) features.push_back({.kind = kind, .model = model});
  };
  add(Kind::Forward, command.forward);
  add(Kind::Reverse, command.reverse);
  add(Kind::RightToLeft, command.right_to_left);
  add(Kind::LanguageModel, command.language_model);
  return features;
}

}  // namespace heed::apps
