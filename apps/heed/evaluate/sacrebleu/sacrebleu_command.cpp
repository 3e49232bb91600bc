#include "evaluate/sacrebleu/sacrebleu_command.h"

#include <unistd.h>

#include <fmt/format.h>

#include "evaluate/sacrebleu/sacrebleu_arguments.h"
#include "evaluate/sacrebleu/sacrebleu_evaluation.h"
#include "heed/metrics/reports/text_table.h"
#include "heed/metrics/signature.h"

namespace heed::apps {
namespace {

/// Fails for options that need sacreBLEU's test sets, which it downloads.
void refuse_test_sets(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  const bool asked = arguments.download || arguments.list || arguments.test_set;
  if (!asked) return;
  messages.fail(
      "Test sets are not downloaded: give the reference as a file, `heed evaluate REFERENCE -i TRANSLATION`; "
      "`sacrebleu -t NAME -l PAIR --echo ref > REFERENCE` writes it.");
}

/// Checks the arguments in sacreBLEU's order.
void check_arguments(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  if (arguments.download || arguments.list) refuse_test_sets(arguments, messages);
  if (arguments.sentence_level && arguments.metrics.size() > 1) {
    messages.fail("Only one metric can be used in sentence-level mode.");
  }
  if (arguments.citation && !arguments.test_set) messages.fail("I need a test set (-t).");
  if (arguments.tab_references != 1 && (arguments.test_set || arguments.references.size() > 1)) {
    messages.warning(
        "The --num-refs argument allows you to provide any number of tab-delimited references in a single file.");
    messages.warning("You can only use it with externally provided references, however (i.e., not with `-t`),");
    messages.fail("and you cannot then provide multiple reference files.");
  }
  refuse_test_sets(arguments, messages);
  if (arguments.references.empty()) {
    messages.fail(
        "No references are given: name their files before -i, as in `heed evaluate REFERENCE -i TRANSLATION`.");
  }
  const std::string pair = arguments.language_pair.value_or("");
  if (!pair.empty() && pair.find('-') == std::string::npos) {
    messages.fail(fmt::format("`{}` is not a language pair such as en-de.", pair));
  }
  if (arguments.echo) messages.fail("--echo requires a test set (--t) and a language pair (-l)");
}

}  // namespace

int run_sacrebleu(CommandArguments arguments, int (*help)()) {
  const SacreBleuArguments parsed = parse_sacrebleu_arguments(arguments);
  if (parsed.asked == SacreBleuArguments::Asked::Help) return help();
  if (parsed.asked == SacreBleuArguments::Asked::Version) {
    print(fmt::format("sacrebleu {}\n", metrics::kSacreBleuVersion));
    return 0;
  }
  const SacreBleuMessages messages(parsed.quiet);
  try {
    check_arguments(parsed, messages);
    const std::string report = evaluate_as_sacrebleu(parsed, messages);
    print(isatty(STDOUT_FILENO) ? report : metrics::without_colors(report));
    return 0;
  } catch (const Stop& stop) {
    return stop.code;
  }
}

}  // namespace heed::apps
