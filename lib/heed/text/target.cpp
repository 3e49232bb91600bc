#include "heed/text/target.h"

#include <algorithm>

namespace heed::text {
namespace {

struct Length {
  int64_t operator()(const Ids& tokens) const { return std::ssize(tokens); }
  int64_t operator()(const ClassLabel&) const { return 1; }
  int64_t operator()(const WordLabels& words) const { return std::ssize(words.labels); }
  int64_t operator()(const Numbers& numbers) const { return std::ssize(numbers.values); }
};

struct Predictions {
  int64_t operator()(const Ids& tokens) const { return std::ssize(tokens) + 1; }
  int64_t operator()(const ClassLabel& label) const { return Length{}(label); }
  int64_t operator()(const Numbers& numbers) const { return Length{}(numbers); }
  int64_t operator()(const WordLabels& words) const {
    return std::ssize(words.labels) - std::ranges::count(words.labels, kNoLabel);
  }
};

}  // namespace

int64_t length(const Target& target) { return std::visit(Length{}, target); }

int64_t predictions(const Target& target) { return std::visit(Predictions{}, target); }

}  // namespace heed::text
