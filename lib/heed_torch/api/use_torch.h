// Lets heed::Translator use LibTorch.
#pragma once

namespace heed {

/// From now on heed::Translator and `heed translate` in this process use LibTorch for all that the inference engine
/// does not do. Call it once, before the first model is opened.
void use_torch();

}  // namespace heed
