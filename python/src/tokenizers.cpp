#include <filesystem>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "bindings.h"
#include "heed/api/given_lines.h"
#include "heed/text/tokenizer.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "tokenizer_object.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace heed::python {
namespace {

/// Ids that a program gives must be the tokenizer's.
void require_ids(const text::Tokenizer& tokenizer, const std::vector<int32_t>& ids) {
  for (const int32_t id : ids) {
    if (id < 0 || id >= tokenizer.size()) {
      throw nb::index_error(
          ("ids must be below " + std::to_string(tokenizer.size()) + ", found " + std::to_string(id)).c_str());
    }
  }
}

std::vector<int32_t> encode(const TokenizerObject& self, const nb::str& line) {
  const std::vector<std::string> lines = lines_of(nb::make_tuple(line), "lines");
  api::require_utf8(api::kLines, lines);
  return self.tokenizer->encode(lines[0]);
}

std::vector<std::string> tokens_of(const TokenizerObject& self, const nb::str& line) {
  std::vector<std::string> tokens;
  for (const int32_t id : encode(self, line)) tokens.push_back(self.tokenizer->piece(id));
  return tokens;
}

std::string decode(const TokenizerObject& self, const std::vector<int32_t>& ids) {
  require_ids(*self.tokenizer, ids);
  return self.tokenizer->decode(ids);
}

std::string piece(const TokenizerObject& self, int32_t id) {
  require_ids(*self.tokenizer, {id});
  return self.tokenizer->piece(id);
}

}  // namespace

void add_tokenizers(nb::module_& module) {
  nb::class_<TokenizerObject>(
      module, "Tokenizer",
      "One side's tokenizer: text to the ids that a model sees, and back. Pad, unknown, begin and "
      "end of a sentence are the ids 0 to 3.")
      .def_static(
          "open",
          [](const std::filesystem::path& path) { return TokenizerObject{text::load_tokenizer(path.string())}; },
          "path"_a,
          "Opens a tokenizer's file; its ending names the kind: .spm or .model (SentencePiece), .codes (byte-pair "
          "encoding), .words, .characters or .tokens.")
      .def("encode", encode, "line"_a, "The ids of a line, without begin and end of the sentence.")
      .def("tokens", tokens_of, "line"_a, "The tokens of a line.")
      .def("decode", decode, "ids"_a, "The text of ids.")
      .def("piece", piece, "id"_a, "The token of an id.")
      .def("__len__", [](const TokenizerObject& self) { return self.tokenizer->size(); })
      .def("__repr__", [](const TokenizerObject& self) {
        return "<heed.Tokenizer ." + std::string(self.tokenizer->file_ending()) + ", " +
               std::to_string(self.tokenizer->size()) + " entries>";
      });
}

}  // namespace heed::python
