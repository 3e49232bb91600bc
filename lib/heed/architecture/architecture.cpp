#include "heed/architecture/architecture.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::models {
namespace {

/// Checks that a decoder fits the encoder output that it reads.
struct DecoderValidator {
  const ArchitectureOptions& arch;
  MemoryShape memory;

  void operator()(const TransformerDecoderOptions& o) const {
    validate(o.stack, arch.d_model, "arch.decoder");
    if (!arch.has_encoder()) {
      if (!o.causal_mask) {
        throw ConfigError("arch.decoder.causal-mask",
                          "must be true without an encoder: a language model would see the words that it predicts");
      }
      if (o.cross == CrossAttentionOptions{}) return;
      const bool is_alignment = std::holds_alternative<SameAsSelfAttention>(o.cross.attention);
      throw ConfigError(fmt::format("arch.decoder.cross.{}", is_alignment ? "alignment-layer" : "attention"),
                        "does not apply without an encoder");
    }
    validate_alignment(o);
    validate(o.cross_attention(), arch.d_model, "arch.decoder.cross");
    validate(o.stack, o.cross_attention(), "arch.decoder");
    if (std::holds_alternative<nn::ParameterFree>(o.cross_attention()) && memory.d_memory != arch.d_model) {
      throw ConfigError("arch.decoder.cross.attention",
                        fmt::format("parameter-free needs an encoder whose states have the width of arch.d-model "
                                    "({}), found {}",
                                    arch.d_model, memory.d_memory));
    }
  }

  static void validate_alignment(const TransformerDecoderOptions& o) {
    const auto require = [](const char* name, std::optional<int64_t> place, int64_t count, const char* unit) {
      if (!place || *place <= count) return;
      throw ConfigError(name, fmt::format("must be at most {}, the number of {}, but is {}", count, unit, *place));
    };
    require("arch.decoder.cross.alignment-layer", o.cross.alignment_layer, o.stack.layers, "decoder layers");
    require("arch.decoder.cross.alignment-head", o.cross.alignment_head, nn::heads_of(o.cross_attention()),
            "heads of the attention to the source");
  }

  void operator()(const RnnDecoderOptions& o) const {
    validate(o.stack, "arch.decoder");
    if (const auto* before = std::get_if<AttentionBeforeCell>(&o.attention)) {
      if (before->every_layer && o.stack.layers == 1) {
        throw ConfigError("arch.decoder.context-to-every-layer", "has no effect with one layer");
      }
      validate_attend(before->attend, o.stack.hidden);
    }
    if (const auto* after = std::get_if<AttentionAfterCell>(&o.attention)) {
      validate_attend(after->attend, o.stack.hidden);
    }
    validate_readout(o);
    arch.has_encoder() ? validate_initial_state(o) : validate_language_model(o);
  }

  void operator()(const ConvolutionDecoderOptions&) const {}
  void operator()(const NoDecoderOptions&) const {}

  void validate_attend(const nn::MemoryAttentionOptions& o, int64_t hidden) const {
    if (!std::holds_alternative<nn::NoCoverage>(o.coverage) && !std::holds_alternative<nn::AdditiveScore>(o.score)) {
      throw ConfigError("arch.decoder.coverage", "needs the additive score");
    }
    if (nn::is_static(o.score) && !std::holds_alternative<nn::SoftAttention>(o.function)) {
      throw ConfigError("arch.decoder.attention-function", "must be soft with the scores " +
                                                               nn::score_names(nn::is_static) +
                                                               ": there is nothing to learn to choose by");
    }
    const auto* hard = std::get_if<nn::HardAttention>(&o.function);
    if (hard && hard->expected_share == 1) {
      throw ConfigError("arch.decoder.expected-share",
                        "must be below 1, where no position is ever sampled: that is soft attention");
    }
    const bool samples = hard || std::holds_alternative<nn::GumbelAttention>(o.function);
    if (samples && std::holds_alternative<nn::PredictedWindow>(o.window)) {
      throw ConfigError("arch.decoder.attention-function",
                        "must be soft or sparsemax with the window local-p, which weights the "
                        "positions after they are chosen");
    }
    if (!nn::needs_equal_widths(o.score) || !arch.has_encoder() || memory.d_memory == hidden) return;
    throw ConfigError("arch.decoder.score",
                      fmt::format("{} compare vectors of one width, but arch.decoder.hidden is {} and the encoder's "
                                  "states have {}",
                                  nn::score_names(nn::needs_equal_widths), hidden, memory.d_memory));
  }

  void validate_readout(const RnnDecoderOptions& o) const {
    if (!std::holds_alternative<StateReadout>(o.readout)) return;
    if (std::holds_alternative<AttentionAfterCell>(o.attention)) {
      throw ConfigError("arch.decoder.readout", "must be tanh or maxout with attention after the cell");
    }
    if (o.stack.hidden != arch.d_model) {
      throw ConfigError(
          "arch.decoder.readout",
          fmt::format("state needs arch.decoder.hidden = arch.d-model, found {} and {}", o.stack.hidden, arch.d_model));
    }
  }

