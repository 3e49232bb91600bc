#include "translate/model_use.h"

#include "program.h"

namespace heed::apps {

void describe(ModelUse& o, OptionVisitor& visit) {
  visit("model", o.model, "model directory that `heed train` or `heed average` made, or a file of `heed pack`");
  visit("checkpoint", o.checkpoint,
        "checkpoint to use instead of the final model: best, last, averaged "
        "(if the average is the final model) or the number of a step");
  describe_computation(o, visit);
}

void describe_computation(ModelUse& o, OptionVisitor& visit) {
  visit("device", o.device, "device to compute on: cpu, cuda, cuda:N, or auto for a GPU if there is one");
  visit("threads", o.threads, "CPU threads; 0: one for each core that the CPU quota allows", between(0, 1024));
  visit("invalid-text", o.invalid_text,
        "what to do with a line that is not UTF-8: stop, or replace the bad bytes by U+FFFD");
}

void describe_precision(engine::PrecisionChoice& precision, OptionVisitor& visit) {
  visit("precision", precision,
        "precision of matrix multiplications on a CPU: float32, bfloat16, or int8 (the weights are quantized when the "
        "model is loaded); auto: the narrowest that this processor has instructions for. Fewer bits are faster and "
        "change some results a little");
}

void require_model(const ModelUse& options) {
  require_option(!options.model.empty(), "model", "name the directory that `heed train` made");
}

}  // namespace heed::apps
