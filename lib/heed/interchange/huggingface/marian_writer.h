// Writes MarianMT models as transformers saves them.
#pragma once

#include <string>

#include "heed/interchange/exchanged_model.h"

namespace heed::interchange {

/// model_directory: named where the model is refused. output: a directory that is new or empty. What the other side has
/// not of the model's settings is said in left_out. Throws CheckpointError where the model has what MarianMT has not;
/// FileError.
void write_marian(ExchangedModel& model, const std::string& model_directory, const std::string& output);

}  // namespace heed::interchange
