// Alignments as text, one record for each pair: formats for programs, and blocks for a terminal.
#pragma once

#include <span>
#include <string>

#include "heed/report/item_map.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// "0-0 1-2": the Pharaoh format, source word first, counted from 0.
std::string pharaoh(std::span<const text::Link> links);
/// "0.9,0.1 0.2,0.8": for each target word its weights over the source words, as Marian writes soft alignments.
std::string soft_weights(const text::AlignmentWeights& weights);
/// One object on one line: "source" and "target" (the words), "links" ([source, target]), "weights" ([target][source])
/// and, where there are any, "heads" ([layer][head][target][source]).
std::string alignment_json(const text::Alignment& alignment, std::span<const text::Link> links);
/// The same of an item: "target" (the words), "rows" and "columns" of the positions that the encoder read, "step" and
/// "begin" (position i of a side stands for the pixels or frames from begin + i * step on), "attention"
/// ([target][rows * columns]) and, where text stands beside it, "source" and "weights" ([target][source]). With channel
/// attention also "channel_attention" ([layer][feature map]), and with spatial attention "spatial_attention": for each
/// layer an object of "rows", "columns", "step", "begin" and "attention" ([rows * columns]).
std::string item_json(const ItemMap& map);
/// A picture of block characters: a row for each target word, a column of two cells for each source word. Each line
/// ends in a line feed; of a pair without words nothing is left.
std::string alignment_blocks(const text::Alignment& alignment);

}  // namespace heed::report
