// Models with heads, from text or vectors to labels and numbers, as a user trains and uses them.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "support/vector_files.h"

namespace heed::end_to_end {
namespace {

/// Sentences of two languages in turn, and what is to be learned of them.
struct Sentences {
  std::string text, languages, tags, counts;
};

Sentences sentences(int lines, int first) {
  const Words english{"one", "two", "three", "four", "five"}, german{"eins", "zwei", "drei", "vier", "fünf"};
  Sentences made;
  for (int i = 0; i < lines; ++i) {
    const Words& words = i % 2 == 0 ? english : german;
    const int length = 1 + (i * 7 + first) % 4;
    for (int k = 0; k < length; ++k) {
      const size_t word = static_cast<size_t>(i * 3 + k * 2 + first) % words.size();
      made.text += (k > 0 ? " " : "") + words[word];
      made.tags += (k > 0 ? " " : "") + std::string(word % 2 == 0 ? "even" : "odd");
    }
    made.text += '\n';
    made.tags += '\n';
    made.languages += i % 2 == 0 ? "en\n" : "de\n";
    made.counts += std::to_string(length) + ' ' + std::to_string(i % 2 == 0 ? 100 : 200) + '\n';
  }
  return made;
}

/// NumPy's file of `items` sequences of `vectors` vectors of two float32, whose sums tell the class.
std::string npy(int items, int vectors, const std::vector<float>& values) {
  return heed::testing::npy_array("<f4", std::to_string(items) + ", " + std::to_string(vectors) + ", 2",
                                  heed::testing::bytes_of(values));
}

/// Objects of the same words, whose weights differ by rounding at most.
void expect_same_maps(const std::string& found, const std::string& expected) {
  const auto ours = lines_of(found), theirs = lines_of(expected);
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t line = 0; line < ours.size(); ++line) {
    const auto a = nlohmann::json::parse(ours[line]), b = nlohmann::json::parse(theirs[line]);
    EXPECT_EQ(a["target"], b["target"]);
    ASSERT_EQ(a["attention"].size(), b["attention"].size());
    for (size_t i = 0; i < a["attention"][0].size(); ++i) {
      EXPECT_NEAR(a["attention"][0][i].get<double>(), b["attention"][0][i].get<double>(), 3e-4) << line;
    }
  }
}

class Prediction : public ::testing::Test {
 protected:
  /// Sequences of five vectors (NAME.npy) and which of two words tells of them (NAME.heights).
  static void make_heights(const std::string& name, int items, int seed) {
    std::vector<float> values;
    std::string classes;
    for (int item = 0; item < items; ++item) {
      const float shift = (item + seed) % 2 == 0 ? 3 : -3;
      for (int i = 0; i < 10; ++i)
        values.push_back(static_cast<float>(std::sin(item * 10 + i)) + (i % 2 == 0 ? shift : 0));
      classes += shift > 0 ? "high\n" : "low\n";
    }
    folder->file(name + ".npy", npy(items, 5, values));
    folder->file(name + ".heights", classes);
  }
  static void SetUpTestSuite() {
    folder = new Folder;
    for (const auto& [name, lines, first] : {std::tuple{"train", 400, 0}, std::tuple{"dev", 40, 1}}) {
      const Sentences made = sentences(lines, first);
      folder->file(name + std::string(".txt"), made.text);
      folder->file(name + std::string(".class"), made.languages);
      folder->file(name + std::string(".tags"), made.tags);
      folder->file(name + std::string(".counts"), made.counts);
    }
    languages = heed(train_command("classification", "class", "languages"));
    tags = heed(train_command("labelling", "tags", "tags") + Words{"--arch.head.crf", "true"});
    counts = heed(train_command("regression", "counts", "counts"));
  }
  static void TearDownTestSuite() { delete folder; }

