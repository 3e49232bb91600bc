// What the files of a model directory tell about its training, apart from its events: for its page.
#pragma once

#include <string>

namespace heed::report {

/// The members of a JSON object, without braces: config (each option with its value), data (of the training and the
/// validation text: files, how many pairs were kept and why others were left out, how many pairs have which length) and
/// overlap. What the directory lacks, or what cannot be read, is left out.
std::string run_facts(const std::string& directory);

/// The member `disk`: bytes of each file and of the checkpoints.
std::string disk_facts(const std::string& directory);

}  // namespace heed::report
