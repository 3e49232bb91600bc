// Numbers as NumPy arrays, which own them.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "heed/text/alignment.h"

namespace heed::python {

template <class Number>
using Array = nanobind::ndarray<nanobind::numpy, Number>;

/// Of a property that gives such an array: nothing of the object that has the property.
inline constexpr auto kOwnsItself = nanobind::rv_policy::automatic;

template <class Number>
Array<Number> array_of(std::vector<Number> values, std::initializer_list<size_t> shape) {
  auto owned = std::make_unique<std::vector<Number>>(std::move(values));
  Number* data = owned->data();
  const nanobind::capsule owner(owned.release(),
                                [](void* held) noexcept { delete static_cast<std::vector<Number>*>(held); });
  return Array<Number>(data, shape, owner);
}

template <class Number>
Array<Number> array_of(std::vector<Number> values) {
  const size_t size = values.size();
  return array_of(std::move(values), {size});
}

/// float32 [targets, sources].
inline Array<float> array_of(const text::AlignmentWeights& weights) {
  std::vector<float> values;
  for (const auto& row : weights) values.insert(values.end(), row.begin(), row.end());
  return array_of(std::move(values), {weights.size(), weights.empty() ? 0 : weights[0].size()});
}

/// float32 [layers, heads, targets, sources].
inline Array<float> array_of(const text::HeadWeights& heads) {
  std::vector<float> values;
  for (const auto& layer : heads) {
    for (const auto& head : layer) {
      for (const auto& row : head) values.insert(values.end(), row.begin(), row.end());
    }
  }
  const auto& first = heads.at(0).at(0);
  return array_of(std::move(values),
                  {heads.size(), heads[0].size(), first.size(), first.empty() ? 0 : first[0].size()});
}

}  // namespace heed::python
