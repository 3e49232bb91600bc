#include "heed/serve/api.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/files/embedded_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/serve/detailed_query.h"
#include "heed/serve/file_query.h"
#include "heed/serve/http_server.h"
#include "heed/serve/model_description.h"
#include "heed/serve/translate_query.h"
#include "heed/translation/lines/sentences.h"

namespace heed::serve {
namespace {

using Json = nlohmann::ordered_json;
using translation::Translation;

/// An endpoint and the method that it takes.
struct Endpoint {
  std::string_view path, method;
};
constexpr auto kEndpoints = std::to_array<Endpoint>({{"/", "GET"},
                                                     {"/translate", "POST"},
                                                     {"/translate_file", "POST"},
                                                     {"/download_file", "GET"},
                                                     {"/detect", "POST"},
                                                     {"/v1/translate", "POST"},
                                                     {"/v1/models", "GET"},
                                                     {"/languages", "GET"},
                                                     {"/frontend/settings", "GET"},
                                                     {"/health", "GET"},
                                                     {"/metrics", "GET"},
                                                     {"/openapi.json", "GET"}});

constexpr std::string_view kDownloads = "/download_file/";

/// The page uses what is in it and this server, nothing else.
HttpResponse page() {
  return {.body = std::string(embedded_file("serve/page/page.html")),
          .content_type = "text/html; charset=utf-8",
          .headers = {{"Cache-Control", "no-cache"},
                      {"Content-Security-Policy",
                       "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
                       "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"}}};
}

constexpr const char* kNoDetection =
    "this server cannot detect languages: heed is built without CLD2 (libcld2-dev); name the `source`";

HttpResponse json_response(const Json& json) {
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"};
}

/// The address by which the client reaches this server: its header Host, and the protocol of the proxy before it.
/// Empty, so that URLs are relative, if the header has other characters than a name and a port.
std::string address_of(const HttpRequest& request) {
  const bool plain = std::ranges::all_of(request.host, [](char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') ||
           std::string_view(".-_:[]").find(character) != std::string_view::npos;
  });
  if (!plain || request.host.empty()) return "";
  return (request.forwarded_protocol == "https" ? "https://" : "http://") + request.host;
}

/// Why a request is refused that may be sent again.
class TooMany : public RequestError {
 public:
  TooMany(const std::string& message, int64_t seconds) : RequestError(429, message), seconds_(seconds) {}
  int64_t seconds() const { return seconds_; }

