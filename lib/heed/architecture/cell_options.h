// The options of a recurrent cell: heed_torch/nn/recurrent/cell.h has the formulas.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace heed::nn {

enum class CellKind { Tanh, Relu, Lstm, Gru, GruCho };
constexpr auto option_names(CellKind) {
  using Name = std::pair<CellKind, std::string_view>;
  return std::array{Name{CellKind::Lstm, "lstm"}, Name{CellKind::Gru, "gru"}, Name{CellKind::GruCho, "gru-cho"},
                    Name{CellKind::Tanh, "tanh"}, Name{CellKind::Relu, "relu"}};
}
/// The number of gates (and candidates) whose weight matrices are stacked: 4 for lstm, 3 for both gru, 1 otherwise.
constexpr int64_t gates_of(CellKind kind) {
  switch (kind) {
    case CellKind::Lstm:
      return 4;
    case CellKind::Gru:
    case CellKind::GruCho:
      return 3;
    case CellKind::Tanh:
    case CellKind::Relu:
      break;
  }
  return 1;
}

struct RecurrentCellOptions {
  int64_t d_input;                 ///< width of x
  int64_t d_hidden;                ///< width of h
  CellKind kind = CellKind::Lstm;  ///< which formula
  int64_t d_extra = 0;             ///< width of a second input, often known only when its time step is reached; 0: no
                                   ///< second input
  bool memory_tape = false;        ///< read a mixture of all earlier states, not the last state
                                   ///< (heed_torch/nn/recurrent/memory_tape.h)
  bool layer_norm = false;
  bool operator==(const RecurrentCellOptions&) const = default;
};

enum class Direction { Forward, Backward, Both };

struct RecurrentLayerOptions {
  RecurrentCellOptions cell;  ///< one for each direction
  Direction direction = Direction::Forward;
  bool operator==(const RecurrentLayerOptions&) const = default;

  int64_t d_output() const { return direction == Direction::Both ? 2 * cell.d_hidden : cell.d_hidden; }
};

}  // namespace heed::nn