  static Words train_command(const std::string& task, const std::string& ending, const std::string& model) {
    return Words{"train",
                 "--task",
                 task,
                 "--source",
                 folder->path("train.txt"),
                 "--target",
                 folder->path("train." + ending),
                 "--valid-source",
                 folder->path("dev.txt"),
                 "--valid-target",
                 folder->path("dev." + ending),
                 "--model",
                 folder->path(model)} +
           small();
  }
  static Words small() {
    return {"--text.type",
            "words",
            "--arch.d-model",
            "32",
            "--arch.encoder.layers",
            "1",
            "--arch.encoder.heads",
            "2",
            "--arch.encoder.feed-forward.hidden",
            "64",
            "--arch.dropout",
            "0",
            "--data.batch-tokens",
            "300",
            "--train.max-steps",
            "120",
            "--train.schedule.warmup",
            "10",
            "--train.schedule.learning-rate",
            "0.01",
            "--valid.every",
            "60",
            "--log.every",
            "60",
            "--threads",
            "1"};
  }
  static Words predict(const std::string& model) {
    return {"predict", "--model", folder->path(model), "--threads", "1"};
  }

  static Folder* folder;
  static Result languages, tags, counts;
};
Folder* Prediction::folder = nullptr;
Result Prediction::languages, Prediction::tags, Prediction::counts;

TEST_F(Prediction, AClassOfEachLine) {
  ASSERT_EQ(languages.code, 0) << languages.errors;
  const Result made = heed(predict("languages"), "one two\n\nvier\nzwei drei eins\nseven\n");
  EXPECT_EQ(made.code, 0) << made.errors;
  const auto lines = lines_of(made.output);
  ASSERT_EQ(lines.size(), 5);
  EXPECT_EQ((Words{lines[0], lines[1], lines[2], lines[3]}), (Words{"en", "", "de", "de"}));
  EXPECT_EQ(last_validation(*folder, "languages")["accuracy"], 100);
  const std::string predicted =
      folder->file("predicted.class", heed(predict("languages"), folder->read("dev.txt")).output);
  const Result scored = heed({"evaluate", "--reference", folder->path("dev.class"), "--metric", "accuracy", predicted});
  EXPECT_EQ(scored.output, "accuracy|nrefs:1 = 100.0 (right = 40 labels = 40)\n") << scored.errors;
}

/// They are read and answered in blocks.
TEST_F(Prediction, ManyLinesHaveALabelEach) {
  std::string text;
  for (int i = 0; i < 4100; ++i) text += i % 1000 == 999 ? "vier\n" : "one\n";
  const auto lines = lines_of(heed(predict("languages"), text).output);
  ASSERT_EQ(lines.size(), 4100);
  for (size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i], i % 1000 == 999 ? "de" : "en") << i;
}

TEST_F(Prediction, LinesThatAreCutAreCounted) {
  const Words short_lines{"--max-source-length", "8"};
  const std::string text = "one\none two three four five one two three four five\n";
  const Result told = heed(predict("languages") + short_lines, text);
  EXPECT_EQ(told.output, "en\nen\n");
  EXPECT_EQ(told.errors,
            "heed: warning: 1 line longer than the model can read at once: predicted from their beginning only\n");
  const Result labelled = heed(predict("tags") + short_lines, text);
  EXPECT_EQ(lines_of(labelled.output)[1], "even odd even odd even even odd even odd even");
  EXPECT_EQ(labelled.errors, "heed: warning: 1 line longer than the model can read at once: labelled in parts\n");
}

TEST_F(Prediction, NothingIsWrittenOverItsInput) {
  const std::string text = folder->file("input.txt", "one\n");
  const Result refused = heed(predict("languages") + Words{"--input", text, "--output", text});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.errors.starts_with("heed: `--output` ")) << refused.errors;
  EXPECT_EQ(folder->read("input.txt"), "one\n");
}

TEST_F(Prediction, JsonHasProbabilitiesAndWhichWordsDecided) {
  const Result made = heed(predict("languages") + Words{"--format", "json"}, "one two\n\n");
  const auto lines = lines_of(made.output);
  ASSERT_EQ(lines.size(), 2) << made.errors;
  const auto first = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(first["label"], "en");
  EXPECT_NEAR(first["probabilities"]["en"].get<double>() + first["probabilities"]["de"].get<double>(), 1, 1e-5);
  EXPECT_EQ(first["tokens"], (nlohmann::json{"one", "two"}));
  EXPECT_EQ(first["attention"].size(), 2);
  EXPECT_TRUE(nlohmann::json::parse(lines[1])["label"].is_null());
}

