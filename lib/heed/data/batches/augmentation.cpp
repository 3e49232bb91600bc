#include "heed/data/batches/augmentation.h"

#include <utility>

#include "heed/core/random.h"

namespace heed::data {
namespace {

text::PairText text_of(int64_t pair, const EncodedPairs& from) {
  TextPair text = from.text(pair);
  return {.source = std::move(text.source), .target = std::move(text.target)};
}

}  // namespace

Augmentation::Augmentation(std::span<const std::string> rates)
    : rates_(text::perturbation_rates(rates, "data.augment")) {}

std::optional<text::PairText> Augmentation::changed(int64_t pair, const EncodedPairs& from, const Window& window,
                                                    uint64_t seed, int64_t epoch) const {
  RandomStream random(seed, Purpose::Augmentation, static_cast<uint64_t>(epoch), static_cast<uint64_t>(pair));
  return text::perturbed(
      rates_, [&] { return text_of(pair, from); },
      [&] { return text_of(window.begin + (pair - window.begin + 1) % window.size, from); }, random);
}

}  // namespace heed::data