 private:
  int64_t seconds_;
};

HttpResponse try_later(const std::string& message, int64_t seconds) {
  HttpResponse response = error_response(429, message);
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

/// The answer for what translating threw.
HttpResponse response_to(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const TooMany& error) {
    return try_later(error.what(), error.seconds());
  } catch (const RequestError& error) {
    return error_response(error.status(), error.what());
  } catch (const QueueFull& error) {
    return try_later(error.what(), 1);
  } catch (const TooLate& error) {
    return error_response(503, error.what());
  } catch (const Stopped& error) {
    return error_response(503, error.what());
  } catch (const Error& error) {  // such as a prefix that is too long
    return error_response(400, error.what());
  } catch (const std::exception& error) {
    log_warning(fmt::format("a translation failed: {}", error.what()));
    return error_response(500, "the translation failed");
  } catch (...) {
    return error_response(500, "the translation failed");
  }
}

void require_few_sentences(const std::vector<std::string>& lines, int64_t most) {
  int64_t count = 0;
  for (const std::string& line : lines) count += std::ssize(translation::sentences(line));
  if (count <= most) return;
  throw RequestError(
      413, fmt::format("the request has {} sentences, more than {}", format_count(count), format_count(most)));
}

/// The model for these languages. Throws RequestError.
const ModelSet::Entry& entry_of(const ModelSet& models, const LanguagePair& languages) {
  if (const ModelSet::Entry* entry = models.find(languages)) return *entry;
  const auto targets = models.targets().find(languages.source);
  if (targets == models.targets().end()) {
    throw RequestError(400, fmt::format("{} is not supported as a source language", languages.source));
  }
  if (!models.has_target(languages.target)) {
    throw RequestError(400, fmt::format("{} is not supported as a target language", languages.target));
  }
  throw RequestError(400, fmt::format("{} is not available as a target language from {}; {} is", languages.target,
                                      languages.source, fmt::join(targets->second, ", ")));
}

/// The answer that `make` returns, or the error that it throws.
template <class Answer>
HttpResponse response_of(const Answer& make) {
  try {
    return json_response(make());
  } catch (...) {
    return response_to(std::current_exception());
  }
}

/// An event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html).
std::string event(std::string_view name, const Json& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Api::Api(const ApiOptions& options, int64_t max_body, const CurrentModels& models, Batcher& batcher,
         std::function<std::string()> metrics)
    : options_(options),
      max_body_(max_body),
      models_(models),
      batcher_(batcher),
      metrics_(std::move(metrics)),
      files_(options.max_files, std::chrono::minutes(options.file_minutes)),
      rate_(options.max_requests_each) {
  reload_keys();
}

void Api::reload_keys() {
  if (options_.api_keys.empty()) return;
  ApiKeys keys(options_.api_keys);
  const std::lock_guard lock(mutex_);
  keys_ = std::move(keys);
}

std::string Api::endpoint_of(const std::string& path) {
  if (path.starts_with(kDownloads)) return std::string(kDownloads.substr(0, kDownloads.size() - 1));
  const auto found = std::ranges::find(kEndpoints, path, &Endpoint::path);
  return found == kEndpoints.end() ? "other" : path;
}

void Api::handle(const std::shared_ptr<HttpExchange>& exchange) {
  try {
    route(exchange);
  } catch (...) {
    answer(*exchange, response_to(std::current_exception()));
  }
}

void Api::route(const std::shared_ptr<HttpExchange>& exchange) {
  const HttpRequest& request = exchange->request();
  const auto endpoint = std::ranges::find(kEndpoints, endpoint_of(request.path), &Endpoint::path);
  if (endpoint == kEndpoints.end() || request.path == "/download_file")
    throw RequestError(404, "this endpoint does not exist");
  if (request.method == "OPTIONS") return answer(*exchange, {.status = 204, .body = {}});
  if (request.method != endpoint->method) {
    throw RequestError(405, fmt::format("{} takes {} only", endpoint->path, endpoint->method));
  }
  if (request.path == "/") return answer(*exchange, page());
  if (endpoint->method == "POST") require_rate(request);
  if (request.path == "/detect") return detect(exchange);
  if (request.path == "/v1/models") return answer(*exchange, json_response(describe_models(*models_.get())));
  if (request.path == "/translate") return translate(exchange);
  if (request.path == "/translate_file") return translate_file(exchange);
  if (endpoint->path == "/download_file") return answer(*exchange, download(request));
  if (request.path == "/v1/translate") return translate_in_detail(exchange);
  if (request.path == "/openapi.json")
    return answer(*exchange, {.body = std::string(embedded_file("serve/openapi.json"))});
  if (request.path == "/languages") return answer(*exchange, languages());
  if (request.path == "/frontend/settings") return answer(*exchange, frontend_settings());
  if (request.path == "/metrics") {
    return answer(*exchange, {.body = metrics_(), .content_type = "text/plain; version=0.0.4; charset=utf-8"});
  }
  answer(*exchange, json_response({{"status", "ok"}}));
}

void Api::require_key(const HttpRequest& request, const Parameters& parameters) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::lock_guard lock(mutex_);
  if (!keys_.required()) return;
  std::string key = parameters.text("api_key");
  if (key.empty() && request.authorization.starts_with(kBearer)) key = request.authorization.substr(kBearer.size());
  if (key.empty()) throw RequestError(403, "`api_key` is missing: this server requires a key");
  if (!keys_.allow(key)) throw RequestError(403, "Invalid API key");
}

void Api::require_rate(const HttpRequest& request) {
  const auto seconds = rate_.refuse(request.client);
  if (!seconds) return;
  throw TooMany(fmt::format("more than {} requests in a minute; try again in {}", options_.max_requests_each,
                            counted(*seconds, "second")),
                *seconds);
}

void Api::detect(const std::shared_ptr<HttpExchange>& exchange) {
  const Parameters parameters(exchange->request());
  require_key(exchange->request(), parameters);
  const std::string text = parameters.text("q");
  if (!can_detect_languages()) throw RequestError(400, kNoDetection);
  Json all = Json::array();
  for (const DetectedLanguage& language : detect_languages(text)) all.push_back(detected_json(language));
  answer(*exchange, json_response(all));
}

/// Detects the source language if it is auto: the served language that most of the text is in.
LanguagePair Api::languages_of(const Parameters& parameters, const std::string& text,
                               std::optional<DetectedLanguage>& detected) const {
  LanguagePair languages{parameters.required_text("source", "the language of the text"),
                         parameters.required_text("target", "the language to translate into")};
  if (languages.source != "auto") return languages;
  const auto models = models_.get();
  const auto found = detect_languages(text);
  for (const DetectedLanguage& language : found) {
    for (const auto& [source, targets] : models->targets()) {
      if (source != language.code && source.substr(0, source.find('-')) != language.code) continue;
      detected = DetectedLanguage{source, language.confidence};
      return {source, languages.target};
    }
  }
  if (models->targets().size() == 1) {
    detected = DetectedLanguage{models->targets().begin()->first, 0};
    return {detected->code, languages.target};
  }
  if (!can_detect_languages()) throw RequestError(400, kNoDetection);
  throw RequestError(400, found.empty() ? "the language of the text cannot be detected: name the `source`"
                                        : fmt::format("the text seems to be {}, which is not served: name the `source`",
                                                      language_name(found.front().code)));
}

void Api::translate(const std::shared_ptr<HttpExchange>& exchange) {
  const Parameters parameters(exchange->request());
  require_key(exchange->request(), parameters);
  const auto query = std::make_shared<TranslateQuery>(parameters, options_.max_alternatives);
  std::optional<DetectedLanguage> detected;
  const LanguagePair languages = languages_of(parameters, fmt::format("{}", fmt::join(query->lines(), "\n")), detected);
  if (detected) query->set_detected(*detected);
  const auto models = models_.get();
  TranslationJob job = query->job(entry_of(*models, languages));
  require_few_sentences(job.lines, options_.max_sentences);
  exchange->set_note(fmt::format("{} {}", languages.text(), counted(std::ssize(job.lines), "line")));
  job.done = [this, exchange, query](const std::vector<Translation>& translations, const std::exception_ptr& error) {
    answer(*exchange, error ? response_to(error) : response_of([&] { return query->answer(translations); }));
  };
  submit(std::move(job), exchange);
}

void Api::translate_file(const std::shared_ptr<HttpExchange>& exchange) {
  const HttpRequest& request = exchange->request();
  const Parameters parameters(request);
  require_key(request, parameters);
  if (options_.max_files == 0) throw RequestError(403, "this server translates no files");
  if (!request.file) throw RequestError(400, "`file` is missing: the document to translate, in a form");
  const auto query = std::make_shared<FileQuery>(*request.file, parameters);
  std::optional<DetectedLanguage> detected;
  const LanguagePair languages = languages_of(parameters, fmt::format("{}", fmt::join(query->lines(), "\n")), detected);
  const auto models = models_.get();
  TranslationJob job = query->job(entry_of(*models, languages));
  require_few_sentences(job.lines, options_.max_sentences);
  exchange->set_note(fmt::format("{} {}", languages.text(), counted(std::ssize(job.lines), "line")));
  job.done = [this, exchange, query](const std::vector<Translation>& translations, const std::exception_ptr& error) {
    answer(*exchange, error ? response_to(error) : response_of([&] {
      return file_answer(exchange->request(), query->name(), query->translated(translations));
    }));
  };
  submit(std::move(job), exchange);
}

/// Keeps a translated file. Returns its URL.
Json Api::file_answer(const HttpRequest& request, const std::string& name, std::string bytes) {
  const auto size = std::ssize(bytes);
  const auto key = files_.add(name, std::move(bytes));
  if (!key) {
    throw RequestError(413, fmt::format("the translated file has {} bytes, more than {}", format_count(size),
                                        format_count(options_.max_files)));
  }
  return {{"translatedFileUrl", address_of(request) + std::string(kDownloads) + *key}};
}

HttpResponse Api::download(const HttpRequest& request) const {
  const auto file = files_.find(request.path.substr(kDownloads.size()));
  if (!file) throw RequestError(404, "this file does not exist any more");
  return {.body = file->bytes,
          .content_type = "application/octet-stream",
          .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", file->name)},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"}}};
}