TEST_F(Prediction, ALabelOfEachWord) {
  ASSERT_EQ(tags.code, 0) << tags.errors;
  const Result made = heed(predict("tags"), "one two  three\n\nzwei\n");
  EXPECT_EQ(made.output, "even odd even\n\nodd\n") << made.errors;
  EXPECT_EQ(last_validation(*folder, "tags")["accuracy"], 100);
  const auto object = nlohmann::json::parse(heed(predict("tags") + Words{"--format", "json"}, "one two\n").output);
  EXPECT_EQ(object["labels"], (nlohmann::json{"even", "odd"}));
  EXPECT_GT(object["probabilities"][1]["odd"], 0.5);
}

TEST_F(Prediction, NumbersOfEachLine) {
  ASSERT_EQ(counts.code, 0) << counts.errors;
  const Result made = heed(predict("counts"), "eins zwei\n");
  ASSERT_EQ(lines_of(made.output).size(), 1) << made.errors;
  double count = 0, language = 0;
  ASSERT_EQ(std::sscanf(made.output.c_str(), "%lf %lf", &count, &language), 2);
  EXPECT_NEAR(language, 200, 45);  // not the 100 of English
  EXPECT_LT(last_validation(*folder, "counts")["mae"], 10);
  EXPECT_FALSE(last_validation(*folder, "counts").contains("perplexity"));
}

TEST_F(Prediction, GoesOnAsIfItHadNotStopped) {
  const auto command = [](const std::string& model, const std::string& steps) {
    return train_command("labelling", "tags", model) +
           Words{"--arch.dropout", "0.1", "--train.max-steps", steps, "--train.save-every", "30"};
  };
  ASSERT_EQ(heed(command("whole", "90")).code, 0);
  ASSERT_EQ(heed(command("parted", "45")).code, 0);
  ASSERT_EQ(heed(command("parted", "90")).code, 0);
  EXPECT_EQ(folder->read("parted/checkpoints/0000090/model.safetensors"),
            folder->read("whole/checkpoints/0000090/model.safetensors"));
}

TEST_F(Prediction, VectorsAreASourceToo) {
  make_heights("train", 200, 0);
  make_heights("dev", 20, 1);
  const Result trained = heed(Words{"train", "--task", "classification", "--source-vectors", folder->path("train.npy"),
                                    "--target", folder->path("train.heights"), "--valid-source-vectors",
                                    folder->path("dev.npy"), "--valid-target", folder->path("dev.heights"), "--model",
                                    folder->path("heights"), "--arch.vectors.type", "convolution"} +
                              small());
  expect_error(trained, 2, "`text.type` has no effect where neither source nor target is text: leave it out");
  Words command{"train",
                "--task",
                "classification",
                "--source-vectors",
                folder->path("train.npy"),
                "--target",
                folder->path("train.heights"),
                "--valid-source-vectors",
                folder->path("dev.npy"),
                "--valid-target",
                folder->path("dev.heights"),
                "--model",
                folder->path("heights"),
                "--arch.vectors.type",
                "convolution"};
  const Words rest = small();
  const Result again = heed(command + Words(rest.begin() + 2, rest.end()));
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(last_validation(*folder, "heights")["accuracy"], 100);
  const Result made = heed(predict("heights") + Words{"--source-vectors", folder->path("dev.npy")});
  EXPECT_EQ(made.output, folder->read("dev.heights")) << made.errors;
  expect_error(heed(predict("heights")), 2,
               "`--source-vectors` is missing: " + folder->path("heights") + " reads vectors");
  expect_error(heed(predict("languages") + Words{"--source-vectors", folder->path("dev.npy")}, "one\n"), 2,
               "`--source-vectors` has no effect: " + folder->path("languages") + " reads only text");
  std::vector<float> values(20, 1);
  values[13] = std::numeric_limits<float>::quiet_NaN();
  const std::string broken = folder->file("broken.npy", npy(2, 5, values));
  const Result refused = heed(predict("heights") + Words{"--source-vectors", broken});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(
      refused.errors.find(broken + ": expected finite numbers of float32, item 2 has nan as number 2 of vector 2"),
      std::string::npos)
      << refused.errors;
}

