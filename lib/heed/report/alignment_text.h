// Alignments as text, one record per pair: formats for programs, and block characters for a terminal.
#pragma once

#include <span>
#include <string>

#include "heed/report/source_attention_map.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// "0-0 1-2": the Pharaoh format. The source word comes first; words count from 0.
std::string pharaoh(std::span<const text::Link> links);
/// "0.9,0.1 0.2,0.8": the weights of each target word over the source words, in Marian's format of soft alignments.
std::string soft_weights(const text::AlignmentWeights& weights);
/// One JSON object on one line: "source" and "target" (the words), "links" ([source, target]), "weights"
/// ([target][source]) and, if there are any, "heads" ([layer][head][target][source]).
std::string alignment_json(const text::Alignment& alignment, std::span<const text::Link> links);
/// The same for an item:
/// - "target": the words.
/// - "rows" and "columns" of the encoder positions. "step" and "begin": position i of a side covers the pixels or
///   frames from begin + i * step.
/// - "attention": [target][rows * columns].
/// - If the source has text too: "source" and "weights" ([target][source]).
/// - With channel attention: "channel_attention" ([layer][feature map]).
/// - With spatial attention: "spatial_attention", per layer an object of "rows", "columns", "step", "begin" and
///   "attention" ([rows * columns]).
std::string item_json(const SourceAttentionMap& map);
/// An image of block characters: one row per target word, two characters wide per source word. Each line ends in a line
/// feed. A pair without words gives an empty string.
std::string alignment_blocks(const text::Alignment& alignment);

}  // namespace heed::report