void Api::translate_in_detail(const std::shared_ptr<HttpExchange>& exchange) {
  const Parameters parameters(exchange->request());
  require_key(exchange->request(), parameters);
  const auto models = models_.get();
  std::optional<DetectedLanguage> detected;
  const LanguagePair languages =
      languages_of(parameters, fmt::format("{}", fmt::join(parameters.texts("text").texts, "\n")), detected);
  const ModelSet::Entry& entry = entry_of(*models, languages);
  const auto query =
      std::make_shared<DetailedQuery>(parameters, options_.max_alternatives + 1, entry.model, entry.target_tag);
  if (detected) query->set_detected(detected->code);
  require_few_sentences(query->texts().lines(), options_.max_sentences);
  exchange->set_note(fmt::format("{} {}", languages.text(), counted(std::ssize(query->texts().lines()), "line")));
  TranslationJob job = query->job();
  if (!query->streams()) {
    job.done = [this, exchange, query](const std::vector<Translation>& translations, const std::exception_ptr& error) {
      answer(*exchange, error ? response_to(error) : response_of([&] { return query->answer(translations); }));
    };
    return submit(std::move(job), exchange);
  }
  const auto begin = [this, exchange] {  // at the first event, so that a request may still be refused before
    HttpResponse head{.body = {}, .content_type = "text/event-stream", .headers = {{"Cache-Control", "no-store"}}};
    add_origin(exchange->request(), head);
    exchange->begin_stream(std::move(head));
  };
  const auto begun = std::make_shared<std::once_flag>();
  job.on_line = [exchange, query, begin, begun](size_t line, const Translation& translation) {
    std::call_once(*begun, begin);
    exchange->send(event("line", query->line_event(line, translation)));
  };
  job.done = [this, exchange, query, begin, begun](const std::vector<Translation>&, const std::exception_ptr& error) {
    if (error) {
      const HttpResponse refused = response_to(error);
      answer(*exchange, refused);  // unless the stream has begun
      exchange->send(fmt::format("event: error\ndata: {}\n", refused.body));
    } else {
      std::call_once(*begun, begin);
      exchange->send(event("end", Json::object()));
    }
    exchange->end_stream();
  };
  submit(std::move(job), exchange);
}

