#include "heed/command_line/command_line.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "heed/command_line/former_names.h"
#include "heed/command_line/option_help.h"
#include "heed/command_line/similar_names.h"
#include "heed/command_line/toolkit_names.h"
#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::config {
namespace {

/// The value that CLI11 stores for an option without a value. Real arguments cannot contain a zero byte.
const std::string kNoValue("\0", 1);
/// More values than a command line can have. CLI11's own "any number" would split a value `[a,b]` into two.
constexpr int kMany = 1 << 20;

/// CLI11's help, with heed's order and columns.
class HelpLayout : public CLI::Formatter {
 public:
  explicit HelpLayout(const CommandHelp& help) : help_(help) {}

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const override {
    std::string text = fmt::format("usage: {}\n\n{}\n", help_.usage, help_.summary);
    if (!help_.examples.empty()) text += fmt::format("\nExamples:\n{}\n", help_.examples);
    text += '\n' + make_groups(app, mode);
    return help_.closing.empty() ? text : text + '\n' + help_.closing + '\n';
  }
  std::string make_group(std::string group, bool, std::vector<const CLI::Option*> options) const override {
    std::string text = fmt::format("{}:\n", group);
    for (const CLI::Option* option : options) text += make_option(option, false);
    return text;
  }
  std::string make_option(const CLI::Option* option, bool) const override {
    return row_text(option->get_option_text(), option->get_description());
  }

 private:
  const CommandHelp& help_;
};

std::string format_help(const Command& command, const OptionList& options, bool all) {
  CLI::App app;
  app.set_help_flag();
  app.formatter(std::make_shared<HelpLayout>(command.help));
  const bool every = all || command.help.common.empty();
  int number = 0;
  for (const HelpRow& row : every ? all_rows(command, options) : common_rows(command, options)) {
    app.add_option(fmt::format("--{}", number++), CLI::callback_t(), row.description)
        ->option_text(row.left)
        ->group(row.heading);
  }
  return app.help();
}

/// The selected command: its options in its CLI::App, and the given values.
class Reader {
 public:
  Reader(CLI::App& app, const Command& command) : app_(app), command_(command) {
    app_.set_help_flag("-h,--help");
    app_.set_help_all_flag("--help-all");
    app_.allow_extras();
    // Registers options only for the selected command, because a program has several hundred.
    app_.preparse_callback([this](size_t) { register_options(); });
  }

  Invocation invocation() const {
    require_values();
    for (const std::string& argument : app_.remaining()) {
      if (!apart() || argument != "--") refuse(argument);
    }
    return {.command = &command_, .arguments = arguments()};
  }
  bool asked_for_help() const { return app_.get_help_ptr()->count() + app_.get_help_all_ptr()->count() > 0; }
  Invocation help() const {
    if (command_.prepare_help) command_.prepare_help(arguments().settings);
    const bool all = app_.get_help_all_ptr()->count() > 0;
    return {.command = &command_,
            .arguments = Arguments{},
            .help = format_help(command_, list_options(command_.options), all)};
  }
  /// Throws the error for a pair of conflicting options.
  [[noreturn]] void fail_pairs() const {
    for (const auto& [option, other] : command_.exclusive) {
      if (count(option) == 0 || count(other) == 0) continue;
      throw ConfigError("--" + option, fmt::format("and `--{}` cannot both be given", other));
    }
    for (const auto& [option, other] : command_.needs) {
      if (count(option) == 0 || count(other) > 0) continue;
      throw ConfigError("--" + option, fmt::format("has no effect without `--{}`", other));
    }
    check(false, "a requirement of " + command_.name + " that it does not list");
    std::terminate();
  }

 private:
  bool apart() const { return command_.positionals == Positionals::Allowed; }

  void register_options() {
    known_ = list_options(command_.options);
    for (const OptionEntry& entry : known_.options) {
      if (!options_.contains(entry.name)) options_[entry.name] = add(entry);
    }
    // With a fixed minimum: otherwise CLI11 gives the arguments after `--` to the program.
    if (apart()) positionals_ = app_.add_option("files")->expected(kMany, kMany)->take_all();
    for (const auto& [option, other] : command_.exclusive) options_.at(option)->excludes(options_.at(other));
    for (const auto& [option, other] : command_.needs) options_.at(option)->needs(options_.at(other));
  }

  CLI::Option* add(const OptionEntry& entry) {
    const std::string names = names_of(entry);
    if (entry.kind == ValueKind::Flag) {
      CLI::Option* flag = apart() ? app_.add_flag(names) : app_.add_option(names)->expected(0, 1)->default_str("true");
      return flag->take_last()->check(checker(entry));
    }
    const bool list = entry.kind == ValueKind::List;
    CLI::Option* option = app_.add_option(names)->expected(0, list && !apart() ? kMany : 1)->default_str(kNoValue);
    return list ? option->take_all() : option->take_last()->check(checker(entry));
  }

