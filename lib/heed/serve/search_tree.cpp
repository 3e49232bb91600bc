#include "heed/serve/search_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "heed/api/translation_json.h"
#include "heed/serve/parameters.h"
#include "heed/text/tokenizer.h"

namespace heed::serve {

/// Passes everything on and keeps what the search chose.
class RecordedSearch::Beam : public search::BeamModel {
 public:
  Beam(std::unique_ptr<search::BeamModel> model, std::vector<SearchNode>& nodes)
      : model_(std::move(model)), nodes_(nodes) {}

  int64_t vocab_size() const override { return model_->vocab_size(); }
  int64_t max_length() const override { return model_->max_length(); }

  void start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) override {
    nodes_.clear();
    beam_ = static_cast<size_t>(beam);
    parents_.clear();
    last_.clear();
    model_->start(sources, beam, attention);
  }

  void step(const search::StepRequest& request, search::Continuations& found) override {
    add_nodes(request);
    model_->step(request, found);
    keep_probabilities(request, found);
  }

  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) override {
    parents_.assign(parents.begin(), parents.end());
    model_->select(sentences, parents);
  }
  void join(std::span<const search::SourceSentence> sources) override { model_->join(sources); }

 private:
  /// The hypotheses that this step reads are those that the last one chose.
  void add_nodes(const search::StepRequest& request) {
    const size_t live = request.live.empty() ? beam_ : static_cast<size_t>(request.live.front());
    std::vector<int64_t> now;
    for (size_t i = 0; i < live; ++i) {
      SearchNode node{.token = request.tokens[i]};
      if (!last_.empty()) {
        const size_t place = parents_.empty() ? i : static_cast<size_t>(parents_[i]);
        node.parent = last_[place];
        node.step = nodes_[static_cast<size_t>(node.parent)].step + 1;
        node.log_probability =
            nodes_[static_cast<size_t>(node.parent)].log_probability + log_probability_of(place, node.token);
      }
      now.push_back(std::ssize(nodes_));
      nodes_.push_back(node);
    }
    last_ = std::move(now);
    parents_.clear();
  }

  void keep_probabilities(const search::StepRequest& request, const search::Continuations& found) {
    choices_.assign(last_.size(), {});
    for (size_t i = 0; i < last_.size(); ++i) {
      const size_t first = i * static_cast<size_t>(request.count);
      for (size_t j = first; j < first + static_cast<size_t>(request.count) && j < found.tokens.size(); ++j) {
        choices_[i].emplace_back(found.tokens[j], found.log_probabilities[j]);
      }
      if (request.asked == nullptr) continue;
      const auto asked = request.asked->of(i);
      for (size_t j = 0; j < asked.size(); ++j) {
        choices_[i].emplace_back(asked[j], found.asked[request.asked->begin(i) + j]);
      }
    }
  }

  double log_probability_of(size_t hypothesis, int32_t token) const {
    const auto& choices = choices_[hypothesis];
    const auto found = std::ranges::find(choices, token, &std::pair<int32_t, float>::first);
    return found == choices.end() ? -std::numeric_limits<double>::infinity() : static_cast<double>(found->second);
  }

  std::unique_ptr<search::BeamModel> model_;
  std::vector<SearchNode>& nodes_;
  size_t beam_ = 1;
  std::vector<int32_t> parents_;                                 // of the beam after the last step; empty: each its own
  std::vector<int64_t> last_;                                    // the nodes of the last step
  std::vector<std::vector<std::pair<int32_t, float>>> choices_;  // that the last step offered each of them
};

std::unique_ptr<search::BeamModel> RecordedSearch::begin_search() const {
  return std::make_unique<Beam>(model_->begin_search(), nodes_);
}

std::optional<int64_t> RecordedSearch::find(std::span<const int32_t> tokens) const {
  for (int64_t node = std::ssize(nodes_) - 1; node >= 0; --node) {
    if (nodes_[static_cast<size_t>(node)].step != std::ssize(tokens)) continue;
    int64_t at = node;
    auto token = tokens.rbegin();
    while (token != tokens.rend() && nodes_[static_cast<size_t>(at)].token == *token) {
      at = nodes_[static_cast<size_t>(at)].parent;
      ++token;
    }
    if (token == tokens.rend()) return node;
  }
  return std::nullopt;
}

nlohmann::ordered_json search_tree(const ServedModel& model, TranslationSettings settings,
                                   const translation::SourceLine& line) {
  using Json = nlohmann::ordered_json;
  if (!model.has_beam_search()) throw RequestError(400, "`search` needs beam search: this model samples");
  const text::Tokenizer& target = *model.tokenizers().target;
  const auto recorded = std::make_shared<RecordedSearch>(model.model());
  settings.n_best = model.beam(settings);
  const auto translator = model.translator(settings, recorded);
  const translation::Translation best = translator.translate({&line, 1}).front();
  if (best.parts != 1) throw RequestError(400, "`search` needs one line that the model translates whole");
  Json nodes = Json::array(), finished = Json::array();
  for (const SearchNode& node : recorded->nodes()) {
    nodes.push_back({{"token", target.piece(node.token)},
                     {"parent", node.parent},
                     {"step", node.step},
                     {"log_probability", api::rounded_score(node.log_probability)}});
  }
  const auto add = [&](const translation::Translation& one) {
    text::Ids ids = model.tag_of(settings);
    ids.insert(ids.end(), one.target.begin(), one.target.end());
    const auto node = recorded->find(ids);
    if (!node) return;
    finished.push_back({{"node", *node},
                        {"translation", one.text},
                        {"log_probability", api::rounded_score(one.log_probability)},
                        {"score", api::rounded_score(one.score)}});
  };
  add(best);
  for (const translation::Translation& other : best.others) add(other);
  return {{"nodes", std::move(nodes)}, {"finished", std::move(finished)}};
}

}  // namespace heed::serve