void Api::submit(TranslationJob job, const std::shared_ptr<HttpExchange>& exchange) {
  job.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(options_.timeout);
  job.is_abandoned = [exchange] { return exchange->is_abandoned(); };
  batcher_.submit(std::move(job));
}

HttpResponse Api::languages() const {
  Json all = Json::array();
  for (const auto& [source, targets] : models_.get()->targets()) {
    all.push_back({{"code", source}, {"name", language_name(source)}, {"targets", targets}});
  }
  return json_response(all);
}

HttpResponse Api::frontend_settings() const {
  const auto models = models_.get();
  const auto& [source, targets] = *models->targets().begin();
  const auto named = [](const std::string& code) { return Json{{"code", code}, {"name", language_name(code)}}; };
  const std::lock_guard lock(mutex_);
  return json_response({{"alternatives", options_.max_alternatives},
                        {"apiKeys", keys_.required()},
                        {"bodyLimit", max_body_},
                        {"charLimit", -1},
                        {"detection", can_detect_languages()},
                        {"filesTranslation", options_.max_files > 0},
                        {"frontendTimeout", 500},
                        {"keyRequired", keys_.required()},
                        {"language", {{"source", named(source)}, {"target", named(targets.front())}}},
                        {"suggestions", false},
                        {"supportedFilesFormat", options_.max_files > 0 ? Json(translated_endings()) : Json::array()}});
}

std::string Api::allowed_origin(const HttpRequest& request) const {
  if (request.origin.empty()) return "";
  const bool allowed = std::ranges::any_of(
      options_.cors, [&](const std::string& origin) { return origin == "*" || origin == request.origin; });
  return allowed ? request.origin : "";
}

/// Adds the headers that let pages of allowed origins read the answer.
void Api::add_origin(const HttpRequest& request, HttpResponse& response) const {
  const std::string origin = allowed_origin(request);
  if (origin.empty()) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", origin);
  response.headers.emplace_back("Access-Control-Allow-Headers", "Authorization, Content-Type");
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
  response.headers.emplace_back("Vary", "Origin");
}

void Api::answer(HttpExchange& exchange, HttpResponse response) const {
  add_origin(exchange.request(), response);
  exchange.answer(std::move(response));
}

}  // namespace heed::serve
