#include "heed/config/presets.h"

#include "heed/config/settings_file.h"

namespace heed::config {
namespace {

// A corpus of ten thousands of sentences on a CPU (Multi30k); sizes of Wu et al. 2021,
// https://aclanthology.org/2021.acl-long.480, section 4.2.
constexpr std::string_view kTiny = R"([arch]
d-model = 128
dropout = 0.3
tied-embeddings = "all"
[arch.encoder]
layers = 4
heads = 4
norm-order = "pre"
[arch.encoder.feed-forward]
hidden = 256
[arch.decoder]
layers = 4
heads = 4
norm-order = "pre"
[arch.decoder.feed-forward]
hidden = 256
[train]
max-updates = 20000
[train.schedule]
learning-rate = 0.005
warmup = 2000
)";

// Some 100,000 sentences (IWSLT) on one GPU; fairseq's transformer_iwslt_de_en.
constexpr std::string_view kSmall = R"([text]
vocab-size = 10000
[data]
update-tokens = 8000
parts = 2
[arch]
dropout = 0.3
tied-embeddings = "all"
[arch.encoder]
heads = 4
norm-order = "pre"
[arch.encoder.feed-forward]
hidden = 1024
[arch.decoder]
heads = 4
norm-order = "pre"
[arch.decoder.feed-forward]
hidden = 1024
[train]
max-updates = 50000
[train.schedule]
warmup = 4000
[valid]
every = 1000
)";

// Millions of sentences (WMT): the base model of Vaswani et al. 2017, table 3.
constexpr std::string_view kBase = R"([text]
vocab-size = 32000
[data]
update-tokens = 25000
parts = 4
[arch]
tied-embeddings = "all"
[train]
max-updates = 100000
[train.schedule]
learning-rate = 0.0007
warmup = 4000
[valid]
every = 2000
)";

// The big model of the same table.
constexpr std::string_view kBig = R"([text]
vocab-size = 32000
[data]
update-tokens = 25000
parts = 8
[arch]
d-model = 1024
dropout = 0.3
tied-embeddings = "all"
[arch.encoder]
heads = 16
[arch.encoder.feed-forward]
hidden = 4096
[arch.decoder]
heads = 16
[arch.decoder.feed-forward]
hidden = 4096
[train]
max-updates = 300000
[train.schedule]
learning-rate = 0.0005
warmup = 4000
[valid]
every = 5000
)";

// The systems of the papers in sizes for a corpus of ten thousands of sentences on a CPU.

// Sutskever et al. 2014, https://arxiv.org/abs/1409.3215: a deep LSTM reads the source reversed, another goes on from its
// last states.
constexpr std::string_view kSutskever = R"([arch]
dropout = 0.2
tied-embeddings = "none"
embedding-scale = false
output-bias = true
[arch.encoder]
type = "rnn"
cell = "lstm"
layers = 2
hidden = 512
direction = "backward"
[arch.decoder]
type = "rnn"
cell = "lstm"
layers = 2
initial-state = "last"
attention = "none"
readout = "state"
[train]
max-updates = 6000
[train.schedule]
type = "cosine"
warmup = 500
)";

// Bahdanau et al. 2015, https://arxiv.org/abs/1409.0473.
constexpr std::string_view kBahdanau = R"([arch]
d-model = 256
dropout = 0.3
tied-embeddings = "none"
embedding-scale = false
output-bias = true
[arch.encoder]
type = "rnn"
cell = "gru-cho"
[arch.decoder]
type = "rnn"
cell = "gru-cho"
initial-state = "bridge"
[train]
max-updates = 4000
[train.schedule]
type = "cosine"
learning-rate = 0.002
warmup = 500
)";

// Luong et al. 2015, https://arxiv.org/abs/1508.04025: stacked LSTMs, attention after the cell, input feeding.
constexpr std::string_view kLuong = R"([arch]
dropout = 0.2
tied-embeddings = "none"
embedding-scale = false
output-bias = true
[arch.encoder]
type = "rnn"
cell = "lstm"
layers = 2
hidden = 512
direction = "forward"
[arch.decoder]
type = "rnn"
cell = "lstm"
layers = 2
initial-state = "last"
attention = "after"
score = "general"
readout = "tanh"
[train]
max-updates = 4000
[train.schedule]
type = "cosine"
warmup = 500
)";

