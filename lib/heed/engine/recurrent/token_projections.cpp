#include "heed/engine/recurrent/token_projections.h"

#include <algorithm>

namespace heed::engine {
namespace {

constexpr int64_t kNotKept = -1;
constexpr int64_t kKeptNumbers = 8 << 20;

}  // namespace

TokenProjections::TokenProjections(const RecurrentCell& cell, const EmbeddingTable& embedding, int64_t room)
    : cell_(cell),
      embedding_(embedding),
      width_(cell.projected_width()),
      room_(room > 0 ? room : std::max<int64_t>(kKeptNumbers / width_, 1)),
      slots_(static_cast<size_t>(embedding.weight.rows), kNotKept) {}

void TokenProjections::look_up(std::span<const int32_t> tokens, RecurrentCell::Scratch& scratch,
                               std::vector<const float*>& rows) {
  take_missing(tokens);
  if (kept_ + std::ssize(missing_) > room_) {
    std::ranges::fill(slots_, kNotKept);
    kept_ = 0;
    take_missing(tokens);
    room_ = std::max(room_, std::ssize(missing_));
  }
  make_missing(scratch);
  rows.clear();
  for (const int32_t token : tokens) rows.push_back(numbers_.data() + slots_[static_cast<size_t>(token)] * width_);
}

/// Lists the tokens that are not cached, without duplicates.
void TokenProjections::take_missing(std::span<const int32_t> tokens) {
  missing_.clear();
  for (const int32_t token : tokens) {
    if (slots_[static_cast<size_t>(token)] == kNotKept) missing_.push_back(token);
  }
  std::ranges::sort(missing_);
  missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
}

void TokenProjections::make_missing(RecurrentCell::Scratch& scratch) {
  numbers_.reserve(room_ * width_);
  if (missing_.empty()) return;
  embedded_.resize(std::ssize(missing_), embedding_.weight.columns);
  for (int64_t i = 0; i < embedded_.count(); ++i) {
    embedding_.look_up(missing_[static_cast<size_t>(i)], embedded_.row(i));
  }
  cell_.project(embedded_, scratch, projected_);
  for (int64_t i = 0; i < projected_.count(); ++i, ++kept_) {
    slots_[static_cast<size_t>(missing_[static_cast<size_t>(i)])] = kept_;
    std::copy_n(projected_.row(i), width_, numbers_.data() + kept_ * width_);
  }
}

}  // namespace heed::engine
