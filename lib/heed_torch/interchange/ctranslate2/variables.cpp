#include "heed_torch/interchange/ctranslate2/variables.h"

#include <array>

namespace heed::interchange {

std::span<const VariableEnding> variable_endings(PartKind kind) {
  static const std::array kMap{VariableEnding{".weight", "/weight"}, VariableEnding{".bias", "/bias"}};
  static const std::array kNorm{VariableEnding{".weight", "/gamma"}, VariableEnding{".bias", "/beta"}};
  static const std::array kRelative{VariableEnding{".keys", "_keys"}, VariableEnding{".values", "_values"}};
  switch (kind) {
    case PartKind::Map:
      return kMap;
    case PartKind::Norm:
      return kNorm;
    case PartKind::Relative:
      break;
  }
  return kRelative;
}

}  // namespace heed::interchange