// Wu et al. 2016, https://arxiv.org/abs/1609.08144: deep residual stacks; attention from the decoder's bottom layer,
// its context into every layer, and the top layer's state into the softmax.
constexpr std::string_view kGnmt = R"([arch]
dropout = 0.2
tied-embeddings = "none"
embedding-scale = false
output-bias = true
[arch.encoder]
type = "rnn"
cell = "lstm"
layers = 4
hidden = 512
residual = true
direction = "both-first"
[arch.decoder]
type = "rnn"
cell = "lstm"
layers = 4
residual = true
initial-state = "bridge"
normalized = true
context-to-every-layer = true
readout = "state"
[train]
max-updates = 4000
[train.schedule]
type = "cosine"
warmup = 500
)";

// Cheng et al. 2016, https://arxiv.org/abs/1601.06733: both networks attend to their own past states.
constexpr std::string_view kMemory = R"([arch]
d-model = 256
dropout = 0.3
tied-embeddings = "none"
embedding-scale = false
output-bias = true
[arch.encoder]
type = "rnn"
cell = "lstm"
memory-tape = true
[arch.decoder]
type = "rnn"
cell = "lstm"
memory-tape = true
initial-state = "bridge"
[train]
max-updates = 4000
[train.schedule]
type = "cosine"
learning-rate = 0.002
warmup = 500
)";

// Gehring et al. 2017, https://arxiv.org/abs/1705.03122.
constexpr std::string_view kConvolution = R"([arch]
d-model = 256
dropout = 0.2
embedding-scale = false
output-bias = true
[arch.encoder]
type = "convolution"
[arch.decoder]
type = "convolution"
[train]
max-updates = 4000
[train.schedule]
type = "cosine"
warmup = 500
)";

// Language models, in sizes for the same corpus. Label smoothing would make perplexities worse.

// Zaremba et al. 2014, https://arxiv.org/abs/1409.2329: stacked LSTMs with dropout between them.
constexpr std::string_view kLmLstm = R"(task = "language-model"
[arch]
dropout = 0.4
embedding-scale = false
output-bias = true
[arch.encoder]
type = "none"
[arch.decoder]
type = "rnn"
cell = "lstm"
layers = 2
initial-state = "zero"
attention = "none"
readout = "state"
[train]
label-smoothing = 0
max-updates = 4000
[train.schedule]
type = "cosine"
learning-rate = 0.002
warmup = 500
[valid]
metric = "perplexity"
translate = "none"
)";

// Radford et al. 2018: a Transformer decoder that looks at no source, with norms before the sublayers.
constexpr std::string_view kLmTransformer = R"(task = "language-model"
[arch]
d-model = 256
dropout = 0.3
[arch.encoder]
type = "none"
[arch.decoder]
layers = 4
heads = 4
norm-order = "pre"
[arch.decoder.feed-forward]
hidden = 1024
[train]
label-smoothing = 0
max-updates = 6000
[train.schedule]
type = "cosine"
learning-rate = 0.002
warmup = 500
[valid]
metric = "perplexity"
translate = "none"
)";

}  // namespace

std::string_view preset_toml(Preset preset) {
  switch (preset) {
    case Preset::TransformerTiny: return kTiny;
    case Preset::TransformerSmall: return kSmall;
    case Preset::TransformerBase: return kBase;
    case Preset::TransformerBig: return kBig;
    case Preset::RnnSutskever: return kSutskever;
    case Preset::RnnBahdanau: return kBahdanau;
    case Preset::RnnLuong: return kLuong;
    case Preset::RnnGnmt: return kGnmt;
    case Preset::RnnMemory: return kMemory;
    case Preset::Convolution: return kConvolution;
    case Preset::LmLstm: return kLmLstm;
    case Preset::LmTransformer: break;
  }
  return kLmTransformer;
}

RunOptions preset_options(Preset preset) {
  RunOptions options;
  options.preset = preset;
  apply_layers(walk_of(options), {parse_settings(preset_toml(preset), "preset")});
  return options;
}

}  // namespace heed::config
