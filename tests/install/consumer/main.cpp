// A program outside heed's tree: scores a text against itself and builds a small model.
#include <heed/metrics/bleu/bleu.h>
#include <heed/models/model.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  const heed::metrics::Bleu bleu;
  const std::vector<std::string> text{"the cat sat on the mat", "a second line of text"};
  const auto score = bleu.corpus_score(text, heed::metrics::References::from_files({text}));
  std::printf("BLEU %.0f\n", score.value);

  heed::models::ArchitectureOptions options;
  options.d_model = 16;
  const auto model = heed::models::build_model(options, {.source = 10, .target = 10}, 1);
  return model->parameters().empty() ? 1 : 0;
}