  void validate_initial_state(const RnnDecoderOptions& o) const {
    if (std::holds_alternative<ZeroState>(o.initial_state) && std::holds_alternative<NoMemoryAttention>(o.attention)) {
      throw ConfigError("arch.decoder.initial-state",
                        "must not be zero without attention: the decoder would not see the source");
    }
    const bool last = std::holds_alternative<LastState>(o.initial_state);
    if (memory.last.empty() && (last || std::holds_alternative<BridgeState>(o.initial_state))) {
      throw ConfigError("arch.decoder.initial-state", "must be mean or zero with an encoder that is not recurrent");
    }
    if (!last) return;
    const std::vector<int64_t> own(static_cast<size_t>(o.stack.layers), o.stack.hidden);
    if (memory.last != own || memory.cells != (o.stack.cell == nn::CellKind::Lstm)) {
      throw ConfigError("arch.decoder.initial-state",
                        "last needs encoder and decoder of the same layers, widths (both directions together) and "
                        "kind of cell; bridge does not");
    }
  }

  static void validate_language_model(const RnnDecoderOptions& o) {
    if (!std::holds_alternative<NoMemoryAttention>(o.attention)) {
      throw ConfigError("arch.decoder.attention", "must be none without an encoder");
    }
    if (!std::holds_alternative<ZeroState>(o.initial_state)) {
      throw ConfigError("arch.decoder.initial-state", "must be zero without an encoder");
    }
  }
};

template <class Function>
bool has_function(const ArchitectureOptions& o) {
  const nn::MemoryAttentionOptions* attention = recurrent_attention(o);
  return attention && std::holds_alternative<Function>(attention->function);
}

/// The limit of an encoder or decoder; default: none.
template <class Coder>
std::optional<int64_t> limit_of(const Coder& coder) {
  if constexpr (requires { max_length(coder); }) return max_length(coder);
  return std::nullopt;
}

struct DecoderLister {
  int64_t d_model;
  const MemoryShape& memory;
  const ParameterList& list;

  void operator()(const NoDecoderOptions&) const {}
  void operator()(const RnnDecoderOptions& o) const { list_parameters(o, d_model, memory, list); }
  template <class Decoder>
  void operator()(const Decoder& o) const {
    list_parameters(o, d_model, memory.d_memory, list);
  }
};

void validate_head(const ArchitectureOptions& o) {
  const bool has_head = !std::holds_alternative<NoHeadOptions>(o.head.type);
  if (has_head && o.has_decoder()) {
    throw ConfigError("arch.head.type", "must be none with a decoder, which writes text");
  }
  if (!has_head && !o.has_decoder()) {
    throw ConfigError("arch.decoder.type", "cannot be none without a head (`arch.head.type`)");
  }
  if (!has_head) return;
  if (!o.has_encoder()) throw ConfigError("arch.encoder.type", "cannot be none: a head stands on an encoder");
  if (o.tied_embeddings != TiedEmbeddings::None) {
    throw ConfigError("arch.tied-embeddings", "must be none with a head: labels and numbers have no embedding");
  }
}

/// Checks the stacks of Transformer layers whose branches begin with zeros.
void validate_zero_branches(const ArchitectureOptions& o) {
  const auto refuse = [](const char* why) { throw ConfigError("arch.initialization.zero-branches", why); };
  bool has_stack = false;
  const auto check_stack = [&]<class Part>(const Part& part) {
    if constexpr (requires { part.stack.norm_order; }) {
      has_stack = true;
      if (!part.stack.residual) refuse("must be false without residual connections: a layer would pass on nothing");
    }
  };
  std::visit(check_stack, o.encoder.type);
  std::visit(check_stack, o.decoder.type);
  if (!has_stack) refuse("has an effect only on Transformers");
}

}  // namespace

bool has_dropout(const ArchitectureOptions& o) {
  const auto drops = []<class Part>(const Part& part) {
    if constexpr (requires { part.output_dropout; }) {
      if (part.output_dropout > 0) return true;
    }
    if constexpr (requires { part.stack.attention_dropout; }) {
      return part.stack.attention_dropout > 0 || part.stack.query_key_value_dropout > 0 ||
             part.stack.feed_forward.activation_dropout > 0;
    } else {
      return false;
    }
  };
  return o.dropout > 0 || o.word_dropout > 0 || std::visit(drops, o.encoder.type) || std::visit(drops, o.decoder.type);
}

bool has_hard_attention(const ArchitectureOptions& o) { return has_function<nn::HardAttention>(o); }

bool draws_at_random(const ArchitectureOptions& o) {
  return has_dropout(o) || has_hard_attention(o) || has_function<nn::GumbelAttention>(o);
}

