// heed._heed: the library as a Python module. python/heed/__init__.py is what users import.
#include "bindings.h"
#include "heed/core/allocation.h"
#include "heed_torch/api/use_torch.h"

NB_MODULE(_heed, module) {
  heed::keep_freed_memory();
  heed::use_torch();
  heed::python::add_errors(module);
  heed::python::add_log(module);
  heed::python::add_tokenizers(module);
  heed::python::add_translator(module);
  heed::python::add_metrics(module);
  heed::python::add_training(module);
}
