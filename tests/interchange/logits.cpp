// Prints what tests against other toolkits compare: the pieces of a model's target vocabulary, a line of JSON, then for
// each line `[SOURCE, TARGET]` of standard input the ids of both and the logits of every position, one line of JSON.
#include <iostream>
#include <string>

#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include "heed_torch/config/model_directory.h"

namespace {

using heed::text::Ids;

at::Tensor row(const Ids& ids) {
  return torch::tensor(std::vector<int64_t>(ids.begin(), ids.end()), at::kLong).unsqueeze(0);
}

nlohmann::json pieces(const heed::text::Tokenizer& tokenizer) {
  nlohmann::json list = nlohmann::json::array();
  for (int32_t id = 0; id < tokenizer.size(); ++id) list.push_back(tokenizer.piece(id));
  return list;
}

nlohmann::json logits_of(heed::config::OpenedModel& opened, const std::string& source, const std::string& target) {
  Ids read = opened.tokenizers.source->encode(source), written = opened.tokenizers.target->encode(target);
  read.push_back(heed::text::kEos);
  Ids given = written;
  given.insert(given.begin(), heed::text::kBos);
  const auto memory = opened.model->encode(row(read));
  const at::Tensor hidden = opened.model->decoder->forward(row(given), &memory).hidden;
  const at::Tensor logits = opened.model->logits(hidden).squeeze(0).contiguous();
  nlohmann::json rows = nlohmann::json::array();
  for (int64_t i = 0; i < logits.size(0); ++i) {
    const float* begin = logits[i].const_data_ptr<float>();
    rows.push_back(std::vector<float>(begin, begin + logits.size(1)));
  }
  return {{"source", read}, {"target", written}, {"logits", rows}};
}

}  // namespace

int main(int, char** arguments) {
  const torch::NoGradGuard no_grad;
  auto opened = heed::config::open_model(arguments[1], "", at::kCPU);
  std::cout << nlohmann::json{{"source", pieces(*opened.tokenizers.source)},
                              {"target", pieces(*opened.tokenizers.target)}}
            << '\n';
  for (std::string line; std::getline(std::cin, line);) {
    const nlohmann::json pair = nlohmann::json::parse(line);
    std::cout << logits_of(opened, pair.at(0), pair.at(1)) << '\n';
  }
}
