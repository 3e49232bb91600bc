#include "make/make_page.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "heed/core/files/line_reader.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/json_members.h"
#include "heed/report/markup.h"
#include "make/training_facts.h"
#include "make/training_rule.h"

namespace heed::apps::make {
namespace {

using report::escaped;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --page: #f6f5f2; --card: #ffffff; --text: #22211f; --faint: #76736c; --line: #e3e0da;
        --one: #2f6fb3; }
@media (prefers-color-scheme: dark) { :root { --page: #16171a; --card: #1f2125; --text: #e8e6e1; --faint: #9a978f;
        --line: #34363c; --one: #6aa7e8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 32px 24px 80px; max-width: 1100px; background: var(--page); color: var(--text);
       font: 15px/1.5 system-ui, "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 26px; margin: 0; font-weight: 650; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 40px 0 12px; font-weight: 650; }
a { color: var(--one); } small, p.faint { color: var(--faint); } li { margin: 4px 0; max-width: 90ch; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 12px; margin: 24px 0; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px; }
.tile b { display: block; font-size: 24px; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.25; }
.tile span { color: var(--faint); font-size: 13px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 7px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 500; font-size: 13px; } .n { text-align: right; white-space: nowrap; }
td.n { font-variant-numeric: tabular-nums; } pre, code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.pair { margin: 12px 0; padding-left: 14px; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.pair b { font-weight: 600; }
)";

std::string tile(const std::string& value, const std::string& meaning) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", escaped(value), escaped(meaning));
}

std::string section(const std::string& title, const std::string& content) {
  return fmt::format("<h2>{}</h2>\n<div class=\"card\">{}</div>\n", title, content);
}

std::string list_of(const std::vector<std::string>& sentences) {
  std::string items;
  for (const std::string& sentence : sentences) items += "<li>" + escaped(sentence) + "</li>\n";
  return "<ul>\n" + items + "</ul>\n";
}

/// What several parts of the page show.
struct Facts {
  TrainingPlan plan;
  TrainingFacts training;
  std::vector<std::string> reasons;
  std::vector<std::string> scores;  ///< lines of `heed evaluate`
  double text_tokens = 0, tokens_per_second = 0;
  int64_t train = 0, valid = 0, test = 0;  ///< pairs
};

Json decision(const MakeResult& result, const std::string& name) {
  return result.record.decision(name, [] { return Json(); });
}

Facts facts_of(const MakeResult& result) {
  const Json model = decision(result, "model"), size = decision(result, "size"), text = decision(result, "text");
  return {.plan = read_json<TrainingPlan>(JsonMembers(model["plan"])),
          .training = read_training_facts(result.options.model),
          .reasons = model["reasons"].get<std::vector<std::string>>(),
          .scores = read_lines(result.commands.made("scores.txt")),
          .text_tokens = size["text-tokens"],
          .tokens_per_second = size["tokens-per-second"],
          .train = text["train"],
          .valid = text["valid"],
          .test = text["test"]};
}

/// "BLEU" and "37.8 ± 1.0" of "BLEU|nrefs:1|... = 37.8 (μ = 37.8 ± 1.0) ...".
struct Score {
  std::string name, value;
};
Score score_of(const std::string& line) {
  const size_t equal = line.find(" = "), bar = line.find('|');
  if (equal == std::string::npos || bar == std::string::npos) return {};
  const size_t space = line.rfind(' ', bar);
  const size_t begin = space == std::string::npos ? 0 : space + 1;
  std::string value = line.substr(equal + 3, line.find(' ', equal + 3) - equal - 3);
  const size_t margin = line.find("± ");
  if (margin != std::string::npos) value += " " + line.substr(margin, line.find(')', margin) - margin);
  return {.name = line.substr(begin, bar - begin), .value = value};
}

std::string tiles(const MakeResult& result, const Facts& facts) {
  std::string text = "<div class=\"tiles\">\n";
  size_t shown = 0;
  for (const std::string& line : facts.scores) {
    const Score score = score_of(line);
    if (!score.name.empty() && shown++ < 2) text += tile(score.value, score.name + " on the test text, 95% interval");
  }
  text += tile(format_count(facts.train), fmt::format("training pairs, of {} given", format_count(result.input.pairs)));
  text += tile(fmt::format("{:.1f} million", facts.training.parameters / 1e6),
               fmt::format("parameters, the size {}", facts.plan.size));
  text += tile(format_count(static_cast<int64_t>(facts.training.steps)),
               fmt::format("training steps, {:.1f} passes over the text", facts.training.epochs));
  text += tile(format_duration(result.record.seconds()),
               "of " + format_duration(3600 * result.options.hours) + " for everything");
  return text + "</div>\n";
}

std::string what_was_done(const MakeResult& result) {
  std::string rows;
  for (const StageRecord& stage : result.record.stages()) {
    rows += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td><pre>{}</pre></td></tr>\n", escaped(stage.name),
                        format_duration(stage.seconds), escaped(stage.command));
  }
  return "<p class=\"faint\">Each stage is an ordinary command, which you can run yourself.</p><div "
         "class=\"scroll\"><table><tr><th>stage</th><th class=\"n\">time</th><th>command</th></tr>\n" +
         rows + "</table></div>";
}

/// How many pairs each filter removed.
std::string removed(const MakeResult& result) {
  std::map<std::string, int64_t> reasons;
  int64_t pairs = 0;
  LineReader log(result.commands.made("removed.jsonl"), InvalidText::Keep);
  for (std::string line; log.next(line); ++pairs) {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) continue;
    for (const Json& reason : json["reasons"]) ++reasons[reason.get<std::string>()];
  }
  std::vector<std::string> counts;
  for (const auto& [reason, count] : reasons) counts.push_back(fmt::format("{} {}", reason, format_count(count)));
  return fmt::format(
      "<p>{} of {} pairs were removed{}. A pair may have several reasons. <a href=\"make/data.html\">The report</a> shows "
      "examples; <code>heed data restore --log {}</code> puts pairs back.</p><p>Of the rest, {} are training text, {} "
      "validation text and {} test text.</p>",
      format_count(pairs), format_count(result.input.pairs),
      counts.empty() ? "" : ": " + escaped(listed(counts, "and")), escaped(result.commands.made("removed.jsonl")),
      format_count(decision(result, "text")["train"]), format_count(decision(result, "text")["valid"]),
      format_count(decision(result, "text")["test"]));
}

std::string sizes(const Facts& facts) {
  std::string rows;
  for (const ModelSize& size : kModelSizes) {
    const double needed = needed_tokens(size, facts.text_tokens);
    const auto count = [](double value) { return value > 0 ? format_count(static_cast<int64_t>(value)) : "any"; };
    rows += fmt::format(
        "<tr><td>{}{}</td><td class=\"n\">{}</td><td class=\"n\">{} + {}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        size.name, size.name == facts.plan.size ? " (chosen)" : "", size.width, size.layers, size.layers,
        count(size.text_tokens), count(needed));
  }
  return "<div class=\"scroll\"><table><tr><th>size</th><th class=\"n\">width</th><th class=\"n\">layers</th><th "
         "class=\"n\">needs target tokens of text</th><th class=\"n\">and of training</th></tr>\n" +
         rows + "</table></div>";
}

std::string translations(const MakeResult& result) {
  constexpr size_t kShown = 8;
  const std::vector<std::string> source = read_lines(result.commands.source("test"), InvalidText::Replace);
  const std::vector<std::string> reference = read_lines(result.commands.target("test"), InvalidText::Replace);
  const std::vector<std::string> made =
      read_lines(result.commands.made("test." + result.input.target_ending), InvalidText::Replace);
  const size_t lines = std::min({source.size(), reference.size(), made.size()});
  std::string text;
  for (size_t i = 0; i < std::min(kShown, lines); ++i) {
    const size_t line = i * lines / std::min(kShown, lines);
    text += fmt::format(
        "<div class=\"pair\"><small>line {}</small><div>{}</div><div><b>{}</b></div><div><small>reference: "
        "{}</small></div></div>\n",
        line + 1, escaped(source[line]), escaped(made[line]), escaped(reference[line]));
  }
  return text + "<p><a href=\"make/evaluation.html\">All test sentences</a>, the worst first.</p>";
}

/// The size that the rule chooses for more time or more text. Only a guess: a larger size is slower than this one.
const ModelSize& size_with(double text_tokens, double seen_tokens) {
  const ModelSize* chosen = kModelSizes.data();
  for (const ModelSize& size : kModelSizes) {
    const double slower = static_cast<double>(size.width * size.layers * size.width) /
                          static_cast<double>(kModelSizes[0].width * kModelSizes[0].layers * kModelSizes[0].width);
    if (has_text_for(size, text_tokens) && seen_tokens / slower >= needed_tokens(size, text_tokens)) chosen = &size;
  }
  return *chosen;
}

std::vector<std::string> outlook(const MakeResult& result, const Facts& facts) {
  std::vector<std::string> advice;
  const auto& validations = facts.training.validations;
  const auto loss = validations.empty() ? 0.0 : validations.back().scores.at("loss");
  const auto best = std::ranges::find_if(validations.rbegin(), validations.rend(), &TrainingFacts::Validation::best);
  const bool last_is_best = best == validations.rbegin();
  if (!last_is_best) {
    advice.emplace_back(
        "The validation score stopped rising before the end: more of the same time brings little, more text "
        "brings more.");
  } else if (facts.training.train_loss > 0 && loss > facts.training.train_loss + 0.3) {
    advice.push_back(fmt::format(
        "The loss is {:.2f} on the validation text and {:.2f} on the training text: the model knows its text better than "
        "new text. More text would help most.",
        loss, facts.training.train_loss));
  } else if (facts.training.train_loss > 0) {
    advice.push_back(fmt::format(
        "The loss is {:.2f} on the validation text and {:.2f} on the training text: the text has more to teach. More time "
        "would help most.",
        loss, facts.training.train_loss));
  }
  const double seen = facts.tokens_per_second * 3600 * result.options.hours;
  for (const double factor : {2.0, 8.0}) {
    const ModelSize& size = size_with(facts.text_tokens, factor * seen);
    advice.push_back(fmt::format("With {:g} hours, the rule would probably choose the size {} ({} wide).",
                                 factor * result.options.hours, size.name, size.width));
    if (size.name != facts.plan.size) break;
  }
  if (facts.train < 10'000) {
    advice.emplace_back(
        "With fewer than about 10,000 pairs, fine-tuning a model that someone else has trained is better than "
        "a new model: docs/guide/fine-tuning.md.");
  }
  if (facts.test < 500) {
    advice.emplace_back("The test text is small, so its scores are uncertain: see their intervals.");
  }
  return advice;
}

std::string scores(const Facts& facts) {
  std::string text;
  for (const std::string& line : facts.scores) text += escaped(line) + '\n';
  return "<pre>" + text + "</pre>";
}

}  // namespace

std::string make_page(const MakeResult& result) {
  const Facts facts = facts_of(result);
  const std::string name = std::filesystem::path(result.options.model).lexically_normal().filename();
  const std::string title = escaped(name.empty() ? result.options.model : name);
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
             "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
             "<h1>{0}</h1>\n",
             title, kStyle) +
         tiles(result, facts) +
         section("Use it", "<pre>" + escaped(shell_line({"translate", "--model", result.options.model})) +
                               " &lt; your-text &gt; translations</pre>") +
         section("Scores on the test text", scores(facts)) +
         section("Translations of the test text", translations(result)) +
         section("What more text or time would bring", list_of(outlook(result, facts))) +
         section("The text", removed(result)) +
         section("Why this model", sizes(facts) + list_of(facts.reasons) +
                                       "<p><a href=\"report.html\">The page of the training</a> has its curves.</p>") +
         section("What was done", what_was_done(result)) + "</body>\n</html>\n";
}

}  // namespace heed::apps::make
