// What the commands of `heed bpe` share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "heed/text/bpe/words/text_lines.h"
#include "program.h"

namespace heed::apps {

inline constexpr std::string_view kBpeWorkersHelp =
    "threads, 1 if not given; 0 or less: one for each core that the CPU quota allows. As in subword-nmt, more than one "
    "cut files into lines at LF and CR only";

/// The number of threads for --num-workers.
int64_t bpe_threads(std::optional<int64_t> workers);
/// Whether several workers share the lines, since subword-nmt then splits lines differently.
bool bpe_lines_shared(std::optional<int64_t> workers);
/// The line ends that subword-nmt recognizes in `input` with this number of workers.
text::LineEnds bpe_line_ends(const std::string& input, std::optional<int64_t> workers);

/// Requests large memory pages for word counts. Call it before counting.
void reserve_pages();

config::Command bpe_learn_command();
config::Command bpe_learn_joint_command();

}  // namespace heed::apps
