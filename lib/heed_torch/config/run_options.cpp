#include "heed_torch/config/run_options.h"

namespace heed::config {

bool writes_text(Task task) { return task == Task::Translation || task == Task::LanguageModel; }

namespace {

void describe_text(data::CorpusFiles& o, OptionVisitor& visit) {
  visit(
      "source", o.source,
      "training text, source side: files (.gz too), patterns such as 'news.*.en.gz' (in quotes), lists of them as @LIST, or - "
      "for standard input");
  visit("source-vectors", o.vectors,
        "training vectors: item N is the source of target line N, or with `source` is read together with its text: "
        "audio frames, image regions, pixels, series; `FILE.npy` or FILE.safetensors");
  visit("source-images", o.pictures,
        "training images, instead of vectors: `LIST` of PNG files, one path per line, relative to the list");
  visit("source-audio", o.sounds,
        "training audio, instead of vectors: `LIST` of audio files (WAV, FLAC, ...), one path per line");
  visit("target", o.target,
        "training text, target side: line N translates line N "
        "of the source; for a language model its training text; or labels, or numbers, of that line");
  visit("pairs", o.pairs, "training text in files of lines SOURCE TAB TARGET, instead of source and target");
  visit(
      "weights", o.weights,
      "sentence weights: files with a number on each line, what the loss of the pair of that line counts; 0 leaves it "
      "out");
  visit("weight-column", o.weight_column, "lines of pairs have a third column, the weight of the pair");
  visit("alignments", o.alignments,
        "guided alignment: files with the links between the words of each pair, such as 0-0 1-2 (Pharaoh format, as of "
        "fast_align and `heed align`); attention learns from them");
}

void describe_validation_text(data::CorpusFiles& o, OptionVisitor& visit) {
  visit("valid-source", o.source, "validation text, source side");
  visit("valid-source-vectors", o.vectors, "validation vectors, as source-vectors");
  visit("valid-source-images", o.pictures, "validation images, as source-images");
  visit("valid-source-audio", o.sounds, "validation audio, as source-audio");
  visit("valid-target", o.target,
        "validation text, target side: the references; for a language model its validation text");
  visit("valid-pairs", o.pairs,
        "validation text in files of lines SOURCE TAB TARGET, instead of valid-source and valid-target");
}

}  // namespace

void describe(RunOptions& o, OptionVisitor& visit) {
  visit("preset", o.preset, "set of options to start from; all other options overwrite it");
  visit("task", o.task,
        "train a translation model, a language model of only the target text, or a model that gives each source a "
        "label (classification), each of its words a label (labelling), or numbers (regression)");
  describe_text(o.corpus, visit);
  describe_validation_text(o.valid_corpus, visit);
  visit("model", o.model, "model directory; a training that began there earlier is resumed");
  describe(o.base, visit);
  visit("seed", o.seed, "seed of all random numbers", at_least(0));
  visit("device", o.device, "device to compute on: cpu, cuda, cuda:N, or auto for a GPU if there is one");
  visit("threads", o.threads, "CPU threads; 0: one for each core that the CPU quota allows", between(0, 1024));
  visit.section("text", o.text, "tokenizers");
  visit.section("data", o.data, "training data: which pairs are used, and how they become batches");
  describe(o.media, visit);
  visit.section("arch", o.arch, "architecture of the model");
  visit.section("vectors", o.vectors, "word vectors as initial embeddings");
  visit.section("train", o.train, "training: optimizer, learning rate, limits, checkpoints");
  visit.section("valid", o.valid, "validation and early stopping");
  visit.section("search", o.search, "search: defaults of the model's translations");
  visit.section("log", o.log, "log");
  visit.section("distributed", o.distributed, "training on several ranks: processes that a launcher started");
}

}  // namespace heed::config