TEST_F(Prediction, ShowsWhatDecided) {
  const auto shown = [](const std::string& model, const Words& source, const std::string& file,
                        const std::string& text) {
    const Result made = heed(predict(model) + source + Words{"--attention", folder->path(file)}, text);
    EXPECT_EQ(made.code, 0) << made.errors;
    EXPECT_FALSE(made.output.empty());
    return folder->read(file);
  };
  const auto lines = lines_of(shown("languages", {}, "decided.json", "one two\n\nvier\n"));
  ASSERT_EQ(lines.size(), 3);
  const auto first = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(first["source"], (nlohmann::json{"one", "two"}));
  EXPECT_EQ(first["target"], nlohmann::json{"en"});
  EXPECT_EQ(first["weights"][0].size(), 2);
  EXPECT_NE(shown("languages", {}, "decided.html", "one two\n").find("What decided, by"), std::string::npos);
  make_heights("few", 3, 0);
  ASSERT_TRUE(std::filesystem::exists(folder->path("heights"))) << "made by VectorsAreASourceToo";
  const Words items{"--source-vectors", folder->path("few.npy")};
  const auto maps = lines_of(shown("heights", items, "maps.json", ""));
  ASSERT_EQ(maps.size(), 3);
  const auto map = nlohmann::json::parse(maps[1]);
  EXPECT_EQ(map["target"], nlohmann::json{"low"});
  EXPECT_EQ(map["columns"], 2) << "two layers of stride 2 leave two of five vectors";
  EXPECT_EQ(map["attention"][0].size(), 2);
  EXPECT_NE(shown("heights", items, "maps.svg", "").find("<image id=\"item3\""), std::string::npos);
  const Result objects = heed(predict("heights") + items + Words{"--format", "json"});
  ASSERT_EQ(lines_of(objects.output).size(), 3) << objects.errors;
  for (const std::string& line : lines_of(objects.output)) {
    EXPECT_EQ(nlohmann::json::parse(line)["item_attention"].size(), 2) << line;
  }

  const auto refused = [](const std::string& model, const std::string& file, const std::string& message) {
    expect_error(heed(predict(model) + Words{"--attention", file}, "one\n"), 2, message);
  };
  EXPECT_EQ(heed(predict("languages") + Words{"--ensemble", folder->path("languages")}, "vier\n").output, "de\n");
  expect_error(heed(predict("languages") + Words{"--ensemble", folder->path("tags")}, "one\n"), 2,
               "`ensemble " + folder->path("tags") + "` predicts something else than the first model");
  refused("languages", folder->path("decided.txt"), "`--attention` must be a file that ends in .html, .svg or .json");
  refused("tags", folder->path("decided.html"),
          "`--attention` needs a model that pools by attention (`arch.head.pooling`) or has channel attention "
          "(`arch.vectors.channel-attention`), which that in " +
              folder->path("tags") + " does not");
  EXPECT_FALSE(std::filesystem::exists(folder->path("decided.txt")));
}