double ArchitectureOptions::embedding_factor() const {
  return embedding_scale ? std::sqrt(static_cast<double>(d_model)) : 1;
}

MemoryShape memory_shape(const ArchitectureOptions& o, int64_t vocabulary) {
  const auto shape_of = [&](const auto& encoder) {
    if constexpr (requires { memory_shape(encoder, o.d_model); }) {
      return memory_shape(encoder, o.d_model);
    } else {
      return MemoryShape{.d_memory = o.d_model};
    }
  };
  MemoryShape shape = std::visit(shape_of, o.encoder.type);
  shape.vocabulary = vocabulary;
  return shape;
}

const nn::MemoryAttentionOptions* recurrent_attention(const ArchitectureOptions& o) {
  const auto* decoder = std::get_if<RnnDecoderOptions>(&o.decoder.type);
  return decoder == nullptr ? nullptr : memory_attention_of(decoder->attention);
}

bool has_source_attention(const ArchitectureOptions& o) {
  const bool recurrent = std::holds_alternative<RnnDecoderOptions>(o.decoder.type);
  return o.has_encoder() && (!recurrent || recurrent_attention(o) != nullptr);
}

std::optional<int64_t> max_source_length(const ArchitectureOptions& o) {
  const auto of_encoder = std::visit([](const auto& encoder) { return limit_of(encoder); }, o.encoder.type);
  const nn::MemoryAttentionOptions* attention = recurrent_attention(o);
  const auto of_score = attention ? nn::max_source(attention->score) : std::nullopt;
  return of_encoder && of_score ? std::min(*of_encoder, *of_score) : of_encoder ? of_encoder : of_score;
}

std::optional<int64_t> max_target_length(const ArchitectureOptions& o) {
  return std::visit([](const auto& decoder) { return limit_of(decoder); }, o.decoder.type);
}

ParameterShapes parameter_shapes(const ArchitectureOptions& o, const VocabularySizes& sizes) {
  ParameterShapes shapes;
  const ParameterList model(shapes), encoder = model.module("encoder"), decoder = model.module("decoder");
  const MemoryShape memory = memory_shape(o, sizes.source);
  if (o.has_encoder() && o.tied_embeddings != TiedEmbeddings::All && sizes.source > 0) {
    encoder.tensor("embedding.weight", {sizes.source, o.d_model});
  }
  list_parameters(o.vectors, o.d_model, encoder.module("vectors"));
  const auto list_encoder = [&](const auto& options) {
    if constexpr (requires { list_parameters(options, o.d_model, encoder); }) {
      list_parameters(options, o.d_model, encoder);
    }
  };
  std::visit(list_encoder, o.encoder.type);
  if (o.has_decoder()) decoder.tensor("embedding.weight", {sizes.target, o.d_model});
  std::visit(DecoderLister{o.d_model, memory, decoder}, o.decoder.type);
  list_parameters(o.head, memory, sizes.target, model.module("head"));
  if (o.tied_embeddings == TiedEmbeddings::None) {
    const int64_t width = o.has_decoder() ? o.d_model : head_width(o.head, memory);
    model.tensor("output.weight", {sizes.target, width});
  }
  if (o.output_bias) model.tensor("output.bias", {sizes.target});
  return shapes;
}

void validate(const ArchitectureOptions& o) {
  validate(o.vectors, o.d_model);
  if (o.vectors.any() && !o.has_encoder()) {
    throw ConfigError("arch.vectors.type", "must be none without an encoder: a language model has no source");
  }
  const auto validate_encoder = [&](const auto& encoder) {
    if constexpr (requires { validate(encoder, o.d_model); }) validate(encoder, o.d_model);
  };
  std::visit(validate_encoder, o.encoder.type);
  std::visit(DecoderValidator{o, memory_shape(o)}, o.decoder.type);
  validate_head(o);
  if (o.initialization.zero_branches) validate_zero_branches(o);
  if (o.tied_embeddings == TiedEmbeddings::All && !o.has_encoder()) {
    throw ConfigError("arch.tied-embeddings", "must be none or decoder without an encoder, found all");
  }
}

void validate(const ArchitectureOptions& o, const VocabularySizes& sizes) {
  validate(o);
  if (o.tied_embeddings == TiedEmbeddings::All && sizes.source == 0) {
    throw ConfigError("arch.tied-embeddings", "must be none or decoder if the source is not text, found all");
  }
  if (o.has_encoder() && sizes.source == 0 && !o.vectors.any()) {
    throw ConfigError("arch.vectors.type", "cannot be none if the source is not text");
  }
  if (o.tied_embeddings == TiedEmbeddings::All && sizes.source != sizes.target) {
    throw ConfigError("arch.tied-embeddings",
                      fmt::format("all needs one vocabulary for both languages, found {} source and {} target entries",
                                  sizes.source, sizes.target));
  }
}

}  // namespace heed::models
