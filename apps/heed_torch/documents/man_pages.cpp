#include <array>
#include <utility>

#include <fmt/format.h>

#include "commands.h"
#include "descriptions.h"
#include "heed/command_line/man_page.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/created_directories.h"
#include "program_help.h"
#include "version.h"

namespace heed::apps {
namespace {

enum class PageFormat { Man, Json };
constexpr auto option_names(PageFormat) {
  return std::array{std::pair{PageFormat::Man, "man"}, std::pair{PageFormat::Json, "json"}};
}

struct ManPagesCommand {
  std::string output;
  PageFormat format = PageFormat::Man;
};
void describe(ManPagesCommand& o, OptionVisitor& visit) {
  visit("output", o.output, "the folder for the pages; it is created if it does not exist");
  visit("format", o.format,
        "man: a page for each command; json: one file, commands.json, with the same descriptions for other programs");
}

const config::CommandHelp kManPagesHelp{
    .usage = "heed man-pages --output FOLDER",
    .summary = "Writes manual pages of heed and each of its commands, with all options, for man.",
    .examples = R"(  heed man-pages --output ~/.local/share/man/man1
  heed man-pages --output pages && man pages/heed-train.1)",
};

int write_pages(const ManPagesCommand& o, const config::Arguments&) {
  require_option(!o.output.empty(), "output", "name the folder for the pages, such as ~/.local/share/man/man1");
  const CreatedDirectories folder(o.output, o.output);
  if (o.format == PageFormat::Json) {
    write_file(o.output + "/commands.json", descriptions(kVersion));
    return 0;
  }
  for (const config::ManPage& page :
       config::man_pages(kHeed, documented_commands(), fmt::format("heed {}", kVersion))) {
    write_file(fmt::format("{}/{}.1", o.output, page.name), page.text);
  }
  return 0;
}

}  // namespace

config::Command man_pages_command() {
  return with_options<ManPagesCommand>({.name = "man-pages", .help = kManPagesHelp}, write_pages);
}

}  // namespace heed::apps
