// What another toolkit cannot hold of a model, as one line that names it.
#pragma once

#include <string>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"

namespace heed::interchange {

/// what() reads "DIRECTORY: has WHAT, which FORMAT cannot hold".
class Refusal : public CheckpointError {
 public:
  Refusal(const std::string& directory, const std::string& what, const std::string& format);
  /// WHAT: "another norm order than post (`arch.encoder.norm-order`)".
  const std::string& obstacle() const { return obstacle_; }

 private:
  std::string obstacle_;
};

struct Target {
  std::string directory;  ///< of the model
  std::string format;     ///< "MarianMT of transformers"

  /// Throws Refusal.
  [[noreturn]] void refuse(const std::string& what) const;
  void refuse_if(bool is_so, const std::string& what) const {
    if (is_so) refuse(what);
  }
};

/// The stacks of a Transformer that translates text.
struct Stacks {
  const models::TransformerOptions* encoder;
  const models::TransformerOptions* decoder;
  nn::AttentionKind cross;  ///< the decoder's attention to the source
};
/// Throws Refusal if the model is not such a Transformer.
Stacks require_transformer(const models::ArchitectureOptions& arch, const Target& target);

/// The heads of an attention. Throws Refusal if it is not multi-head. section: "arch.encoder".
int64_t require_heads(const nn::AttentionKind& kind, const std::string& section, const Target& target);

}  // namespace heed::interchange