TEST_F(Prediction, DescribesVectorsAndShowsWhereItLooked) {
  make_heights("train", 200, 0);
  make_heights("dev", 20, 1);
  const std::string model = folder->path("descriptions");
  const Result trained = heed({"train",
                               "--preset",
                               "rnn-bahdanau",
                               "--source-vectors",
                               folder->path("train.npy"),
                               "--target",
                               folder->path("train.heights"),
                               "--valid-source-vectors",
                               folder->path("dev.npy"),
                               "--valid-target",
                               folder->path("dev.heights"),
                               "--model",
                               model,
                               "--arch.encoder.type",
                               "identity",
                               "--text.type",
                               "characters",
                               "--arch.d-model",
                               "32",
                               "--arch.decoder.hidden",
                               "32",
                               "--arch.dropout",
                               "0",
                               "--data.batch-tokens",
                               "300",
                               "--train.max-steps",
                               "60",
                               "--train.schedule.type",
                               "constant",
                               "--train.schedule.learning-rate",
                               "0.01",
                               "--train.scheduled-sampling.type",
                               "inverse-sigmoid",
                               "--train.scheduled-sampling.k",
                               "20",
                               "--valid.every",
                               "60",
                               "--valid.patience",
                               "0",
                               "--threads",
                               "1"});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("heed translate --model " + model + " --source-vectors your-vectors.npy >"),
            std::string::npos)
      << trained.errors;
  const auto translate = [&](const Words& options) {
    return heed(Words{"translate", "--model", model, "--threads", "1", "--source-vectors", folder->path("dev.npy")} +
                options);
  };
  const std::string file = folder->path("looked.json");
  EXPECT_EQ(translate({"--alignment", file, "--alignment-subwords"}).output, folder->read("dev.heights"));
  const auto maps = lines_of(folder->read("looked.json"));
  ASSERT_EQ(maps.size(), 20);
  const auto map = nlohmann::json::parse(maps[0]);
  EXPECT_EQ(map["target"], (nlohmann::json{"l", "o", "w"}));
  EXPECT_EQ(map["rows"], 1);
  EXPECT_EQ(map["columns"], 5);
  ASSERT_EQ(map["attention"].size(), 3);
  double sum = 0;
  for (const double weight : map["attention"][2]) sum += weight;
  EXPECT_NEAR(sum, 1, 1e-3);
  EXPECT_EQ(translate({"--ensemble", model}).output, folder->read("dev.heights"));
  ASSERT_EQ(translate({"--alignment", file, "--search.n-best", "2"}).code, 0);
  const auto words = nlohmann::json::parse(lines_of(folder->read("looked.json"))[0]);
  EXPECT_EQ(words["target"], nlohmann::json{"low"}) << "a word, with the mean of its letters' weights";
  EXPECT_EQ(lines_of(folder->read("looked.json")).size(), 40);

  const std::string links = folder->path("links");
  expect_error(translate({"--alignment", links}), 2,
               "`--alignment-format` must be json, svg or html, or the file must end in .json, .svg or .html: the "
               "model's source is not text");
  expect_error(translate({"--alignment", file, "--alignment-threshold", "0.5"}), 2,
               "`--alignment-threshold` applies only to attention to text");
  expect_error(translate({"--alignment", file, "--alignment-layer", "2"}), 2,
               "`alignment-layer` is 2, but this model's attention has 1 layer");
  ASSERT_EQ(translate({"--alignment", file}).code, 0);
  const std::string searched = folder->read("looked.json");
  ASSERT_EQ(translate({"--alignment", file, "--alignment-head", "1"}).code, 0);
  expect_same_maps(folder->read("looked.json"), searched);  // read once more, as it was searched
  const Words of_pairs{"--model", model, "--threads", "1", "--source-vectors", folder->path("dev.npy")};
  const Words right{"--target", folder->path("dev.heights")};
  ASSERT_EQ(heed(Words{"align", "--output", file} + of_pairs + right).code, 0);
  expect_same_maps(folder->read("looked.json"), searched);

  const Result scored = heed(Words{"score"} + of_pairs + right);
  EXPECT_NE(scored.errors.find("20 pairs, "), std::string::npos) << scored.errors;
  const auto scores = lines_of(scored.output);
  ASSERT_EQ(scores.size(), 20);
  std::string others;
  for (const std::string& line : lines_of(folder->read("dev.heights"))) others += line == "low" ? "high\n" : "low\n";
  const auto wrong =
      lines_of(heed(Words{"score"} + of_pairs + Words{"--target", folder->file("wrong", others)}).output);
  for (size_t i = 0; i < 20; ++i) EXPECT_GT(std::stod(scores[i]), std::stod(wrong[i]) + 1) << i;
  const std::string few = folder->file("few.heights", "low\n");
  for (const std::string command : {"score", "align"}) {
    const Words form = command == "align" ? Words{"--format", "json"} : Words{};
    const Result refused = heed(Words{command} + form + of_pairs + Words{"--target", few});
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(lines_of(refused.errors).back(), "heed: " + folder->path("dev.npy") +
                                                   ": has 20 items, but there is 1 line of text: one is needed for "
                                                   "each line");
    EXPECT_EQ(refused.output, "");
    const Result from_stream = heed(Words{command} + form + of_pairs + Words{"--target", "-"}, others + "low\n");
    EXPECT_EQ(from_stream.code, 1);
    EXPECT_NE(from_stream.errors.find("has 20 items, but there are more lines of text"), std::string::npos);
    const Result too_short = heed(Words{command} + form + of_pairs + Words{"--target", "-"}, "low\nhigh\n");
    EXPECT_EQ(too_short.code, 1);
    EXPECT_NE(too_short.errors.find("has 20 items, but there are 2 lines of text"), std::string::npos);
    expect_error(heed(Words{command} + of_pairs + right + Words{"--source", few}), 2,
                 "`source` has no effect: " + model + " reads only vectors; name their text with `target`");
    expect_error(heed({command, "--model", model, "--target", few}), 2,
                 "`--source-vectors` is missing: " + model + " reads vectors");
  }
  EXPECT_FALSE(std::filesystem::exists(links));
}

