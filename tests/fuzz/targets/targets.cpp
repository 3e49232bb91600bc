#include "fuzz/targets/targets.h"

#include "fuzz/target.h"

namespace heed::fuzz {

std::span<const Target> all_targets() {
  static constexpr Target kTargets[] = {
      {"safetensors", read_safetensors},
      {"npy", read_npy},
      {"text-file", read_text_file},
      {"encoded-text", read_encoded_text},
      {"png", read_png_image},
      {"sound", read_sound},
      {"manifest", read_manifest_file},
      {"configuration", read_configuration},
      {"parameters", read_parameters},
      {"sentencepiece", read_sentence_pieces},
      {"bpe-codes", read_codes_file},
      {"vocabulary", read_vocabulary_file},
      {"labels", read_target_vocabulary},
      {"piece-table", read_piece_table},
      {"short-list", read_short_list},
      {"corpus", read_corpus},
      {"table", read_tables},
      {"json-lines", read_json_lines},
      {"tmx-pairs", read_tmx_pairs},
      {"n-best", read_n_best_lists},
      {"feature-weights", read_feature_weights},
      {"word-vectors", read_vectors_of_words},
      {"glossary-csv", read_csv_glossary},
      {"glossary-tbx", read_tbx_glossary},
      {"terms", read_terms},
      {"html", translate_html},
      {"xml", translate_xml},
      {"xliff", translate_xliff},
      {"po", translate_po},
      {"tmx", translate_tmx},
      {"srt", translate_srt},
      {"vtt", translate_vtt},
      {"markdown", translate_markdown},
      {"docx", translate_docx},
      {"tokenizers", tokenize_text},
      {"text", find_in_text},
      {"metrics", score_translations},
      {"label-metrics", score_labels},
      {"arguments", read_arguments},
      {"python-arguments", read_python_arguments},
      {"requests", serve_requests},
  };
  return kTargets;
}

}  // namespace heed::fuzz
