// What a server answers: LibreTranslate's API (https://docs.libretranslate.com), so that its clients work unchanged,
// and what operators ask for. Every error is {"error": MESSAGE}.
//
//   GET  /                   the web page
//   POST /translate          q (a text or a list), source, target, format (text or html), alternatives, api_key
//   POST /translate_file     file (of a form), source, target, terms: a URL for the translated file
//   GET  /download_file/KEY  a translated file
//   POST /detect             q: the language of a text
//   POST /v1/translate       heed's own: all that `heed translate --format json` tells; as a stream on request
//   GET  /v1/models          what each model is
//   GET  /languages          the languages of the models
//   GET  /frontend/settings  limits, and whether keys are required
//   GET  /health             {"status": "ok"}
//   GET  /metrics            counts for Prometheus
//   GET  /openapi.json       a description of the API
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "heed/core/options.h"
#include "heed/serve/api_keys.h"
#include "heed/serve/batcher.h"
#include "heed/serve/http_exchange.h"
#include "heed/serve/language_detection.h"
#include "heed/serve/model_set.h"
#include "heed/serve/parameters.h"
#include "heed/serve/request_rate.h"
#include "heed/serve/translated_files.h"

namespace heed::serve {

struct ApiOptions {
  int64_t max_sentences = 2000;        ///< of a request
  int64_t max_alternatives = 10;       ///< of a text, besides the best translation
  int64_t max_requests_each = 0;       ///< of a client in a minute; 0: no limit
  int64_t max_files = 64 << 20;        ///< bytes of all translated files that wait to be downloaded; 0: no files
  int64_t file_minutes = 30;           ///< until a translated file is removed
  int64_t timeout = 60;                ///< seconds for a request's translation
  std::string api_keys = {};           ///< file of keys; empty: every client may use the server
  std::vector<std::string> cors = {};  ///< origins whose pages may use the server; "*": all
};
void describe(ApiOptions& o, AnyOptionVisitor auto& visit) {
  visit("max-sentences", o.max_sentences, "sentences of a request; a longer one is refused (413)", at_least(1));
  visit("max-alternatives", o.max_alternatives, "alternative translations that a request may ask for, besides the best",
        between(0, 100));
  visit("max-requests-each", o.max_requests_each,
        "requests for a translation that one address (of IPv6 a network of 64 bits) may send in a minute; further ones "
        "are refused (429); 0: no limit",
        between(0, 1e6));
  visit("max-files", o.max_files,
        "bytes of all translated files that wait in memory to be downloaded; beyond it the oldest are removed; 0: the "
        "server translates no files",
        between(0, 1e12));
  visit("file-minutes", o.file_minutes, "minutes until a translated file is removed", between(1, 10'000));
  visit("timeout", o.timeout, "seconds after which a translation that is not finished is given up (503)",
        between(1, 86400));
  visit("api-keys", o.api_keys, "`FILE` of keys, one per line; a request must have one of them (403)");
  visit("cors", o.cors, "origins whose web pages may use the server, such as https://example.org; *: all");
}

class Api {
 public:
  /// max_body: bytes of a request's body, which clients may ask for. metrics: the text for /metrics. All arguments must
  /// outlive the API. Throws FileError, InputError for the file of keys.
  Api(const ApiOptions& options, int64_t max_body, const CurrentModels& models, Batcher& batcher,
      std::function<std::string()> metrics);

  /// Answers now, or later if the request needs a translation.
  void handle(const std::shared_ptr<HttpExchange>& exchange);
  /// The path if it is an endpoint, else "other": what logs and metrics show, since a client may write anything there.
  static std::string endpoint_of(const std::string& path);
  /// Bytes of translated files that wait to be downloaded.
  int64_t file_bytes() const { return files_.bytes(); }
  /// Reads the file of keys again. Throws as the constructor does, and keeps the keys then.
  void reload_keys();

 private:
  void route(const std::shared_ptr<HttpExchange>& exchange);
  void require_key(const HttpRequest& request, const Parameters& parameters) const;
  void require_rate(const HttpRequest& request);
  LanguagePair languages_of(const Parameters& parameters, const std::string& text,
                            std::optional<DetectedLanguage>& detected) const;
  void detect(const std::shared_ptr<HttpExchange>& exchange);
  void translate(const std::shared_ptr<HttpExchange>& exchange);
  void translate_file(const std::shared_ptr<HttpExchange>& exchange);
  nlohmann::ordered_json file_answer(const HttpRequest& request, const std::string& name, std::string bytes);
  HttpResponse download(const HttpRequest& request) const;
  void translate_in_detail(const std::shared_ptr<HttpExchange>& exchange);
  void submit(TranslationJob job, const std::shared_ptr<HttpExchange>& exchange);
  void answer(HttpExchange& exchange, HttpResponse response) const;
  void add_origin(const HttpRequest& request, HttpResponse& response) const;
  HttpResponse languages() const;
  HttpResponse frontend_settings() const;
  std::string allowed_origin(const HttpRequest& request) const;

  const ApiOptions options_;
  const int64_t max_body_;
  const CurrentModels& models_;
  Batcher& batcher_;
  const std::function<std::string()> metrics_;
  mutable std::mutex mutex_;
  ApiKeys keys_;
  TranslatedFiles files_;
  RequestRate rate_;  // used by the server's thread
};

}  // namespace heed::serve
