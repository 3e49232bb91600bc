// The fuzz targets that need no LibTorch.
#pragma once

#include <string_view>

namespace heed::fuzz {

// files.cpp
void read_safetensors(std::string_view input);
void read_npy(std::string_view input);
void read_text_file(std::string_view input);
void read_encoded_text(std::string_view input);
void read_png_image(std::string_view input);
void read_sound(std::string_view input);

// model_directory.cpp
void read_manifest_file(std::string_view input);
void read_configuration(std::string_view input);
void read_parameters(std::string_view input);
void read_sentence_pieces(std::string_view input);
void read_codes_file(std::string_view input);
void read_vocabulary_file(std::string_view input);
void read_target_vocabulary(std::string_view input);
void read_piece_table(std::string_view input);
void read_short_list(std::string_view input);

// corpora.cpp
void read_corpus(std::string_view input);
void read_tables(std::string_view input);
void read_json_lines(std::string_view input);
void read_tmx_pairs(std::string_view input);
void read_n_best_lists(std::string_view input);
void read_feature_weights(std::string_view input);
void read_vectors_of_words(std::string_view input);
void read_csv_glossary(std::string_view input);
void read_tbx_glossary(std::string_view input);
void read_terms(std::string_view input);

// documents.cpp
void translate_html(std::string_view input);
void translate_xml(std::string_view input);
void translate_xliff(std::string_view input);
void translate_po(std::string_view input);
void translate_tmx(std::string_view input);
void translate_srt(std::string_view input);
void translate_vtt(std::string_view input);
void translate_markdown(std::string_view input);
void translate_docx(std::string_view input);

// text.cpp
void tokenize_text(std::string_view input);
void find_in_text(std::string_view input);
void score_translations(std::string_view input);
void score_labels(std::string_view input);

// program.cpp
void read_arguments(std::string_view input);
void read_python_arguments(std::string_view input);
void serve_requests(std::string_view input);

}  // namespace heed::fuzz
