// Shared by the commands of `heed bpe`.
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

/// The threads that --num-workers asks for.
int64_t bpe_threads(std::optional<int64_t> workers);
/// Whether several workers share the lines: subword-nmt then reads them otherwise.
bool bpe_lines_shared(std::optional<int64_t> workers);
/// How the lines of `input` end for subword-nmt with so many workers.
text::LineEnds bpe_line_ends(const std::string& input, std::optional<int64_t> workers);

/// Word counts live in large pages: call it before they are made.
void reserve_pages();

config::Command bpe_learn_command();
config::Command bpe_learn_joint_command();

}  // namespace heed::apps
