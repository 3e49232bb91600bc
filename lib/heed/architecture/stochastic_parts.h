// Which parts of a model are random during training. This is a separate header, so that files that need only these
// functions are not recompiled when an option changes.
#pragma once

namespace heed::models {

struct ArchitectureOptions;  // architecture.h

/// Whether training uses dropout anywhere: in embeddings, residual branches, attention, feed-forward networks or the
/// decoder's output. Layer dropout does not count, because it is the same for all sentences of a batch.
bool has_dropout(const ArchitectureOptions& options);
/// Whether training samples the positions of a hard attention, whose gradient is REINFORCE's.
bool has_hard_attention(const ArchitectureOptions& options);
/// Whether two passes over a sentence differ in training, because of dropout or of sampling in a decoder.
bool draws_at_random(const ArchitectureOptions& options);

}  // namespace heed::models
