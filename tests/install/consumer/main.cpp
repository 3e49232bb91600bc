// A program outside heed's tree: scores a text against itself, and translates a line with a model.
#include <heed/config/model_directory.h>
#include <heed/metrics/bleu/bleu.h>
#include <heed/translation/logits_model.h>
#include <heed/translation/translator.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

int main(int, char** arguments) {
  const heed::metrics::Bleu bleu;
  const std::vector<std::string> text{"the cat sat on the mat", "a second line of text"};
  const auto score = bleu.corpus_score(text, heed::metrics::References::from_files({text}));
  std::printf("BLEU %.0f\n", score.value);

  const auto opened = heed::config::open_model(arguments[1], "", at::kCPU);
  const auto& search = opened.options.search;
  const heed::translation::Translator translator(
      std::make_shared<heed::translation::LogitsModel>(opened.model, at::kCPU), opened.tokenizers, search.search,
      search.translator);
  for (const auto& translation : translator.translate(std::vector<std::string>{arguments[2]})) {
    std::printf("%s\n", translation.text.c_str());
  }
}
