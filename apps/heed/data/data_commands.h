// The commands of `heed data`.
#pragma once

#include "heed/command_line/command.h"

namespace heed::apps {

config::Command data_report_command();
config::Command data_filter_command();
config::Command data_restore_command();
config::Command data_dedup_command();
config::Command data_split_command();
config::Command data_sample_command();
config::Command data_shuffle_command();
config::Command data_convert_command();
config::Command data_perturb_command();

}  // namespace heed::apps
