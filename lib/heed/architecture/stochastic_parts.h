// What of a model is drawn by chance while it is trained. A header of its own: who asks this alone need not be compiled
// again when an option comes or goes.
#pragma once

namespace heed::models {

struct ArchitectureOptions;  // architecture.h

/// Whether a training model leaves something out by chance: any dropout in embeddings, residual branches, attention
/// weights or feed-forward networks.
bool has_dropout(const ArchitectureOptions& options);
/// Whether training samples a hard attention's choices, whose gradient is REINFORCE's.
bool has_hard_choice(const ArchitectureOptions& options);
/// Whether two readings of a sentence in training differ: by dropout, or by what a decoder draws.
bool draws_at_random(const ArchitectureOptions& options);

}  // namespace heed::models
