#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>

#include "end_to_end/programs.h"
#include "support/stored_json.h"

namespace heed::end_to_end {
namespace {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

std::string as_text(const Json& lines) {
  std::string text;
  for (const std::string line : lines) text += line + '\n';
  return text;
}

/// The folder with the stored cases' files.
class SacreBleuCommand : public ::testing::Test {
 protected:
  SacreBleuCommand() {
    for (const auto& [name, lines] : stored.at("inputs").at("files").items()) folder.file(name, as_text(lines));
  }

  Result evaluate(Arguments arguments, const std::string& input = "",
                  const std::map<std::string, std::string>& environment = {}) const {
    arguments.insert(arguments.begin(), "evaluate");
    return heed(arguments, input, {.folder = folder.path(""), .environment = environment});
  }

  Json stored = testing::stored_json("end_to_end/data/evaluate.json");
  Folder folder;
};

TEST_F(SacreBleuCommand, PrintsWhatSacreBleuPrints) {
  ASSERT_GT(stored.at("cases").size(), 200u);
  const std::string standard_input = stored.at("inputs").at("stdin");
  for (const Json& stored_case : stored.at("cases")) {
    SCOPED_TRACE(stored_case.at("arguments").dump() + stored_case.value("environment", Json()).dump());
    const auto environment = stored_case.value("environment", std::map<std::string, std::string>());
    const Result result =
        evaluate(stored_case.at("arguments"), stored_case.value("stdin", standard_input), environment);
    EXPECT_EQ(result.output, stored_case.at("output").get<std::string>());
    EXPECT_EQ(result.code, stored_case.at("code").get<int>()) << result.errors;
  }
}

TEST_F(SacreBleuCommand, MessagesAreThoseThatScriptsLookFor) {
  EXPECT_EQ(evaluate({"ref"}, "a\tb\nc\n").errors,
            "sacreBLEU: FATAL: the number of tab-delimited fields in the input stream differ across lines.\n");
  EXPECT_EQ(evaluate({"bad.tsv", "-nr", "2", "-i", "sys", "-q"}).errors,
            "FATAL: line 2: expected 2 fields, but found 1.\n");
  EXPECT_EQ(evaluate({"ref", "-i", "short"}).errors,
            "sacreBLEU: System and reference streams have different lengths.\n");
  EXPECT_EQ(evaluate({"ref", "-i", "sys", "other", "-ci"}).errors,
            "sacreBLEU: Use paired tests (--paired) for multiple systems.\n");
  EXPECT_EQ(evaluate({"ref", "-i", "sys", "other"}).errors, "sacreBLEU: Found 2 systems.\n");
  EXPECT_EQ(evaluate({"ref", "-i", "sys", "other", "-q"}).errors, "");
  EXPECT_EQ(lines_of(evaluate({"tokenized_ref", "-i", "tokenized"}).errors).at(0),
            "sacreBLEU: That's 100 lines that end in a tokenized period ('.')");
  EXPECT_EQ(evaluate({"tokenized_ref", "-i", "tokenized", "--force"}).errors, "");
  EXPECT_EQ(evaluate({"ref", "-i", "sys", "-l", "en-zh", "-tok", "13a"}).errors,
            "sacreBLEU: Consider using the 'zh' or 'spm' tokenizer for Chinese.\n");
}

TEST_F(SacreBleuCommand, WrongUseIsExplainedInOneLine) {
  const auto expect_usage = [this](const Arguments& arguments, const std::string& message) {
    expect_error(evaluate(arguments), 2, message);
  };
  expect_usage({"ref", "-i", "sys", "-w", "x"}, "argument --width/-w: invalid int value: 'x'");
  expect_usage({"ref", "-i", "sys", "-w"}, "argument --width/-w: expected one argument");
  expect_usage({"ref", "-i", "sys", "-m"}, "argument --metrics/-m: expected at least one argument");
  expect_usage({"ref", "-i", "sys", "-m", "rouge"},
               "argument --metrics/-m: invalid choice: 'rouge' (choose from 'bleu', 'chrf', 'ter')");
  expect_usage({"ref", "-i", "sys", "-par", "-pbs"},
               "argument --paired-bs/-pbs: not allowed with argument --paired-ar/-par");
  expect_usage({"ref", "-i", "sys", "--ter-n"},
               "ambiguous option: --ter-n could match --ter-no-punct, --ter-normalized");
  expect_usage({"ref", "-i", "sys", "--score-only=1"}, "argument --score-only/-b: ignored explicit argument '1'");
  expect_usage({"ref", "-b", "x", "--bogus"}, "unrecognized arguments: x --bogus");
}

TEST_F(SacreBleuCommand, WithoutReferenceAndSystemsShowsWhatToType) {
  const auto errors = [&](const std::string& arguments) {
    const std::string command = "cd '" + folder.path("") + "' && '" + heed_path() + "' evaluate " + arguments;
    const int status = std::system((command + " < /dev/null > out 2> errors").c_str());  // NOLINT(cert-env33-c)
    EXPECT_EQ(WEXITSTATUS(status), 2) << arguments;
    return folder.read("errors");
  };
  const std::string usage =
      "heed: `--reference` is missing: `heed evaluate --reference REFERENCE sys` scores the translations in sys; in "
      "sacreBLEU's form, `heed evaluate REFERENCE -i sys`\n";
  EXPECT_EQ(errors("sys"), usage);
  EXPECT_EQ(errors("--metric bleu sys"), usage);
  EXPECT_NE(errors("").find("`heed evaluate --reference REFERENCE out.de`"), std::string::npos);
}

/// sacreBLEU ends with "math domain error".
TEST_F(SacreBleuCommand, ANegativeSmoothingValueThatHasNoLogarithmIsAnError) {
  folder.file("one", "a b x y\n");
  folder.file("other", "a b c d e\n");
  for (const Arguments& more : std::vector<Arguments>{{}, {"-sl"}, {"-b"}, {"--confidence", "-cin", "9"}}) {
    Arguments arguments{"other", "-i", "one", "-s", "floor", "-sv", "-1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_error(evaluate(arguments), 1,
                 "the smoothing value of BLEU makes a precision negative, -50, which has no logarithm");
  }
  const Result result = evaluate({"other", "-i", "one", "-s", "add-k", "-sv=-nan", "-f", "text"});
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.output.find("smooth:add-k[nan]"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(" = nan 50.0/nan/nan/nan "), std::string::npos) << result.output;
}

TEST_F(SacreBleuCommand, TestSetsAreExplainedNotDownloaded) {
  const std::string explanation =
      "sacreBLEU: Test sets are not downloaded: give the reference as a file, `heed evaluate REFERENCE -i TRANSLATION`; "
      "`sacrebleu -t NAME -l PAIR --echo ref > REFERENCE` writes it.\n";
  for (const Arguments& arguments : std::vector<Arguments>{{"-t", "wmt17", "-l", "en-de", "-i", "sys"},
                                                           {"--list"},
                                                           {"--download", "wmt17"},
                                                           {"-t", "wmt17", "-l", "en-de", "--echo", "src"},
                                                           {"-t", "wmt17", "--citation"}}) {
    const Result result = evaluate(arguments);
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, explanation);
  }
}

TEST_F(SacreBleuCommand, BadInputIsNamed) {
  folder.file("invalid", "fine\nnot \xff fine\n");
  const Result result = evaluate({"ref", "-i", "invalid"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(result.errors.starts_with("heed: invalid:2: expected UTF-8 text")) << result.errors;
  expect_error(evaluate({"missing", "-i", "sys"}), 1, "missing: cannot open: No such file or directory");
  expect_error(evaluate({"ref", "-i", "sys", "-e", "no-such"}), 1, "`no-such` is not an encoding that heed knows");
}

TEST_F(SacreBleuCommand, FilesMayHaveAnotherEncoding) {
  folder.file("latin",
              "Gr\xf6\xdf"
              "e \xfc"
              "ber alles sehr\n");
  folder.file("utf8", "Größe über alles sehr\n");
  folder.file("utf16", std::string("\xff\xfe"
                                   "a\0 \0\xf6\0\n\0"
                                   "b\0",
                                   12));
  folder.file("plain", "a ö\nb\n");
  const Result same = evaluate({"latin", "-i", "latin", "-e", "latin-1"});
  EXPECT_EQ(same.output, evaluate({"utf8", "-i", "utf8"}).output);
  EXPECT_EQ(evaluate({"utf16", "-i", "utf16", "-e", "utf-16", "-m", "chrf"}).output,
            evaluate({"plain", "-i", "plain", "-m", "chrf"}).output);
  EXPECT_EQ(evaluate({"latin", "-i", "latin", "-e", "ascii"}).code, 1);
  EXPECT_EQ(evaluate({"latin", "-e", "latin-1"}, folder.read("latin")).output, same.output) << "of standard input too";
  folder.file("fine", "fine\nfine\n");
  folder.file("bad", "fine\nGr\xf6\xdf\n");
  const Result wrong = evaluate({"fine", "-i", "bad", "-e", "ascii"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(wrong.errors.starts_with("heed: bad:1: is not text of the given encoding")) << wrong.errors;
}

TEST_F(SacreBleuCommand, TheTargetOfALanguagePairChoosesTheTokenizer) {
  for (const char* pair : {"en-zh", "en-zh-CN"}) {
    const Result result = evaluate({"ref", "-i", "sys", "-l", pair, "-f", "text"});
    EXPECT_NE(result.output.find("|tok:zh|"), std::string::npos) << pair << result.output << result.errors;
  }
}

TEST_F(SacreBleuCommand, ModelsAreInTheFolderThatItsVariableNames) {
  const Result missing = evaluate({"ref", "-i", "sys", "-tok", "flores200"}, "", {{"SACREBLEU", "/no/such"}});
  EXPECT_NE(missing.code, 0);
  EXPECT_NE(missing.errors.find("/no/such/models/flores200sacrebleuspm"), std::string::npos) << missing.errors;
}

TEST_F(SacreBleuCommand, RandomSeedsDiffer) {
  const Arguments arguments{"ref", "-i", "sys", "-ci", "-cin", "50", "-w", "12"};
  const auto run = [&] { return evaluate(arguments, "", {{"SACREBLEU_SEED", "None"}}).output; };
  const std::string first = run();
  EXPECT_NE(first.find("\"seed\": \"none\""), std::string::npos) << first;
  EXPECT_NE(first, run());
}

/// What the program writes to a terminal.
std::string on_terminal(const Arguments& arguments, const Surroundings& surroundings) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_EQ(grantpt(terminal), 0);
  EXPECT_EQ(unlockpt(terminal), 0);
  const std::string name = ptsname(terminal);
  const int held = open(name.c_str(), O_RDWR | O_NOCTTY);  // keeps what was written until it is read
  EXPECT_EQ(Program(arguments, "", name, surroundings).wait().code, 0);
  std::string text(1 << 16, '\0');
  text.resize(static_cast<size_t>(std::max<ssize_t>(0, read(terminal, text.data(), text.size()))));
  close(held);
  close(terminal);
  std::erase(text, '\r');
  return text;
}

TEST_F(SacreBleuCommand, TerminalsGetColorsUnlessRefused) {
  const Arguments arguments{"evaluate", "ref", "-i", "sys", "-ci", "-cin", "20", "-f", "text"};
  const std::string plain = heed(arguments, "", {.folder = folder.path("")}).output;
  const std::string colored = on_terminal(arguments, {.folder = folder.path("")});
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_NE(colored.find("\x1b[36m(μ = "), std::string::npos) << colored;
  EXPECT_NE(colored.find(")\x1b[0m "), std::string::npos) << colored;
  EXPECT_EQ(on_terminal(arguments, {.folder = folder.path(""), .environment = {{"NO_COLOR", "1"}}}), plain);
}

}  // namespace
}  // namespace heed::end_to_end
