// A program outside heed's tree: translates a line with a model, tells what each of the translation's words looks at,
// and scores the translation. docs/guide/library.md has it as its example.
#include <heed/heed.h>
#include <heed/metrics/chrf.h>
#include <heed_torch/api/use_torch.h>

#include <cstdio>
#include <string>
#include <vector>

int main(int, char** arguments) {
  heed::use_torch();  // for the score
  const std::string directory = arguments[1];
  const std::vector<std::string> lines{arguments[2]};
  try {
    const heed::Translator translator = heed::Translator::open(directory);
    heed::TranslateRequest request = translator.usual_request();
    request.keep.attention = true;
    const heed::Translation best = translator.translate(lines, request)[0];
    std::printf("%s\n", best.text.c_str());

    const heed::Alignment words = word_alignment(best);
    for (const auto& [source, target] : words.links()) {
      std::printf("%s looks at %s: %.2f\n", words.target[target].c_str(), words.source[source].c_str(),
                  words.weights[target][source]);
    }
    const heed::ScoredTranslation scored = translator.score(lines, std::vector{best.text})[0];
    std::printf("log p = %.1f\n", scored.log_probability);
    const auto references = heed::metrics::References::from_files({{best.text}});
    std::printf("chrF = %.0f\n", heed::metrics::Chrf().corpus_score(std::vector{best.text}, references).value);
  } catch (const heed::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_code();
  }
}