TEST_F(Prediction, WrongTargetsNameTheirLine) {
  const auto trained = [](const std::string& task, const std::string& target, const std::string& valid) {
    return heed(Words{"train", "--task", task, "--source", folder->path("train.txt"), "--target", target,
                      "--valid-source", folder->path("dev.txt"), "--valid-target", valid, "--model",
                      folder->path("never")} +
                small());
  };
  const auto last_line = [](const Result& result) { return lines_of(result.errors).back(); };
  std::string unseen = folder->read("dev.class");
  unseen.replace(unseen.find("de"), 2, "fr");
  const std::string bad = folder->file("bad.class", unseen);
  EXPECT_EQ(last_line(trained("classification", folder->path("train.class"), bad)),
            "heed: " + bad + ":2: the label `fr` is not one of those that the model was trained with: de, en");
  std::string two = folder->read("train.class");
  two.insert(two.find('\n') + 1, "en ");
  const std::string both = folder->file("both.class", two);
  EXPECT_EQ(last_line(trained("classification", both, folder->path("dev.class"))),
            "heed: " + both + ":2: expected one label, a word without white space, found `en de`");
  std::string too_many = folder->read("train.tags");
  too_many.insert(too_many.find('\n') + 1, "odd odd odd odd ");
  const std::string more = folder->file("more.tags", too_many);
  const Result labelled = trained("labelling", more, folder->path("dev.tags"));
  EXPECT_EQ(labelled.code, 1);
  EXPECT_EQ(last_line(labelled), "heed: " + more + ":2: has 8 labels for the 4 words of its source");
  std::string numbers = folder->read("train.counts");
  numbers.replace(numbers.find('\n') + 1, 1, "x");
  const std::string bad_numbers = folder->file("bad.counts", numbers);
  EXPECT_EQ(last_line(trained("regression", bad_numbers, folder->path("dev.counts"))),
            "heed: " + bad_numbers + ":2: expected a finite number, found `x`");
}

TEST_F(Prediction, OtherCommandsSayWhatTheModelIsFor) {
  const std::string message =
      folder->path("languages") + " writes no text: `heed predict` gives the labels or numbers of lines with it";
  for (const Words& command :
       {Words{"translate"}, Words{"generate", "--prompt", "a"},
        Words{"score", "--source", folder->path("dev.txt"), "--target", folder->path("dev.txt")},
        Words{"align", "--source", folder->path("dev.txt"), "--target", folder->path("dev.txt")}}) {
    expect_error(heed(command + Words{"--model", folder->path("languages")}, "one\n"), 2, "`model` " + message);
  }
}

TEST_F(Prediction, OptionsThatHaveNoEffectOnItAreRefused) {
  const auto refused = [](const Words& options, const std::string& message) {
    expect_error(heed(train_command("classification", "class", "never") + options), 2, message);
  };
  const std::string no_text = " has no effect on a model that writes no text: leave it out";
  refused({"--search.beam", "3"}, "`search.beam`" + no_text);
  refused({"--text.joint", "false"}, "`text.joint`" + no_text);
  refused({"--valid.metric", "bleu"},
          "`valid.metric` must be loss, perplexity, accuracy or f1 with `task` = classification, but is bleu");
  refused({"--arch.vectors.type", "patches"},
          "`arch.vectors.type` must be none without `source-vectors`, images or audio");
  expect_error(heed({"train", "--task", "classification", "--preset", "lm-lstm", "--target", folder->path("dev.class"),
                     "--model", folder->path("never")}),
               2, "`task` must be language-model with the preset lm-lstm, but is classification");
}

}  // namespace
}  // namespace heed::end_to_end