  std::string names_of(const OptionEntry& entry) const {
    std::string names = "--" + entry.name;
    for (const auto& [letter, name] : command_.letters) {
      if (name == entry.name) names += fmt::format(",-{}", letter);
    }
    std::string with_underscores = entry.name;
    std::ranges::replace(with_underscores, '-', '_');
    for (const std::string_view former : former_names(entry.name)) names += fmt::format(",--{}", former);
    if (command_.underscores && with_underscores != entry.name) names += ",--" + with_underscores;
    return names;
  }

  /// A value must be valid for the option, or for an option of the same name that belongs to another alternative.
  CLI::Validator checker(const OptionEntry& entry) const {
    const auto check = [this, name = entry.name](std::string& value) {
      if (value == kNoValue) return std::string();
      const std::span<const std::string> values(&value, 1);
      const auto fits = [&](const OptionEntry& option) { return option.name == name && option.fits(values); };
      const Setting setting{.name = name, .values = {value}};
      if (std::ranges::none_of(known_.options, fits)) fail_value(setting, *known_.find_chosen(name));
      return std::string();
    };
    return CLI::Validator(check, "", "");
  }

  /// In the order of the command line.
  Arguments arguments() const {
    Arguments given;
    std::set<const CLI::Option*> seen;
    for (const CLI::Option* option : app_.parse_order()) {
      const auto entry = std::ranges::find(options_, option, [](const auto& named) { return named.second; });
      if (entry == options_.end() || !seen.insert(option).second) continue;
      given.settings.push_back({.name = entry->first, .values = option->reduced_results()});
    }
    if (positionals_) given.positionals = positionals_->results();
    return given;
  }

  void require_values() const {
    for (const auto& [name, option] : options_) {
      const auto& values = option->results();
      if (std::ranges::find(values, kNoValue) == values.end()) continue;
      const bool dash = std::ranges::any_of(app_.remaining(), [](const std::string& word) { return word[0] == '-'; });
      throw ConfigError(
          "--" + name,
          fmt::format("needs a value: {}{}", known_.find(name)->expected,
                      dash ? fmt::format("; one that begins with a dash is given as --{}=VALUE", name) : ""));
    }
  }

  /// Throws the error for an argument that CLI11 could not use.
  [[noreturn]] void refuse(const std::string& argument) const {
    if (!argument.starts_with('-')) {
      throw ConfigError(fmt::format("`{0}` has no option name: write `--{1} {0}`", argument, name_of_input()));
    }
    if (argument.starts_with("--")) {
      const std::string name = argument.substr(2, argument.find('=') - 2);
      if (apart()) refuse_name_of_positionals(name);
      fail_unknown(Setting{.name = name, .values = values_after(argument)}, known_);
    }
    throw ConfigError(fmt::format("`{}` is not an option: {}", argument,
                                  command_.letters.empty() ? std::string("names begin with two dashes")
                                                           : "the short names are " + letters_text()));
  }
  /// The option that an argument without a name most probably belongs to: the command's only input. "NAME": not clear.
  std::string name_of_input() const {
    const auto free = [&](const std::string& name) { return known_.find(name) && count(name) == 0; };
    if (free("input")) return "input";
    const bool other_input = known_.find("input") || known_.find("source") || known_.find("pairs");
    return !other_input && free("model") ? "model" : "NAME";
  }
  /// Throws the error for an option whose values are positional arguments of this command.
  void refuse_name_of_positionals(const std::string& name) const {
    if (names_translations(name)) {
      throw ConfigError("--" + name, "is not an option: name files of translations after the options");
    }
    const std::string usage = command_.help.usage.substr(0, command_.help.usage.find("..."));
    if (name == "model" && usage.ends_with(" DIR")) {
      throw ConfigError("--" + name, fmt::format("is not an option: write `{}`", usage));
    }
  }
  /// The value of an unknown option: after its equals sign, or the next argument.
  std::vector<std::string> values_after(const std::string& argument) const {
    const size_t equals = argument.find('=');
    if (equals != std::string::npos) return {argument.substr(equals + 1)};
    const std::vector<std::string> rest = app_.remaining();
    const auto next = std::find(rest.begin(), rest.end(), argument) + 1;
    return next == rest.end() || next->starts_with('-') ? std::vector<std::string>() : std::vector{*next};
  }
  std::string letters_text() const {
    std::vector<std::string> letters;
    for (const ShortName& letter : command_.letters) letters.push_back(fmt::format("-{}", letter.letter));
    return listed(letters, "and");
  }

  size_t count(const std::string& name) const { return options_.at(name)->count(); }

  CLI::App& app_;
  const Command& command_;
  OptionList known_;
  std::map<std::string, CLI::Option*> options_;
  CLI::Option* positionals_ = nullptr;
};

/// The commands as CLI11 subcommands, and the selected one.
class Program {
 public:
  Program(const ProgramHelp& help, std::span<const Command> commands) : app_(help.summary, help.name) {
    app_.footer(help.closing);
    app_.allow_extras();
    add(app_, commands);
  }

