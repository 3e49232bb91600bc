#include "heed/engine/forced_scores.h"

#include <algorithm>
#include <numeric>

#include "heed/engine/engine_run.h"
#include "heed/text/tokenizer.h"

namespace heed::engine {
namespace {

/// The indices of the targets, longest first, so that finished targets are last.
std::vector<size_t> longest_first(std::span<const ForcedTarget> targets) {
  std::vector<size_t> places(targets.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::ranges::stable_sort(places, std::greater{}, [&](size_t place) { return targets[place].target.size(); });
  return places;
}

/// The token after the first `length` ones.
int32_t token_behind(std::span<const int32_t> target, size_t length) {
  return length < target.size() ? target[length] : text::kEos;
}

void keep_first(EngineRun& run, size_t sentences) {
  std::vector<int64_t> kept(sentences);
  std::iota(kept.begin(), kept.end(), int64_t{0});
  run.select(kept, std::vector<int32_t>(sentences, 0));
}

}  // namespace

std::vector<std::vector<float>> score_targets(const Engine& engine, std::span<const ForcedTarget> targets) {
  std::vector<std::vector<float>> scores(targets.size());
  if (targets.empty()) return scores;
  const std::vector<size_t> places = longest_first(targets);
  Sources sources;
  for (const size_t place : places) sources.add(targets[place].source);
  EngineRun run(engine);
  run.start(sources, 1, false);
  Output::Scratch scratch(engine.precision());
  std::vector<int32_t> tokens(places.size(), text::kBos);
  std::vector<float> found(places.size());
  const size_t longest = targets[places.front()].target.size();
  for (size_t length = 0; length <= longest; ++length) {
    const Rows& hidden = run.step(tokens);
    for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = token_behind(targets[places[i]].target, length);
    engine.output().score(hidden, tokens, scratch, found);
    for (size_t i = 0; i < tokens.size(); ++i) scores[places[i]].push_back(found[i]);
    const auto going_on = static_cast<size_t>(std::ranges::count_if(
        std::span(places).first(tokens.size()), [&](size_t place) { return targets[place].target.size() > length; }));
    if (going_on > 0 && going_on < tokens.size()) keep_first(run, going_on);
    tokens.resize(going_on);
  }
  return scores;
}

}  // namespace heed::engine
