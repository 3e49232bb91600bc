// The file formats of parallel text, and the files of a corpus.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/enum_names.h"
#include "heed/data/corpus/corpus_files.h"

namespace heed::curation {

/// The form of a file of pairs. Two text files whose N-th lines belong together (Moses) have none.
enum class PairFormat { Tsv, JsonLines, Tmx, Xliff, Po };
constexpr auto option_names(PairFormat) {
  return std::array{std::pair{PairFormat::Tsv, "tsv"}, std::pair{PairFormat::JsonLines, "jsonl"},
                    std::pair{PairFormat::Tmx, "tmx"}, std::pair{PairFormat::Xliff, "xliff"},
                    std::pair{PairFormat::Po, "po"}};
}

/// The format that a file's name ends in, also before `.gz`: .jsonl, .ndjson, .json, .tmx, .xlf, .xliff, .po; all
/// others: TSV.
PairFormat format_of_name(std::string_view path);

/// A corpus in files. files: `source` and `target`, or `pairs`.
struct CorpusText {
  data::CorpusFiles files;
  std::optional<PairFormat> format = {};  ///< of `pairs`; absent: by the name of each file
  /// The places of a pair's sides and its document: the number of a column from 1 or its name in the header (TSV), the
  /// name of a member, with dots for members of members (JSON lines), or a language's code (TMX). Empty: columns 1 and
  /// 2, the members `source` and `target`, the two languages of the file. XLIFF and PO have only one place for each
  /// side.
  std::string source_field = {};
  std::string target_field = {};
  std::string document_field = {};
};

/// Throws ConfigError if the files do not form a corpus. prefix: of the options' names, such as "valid-".
void validate(const CorpusText& corpus, const std::string& prefix = "");

}  // namespace heed::curation