  Invocation read(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);  // CLI11 reads them from the back
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      return help();
    } catch (const CLI::CallForAllHelp&) {
      return help();
    } catch (const CLI::ParseError&) {  // the only errors left to CLI11 are those of option pairs
      chosen_reader().fail_pairs();
    } catch (const ConfigError&) {
      const Reader* reader = find_reader();
      if (!reader || !reader->asked_for_help()) throw;
      return help();
    }
    if (const Reader* reader = find_reader()) return reader->invocation();
    const CLI::App& app = chosen();
    fail_no_command(app, app.remaining());
  }

 private:
  void add(CLI::App& parent, std::span<const Command> commands) {
    parent.require_subcommand(0, 1);  // otherwise a value equal to a command's name would select that command
    for (const Command& command : commands) {
      CLI::App* app = parent.add_subcommand(command.name, command.summary);
      if (!command.other_name.empty()) app->alias(command.other_name);
      if (command.parts.empty()) {
        readers_[app] = std::make_unique<Reader>(*app, command);
      } else {
        app->allow_extras();
        overviews_[app] = &command;
        add(*app, command.parts);
      }
    }
  }

  const CLI::App& chosen() const {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return *app;
  }
  const Reader* find_reader() const {
    const auto found = readers_.find(&chosen());
    return found == readers_.end() ? nullptr : found->second.get();
  }
  const Reader& chosen_reader() const {
    const Reader* reader = find_reader();
    check(reader, "a command line without a command cannot be wrong in its options");
    return *reader;
  }

  /// The help of the selected command, or the list of commands of the program or of a command with subcommands.
  Invocation help() const {
    if (const Reader* reader = find_reader()) return reader->help();
    const CLI::App& app = chosen();
    const std::vector<std::string> words = app.remaining();
    if (std::ranges::any_of(words, [](const std::string& word) { return !word.starts_with('-'); })) {
      fail_no_command(app, words);
    }
    std::string commands;
    for (const CLI::App* part : app.get_subcommands({})) {
      std::string name = path_of(*part);
      if (!part->get_aliases().empty()) name += fmt::format(" ({})", fmt::join(part->get_aliases(), ", "));
      commands += row_text(name, part->get_description());
    }
    const auto overview = overviews_.find(&app);
    if (overview == overviews_.end()) {
      return {.arguments = Arguments{},
              .help = fmt::format("{}\n\nCommands:\n{}\n{}\n", app_.get_description(), commands, app_.get_footer())};
    }
    const CommandHelp& texts = overview->second->help;
    return {.arguments = Arguments{},
            .help = fmt::format("usage: {} COMMAND [options]\n\n{}\n\nCommands:\n{}\n{}\n", path_of(app), texts.summary,
                                commands, texts.closing)};
  }

  /// "heed bpe learn"
  static std::string path_of(const CLI::App& app) {
    return app.get_parent() ? path_of(*app.get_parent()) + ' ' + app.get_name() : app.get_name();
  }

  [[noreturn]] void fail_no_command(const CLI::App& app, const std::vector<std::string>& words) const {
    std::vector<std::string> names;
    for (const CLI::App* part : app.get_subcommands({})) names.push_back(part->get_name());
    if (words.empty()) {
      throw ConfigError(fmt::format("`{}` needs a command: {}; `{} --help` shows the first steps", path_of(app),
                                    listed(names, "or"), path_of(app)));
    }
    const std::string advice = did_you_mean(words[0], names);
    throw ConfigError(fmt::format("`{}` is not a command of `{}`{}{} {}", words[0], path_of(app), advice,
                                  advice.empty() ? ", which are" : " The commands are", listed(names, "and")));
  }

  CLI::App app_;
  std::map<const CLI::App*, std::unique_ptr<Reader>> readers_;
  std::map<const CLI::App*, const Command*> overviews_;
};

/// Replaces `--name=` by `--name ''`, which CLI11 distinguishes from a missing value.
std::vector<std::string> with_empty_values(std::span<const std::string> arguments) {
  std::vector<std::string> words;
  bool options = true;
  for (const std::string& argument : arguments) {
    if (argument == "++" && options) throw ConfigError("`++` is not an argument; for a file of that name, write ./++");
    options = options && argument != "--";
    const bool empty = options && argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    words.push_back(empty ? argument.substr(0, argument.size() - 1) : argument);
    if (empty) words.emplace_back();
  }
  return words;
}

}  // namespace

bool Arguments::gives(std::string_view option) const {
  return std::ranges::find(settings, option, &Setting::name) != settings.end();
}

const Command* find_raw_command(std::span<const Command> commands, std::span<const std::string>& words) {
  if (words.empty()) return nullptr;
  const auto named = [&](const Command& command) { return words[0] == command.name || words[0] == command.other_name; };
  const auto found = std::ranges::find_if(commands, named);
  if (found == commands.end()) return nullptr;
  std::span<const std::string> rest = words.subspan(1);
  const bool itself = found->run_raw && (!found->parses_itself || found->parses_itself(rest));
  const Command* foreign = itself ? &*found : find_raw_command(found->parts, rest);
  if (foreign) words = rest;
  return foreign;
}

Invocation read_command_line(const ProgramHelp& program, std::span<const Command> commands,
                             std::span<const std::string> arguments) {
  return Program(program, commands).read(with_empty_values(arguments));
}

}  // namespace heed::config
