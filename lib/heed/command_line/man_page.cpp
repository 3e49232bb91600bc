#include "heed/command_line/man_page.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "heed/command_line/option_help.h"
#include "heed/command_line/option_list.h"
#include "heed/core/text/unicode.h"

namespace heed::config {
namespace {

/// Text escaped for roff, so that nothing is read as a command and dashes stay dashes.
std::string shown(std::string_view text) {
  std::string roff;
  for (const char letter : text) {
    const bool begins_line = roff.empty() || roff.back() == '\n';
    if (begins_line && (letter == '.' || letter == '\'')) roff += "\\&";
    if (letter == '\\') {
      roff += "\\e";
    } else if (letter == '-') {
      roff += "\\-";
    } else {
      roff += letter;
    }
  }
  return roff;
}

/// A quoted argument of a macro.
std::string quoted(std::string_view text) {
  std::string roff = "\"";
  for (const char letter : shown(text)) roff += letter == '"' ? std::string("\\(dq") : std::string(1, letter);
  return roff + '"';
}

/// Filled paragraphs; an empty line ends a paragraph.
std::string paragraphs(const std::string& text) {
  std::string roff;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    roff += strip(line).empty() ? std::string(".PP\n") : shown(strip(line)) + '\n';
  }
  return roff;
}

/// Lines printed without filling.
std::string typed(const std::string& text) { return ".nf\n" + shown(text) + "\n.fi\n"; }

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::toupper(letter); });
  return text;
}

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

std::string head(const std::string& name, const std::string& summary, const std::string& version) {
  const std::string plain = summary.substr(0, summary.find('\n'));
  return fmt::format(".TH {} 1 \"\" {} {}\n", quoted(upper(name)), quoted(version), quoted("User Commands")) +
         section("NAME", fmt::format("{} \\- {}\n", shown(name), shown(plain)));
}

std::string item(const std::string& left, const std::string& description) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", shown(left), shown(description));
}

std::string options_text(const Command& command) {
  std::string text, heading = "Options";
  for (const HelpRow& row : all_rows(command, list_options(command.options))) {
    if (row.heading != heading) text += fmt::format(".SS {}\n", quoted(row.heading));
    heading = row.heading;
    text += item(row.left, row.description);
  }
  return text;
}

std::string command_page(const std::string& name, const Command& command, const std::string& program,
                         const std::string& version) {
  const std::string summary = command.summary.empty() ? command.help.summary : command.summary;
  return head(name, summary, version) + section("SYNOPSIS", typed(command.help.usage)) +
         section("DESCRIPTION", paragraphs(command.help.summary)) + section("OPTIONS", options_text(command)) +
         section("EXAMPLES", command.help.examples.empty() ? "" : typed(command.help.examples)) +
         section("NOTES", paragraphs(command.help.closing)) +
         section("SEE ALSO", fmt::format(".BR {} (1)\n", shown(program)));
}

void add_pages(std::vector<ManPage>& pages, std::span<const Command> commands, const std::string& before,
               const std::string& program, const std::string& version) {
  for (const Command& command : commands) {
    const std::string name = fmt::format("{}-{}", before, command.name);
    if (command.options) pages.push_back({name, command_page(name, command, program, version)});
    add_pages(pages, command.parts, name, program, version);
  }
}

std::string list_of(std::span<const Command> commands, const std::string& before = "") {
  std::string text;
  for (const Command& command : commands) {
    const std::string name = before + command.name;
    text += item(name, command.summary) + list_of(command.parts, name + ' ');
  }
  return text;
}

std::string program_page(const ProgramHelp& program, std::span<const Command> commands, std::span<const ManPage> pages,
                         const std::string& version) {
  std::string others;
  for (const ManPage& page : pages) others += fmt::format(".BR {} (1)\n", shown(page.name));
  const std::string usage = fmt::format("{0} COMMAND [options]\n{0} help COMMAND", program.name);
  const std::string summary = program.summary.substr(0, program.summary.find('.'));
  const std::string prefix = program.name + ' ';
  return head(program.name, summary.starts_with(prefix) ? summary.substr(prefix.size()) : summary, version) +
         section("SYNOPSIS", typed(usage)) + section("DESCRIPTION", paragraphs(program.summary)) +
         section("COMMANDS", list_of(commands)) + section("NOTES", typed(program.closing)) +
         section("EXIT STATUS", "0 for success, 1 for data or files with errors, 2 for wrong usage.\n") +
         section("SEE ALSO", others);
}

}  // namespace

std::vector<ManPage> man_pages(const ProgramHelp& program, std::span<const Command> commands,
                               const std::string& version) {
  std::vector<ManPage> pages;
  add_pages(pages, commands, program.name, program.name, version);
  pages.insert(pages.begin(), {program.name, program_page(program, commands, pages, version)});
  return pages;
}

}  // namespace heed::config
