// The parameters of a request: the members of its JSON body, or the fields of its form and query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/serve/http_exchange.h"

namespace heed::serve {

/// Why a request is refused: the answer's status, and the message in {"error": MESSAGE}.
class RequestError : public Error {
 public:
  RequestError(int status, const std::string& message) : Error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// All functions throw RequestError(400) if a parameter has another type or is not well-formed UTF-8. null is absent.
class Parameters {
 public:
  /// Throws RequestError(400) if the body is not a JSON object.
  explicit Parameters(const HttpRequest& request);

  bool has(const std::string& name) const { return find(name) != nullptr; }
  /// The value as it was given; null: it is absent.
  const nlohmann::json* find(const std::string& name) const;
  /// A text; "" if it is absent.
  std::string text(const std::string& name) const;
  /// A text that must be there and not be empty. what: what it is, for the message.
  std::string required_text(const std::string& name, const std::string& what) const;
  /// A whole number, also as text; absent: the default.
  int64_t whole_number(const std::string& name, int64_t absent) const;
  /// true or false; absent: false.
  bool flag(const std::string& name) const;
  /// A JSON object, also as text, since a form has no objects; {} if it is absent. what: what it is, for the message.
  nlohmann::json object(const std::string& name, const std::string& what) const;

  struct Texts {
    std::vector<std::string> texts;
    bool is_list = false;  ///< whether they were given as a list
  };
  /// A text or a list of texts, which must be there.
  Texts texts(const std::string& name) const;

 private:
  nlohmann::json members_;
};

}  // namespace heed::serve
