#include "heed/serve/openapi.h"

namespace heed::serve {

const std::string_view kOpenApi = R"json({
  "openapi": "3.0.3",
  "info": {
    "title": "heed serve",
    "description": "Translates text. /translate, /languages, /frontend/settings and /health are those of LibreTranslate.",
    "version": "1"
  },
  "paths": {
    "/translate": {
      "post": {
        "summary": "Translates a text or a list of texts",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/TranslateRequest"}},
            "application/x-www-form-urlencoded": {"schema": {"$ref": "#/components/schemas/TranslateRequest"}},
            "multipart/form-data": {"schema": {"$ref": "#/components/schemas/TranslateRequest"}}
          }
        },
        "responses": {
          "200": {
            "description": "The translation of a text, or a list for a list",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TranslateResponse"}}}
          },
          "400": {"$ref": "#/components/responses/Error"},
          "403": {"$ref": "#/components/responses/Error"},
          "413": {"$ref": "#/components/responses/Error"},
          "429": {"$ref": "#/components/responses/Error"},
          "500": {"$ref": "#/components/responses/Error"},
          "503": {"$ref": "#/components/responses/Error"}
        }
      }
    },
    "/v1/translate": {
      "post": {
        "summary": "Translates a text or a list of texts, with scores, tokens, alignment and attention of each line",
        "requestBody": {
          "required": true,
          "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DetailedRequest"}}}
        },
        "responses": {
          "200": {
            "description": "The translation of a text, or `translations` for a list; with `stream` an event `line` for each line as soon as it is translated, in any order, then an event `end` or `error`",
            "content": {
              "application/json": {
                "schema": {
                  "oneOf": [
                    {"$ref": "#/components/schemas/DetailedText"},
                    {
                      "type": "object",
                      "required": ["translations"],
                      "properties": {
                        "translations": {"type": "array", "items": {"$ref": "#/components/schemas/DetailedText"}}
                      }
                    }
                  ]
                }
              },
              "text/event-stream": {"schema": {"type": "string"}}
            }
          },
          "400": {"$ref": "#/components/responses/Error"},
          "403": {"$ref": "#/components/responses/Error"},
          "413": {"$ref": "#/components/responses/Error"},
          "429": {"$ref": "#/components/responses/Error"},
          "500": {"$ref": "#/components/responses/Error"},
          "503": {"$ref": "#/components/responses/Error"}
        }
      }
    },
    "/languages": {
      "get": {
        "summary": "The source languages of the models, and the target languages of each",
        "responses": {
          "200": {
            "description": "The languages",
            "content": {
              "application/json": {
                "schema": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["code", "name", "targets"],
                    "properties": {
                      "code": {"type": "string"},
                      "name": {"type": "string"},
                      "targets": {"type": "array", "items": {"type": "string"}}
                    }
                  }
                }
              }
            }
          }
        }
      }
    },
    "/frontend/settings": {
      "get": {
        "summary": "Limits and defaults, for pages",
        "responses": {
          "200": {"description": "The settings", "content": {"application/json": {"schema": {"type": "object"}}}}
        }
      }
    },
    "/health": {
      "get": {
        "summary": "Whether the server works",
        "responses": {
          "200": {
            "description": "It works",
            "content": {
              "application/json": {"schema": {"type": "object", "properties": {"status": {"type": "string"}}}}
            }
          }
        }
      }
    },
    "/metrics": {
      "get": {
        "summary": "Counts in the text format of Prometheus",
        "responses": {
          "200": {"description": "The counts", "content": {"text/plain": {"schema": {"type": "string"}}}}
        }
      }
    },
    "/openapi.json": {
      "get": {
        "summary": "This document",
        "responses": {
          "200": {"description": "The document", "content": {"application/json": {"schema": {"type": "object"}}}}
        }
      }
    }
  },
  "components": {
    "responses": {
      "Error": {
        "description": "Why the request has no translation",
        "content": {
          "application/json": {
            "schema": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
          }
        }
      }
    },
    "schemas": {
      "Texts": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
      "TranslateRequest": {
        "type": "object",
        "required": ["q", "source", "target"],
        "properties": {
          "q": {"$ref": "#/components/schemas/Texts"},
          "source": {"type": "string", "description": "The language of the text", "example": "en"},
          "target": {"type": "string", "description": "The language to translate into", "example": "de"},
          "format": {"type": "string", "enum": ["text"], "default": "text"},
          "alternatives": {"type": "integer", "minimum": 0, "default": 0},
          "api_key": {"type": "string"}
        }
      },
      "TranslateResponse": {
        "type": "object",
        "required": ["translatedText"],
        "properties": {
          "translatedText": {"$ref": "#/components/schemas/Texts"},
          "alternatives": {"type": "array", "items": {"$ref": "#/components/schemas/Texts"}}
        }
      },
      "DetailedRequest": {
        "type": "object",
        "required": ["text", "source", "target"],
        "properties": {
          "text": {"$ref": "#/components/schemas/Texts"},
          "source": {"type": "string", "description": "The language of the text", "example": "en"},
          "target": {"type": "string", "description": "The language to translate into", "example": "de"},
          "split": {
            "type": "string",
            "enum": ["lines", "sentences"],
            "default": "lines",
            "description": "sentences: each sentence counts as a line"
          },
          "n_best": {"type": "integer", "minimum": 1, "default": 1},
          "tokens": {"type": "boolean", "default": false, "description": "Tokens and their log-probabilities"},
          "alignment": {"type": "boolean", "default": false, "description": "Words and which belong together"},
          "attention": {
            "type": "boolean",
            "default": false,
            "description": "The attention of each target token to each source token, of the last layer"
          },
          "prefix": {
            "description": "What the translation of a text's first line begins with",
            "allOf": [{"$ref": "#/components/schemas/Texts"}]
          },
          "stream": {"type": "boolean", "default": false, "description": "Answer by server-sent events"},
          "api_key": {"type": "string"}
        }
      },
      "DetailedText": {
        "type": "object",
        "required": ["translation", "lines"],
        "properties": {
          "translation": {"type": "string"},
          "lines": {"type": "array", "items": {"$ref": "#/components/schemas/DetailedLine"}}
        }
      },
      "DetailedLine": {
        "type": "object",
        "required": ["translation", "score", "flags"],
        "properties": {
          "source": {"type": "string"},
          "translation": {"type": "string"},
          "score": {"type": "number"},
          "flags": {"type": "array", "items": {"type": "string"}},
          "tokens": {"type": "array", "items": {"type": "string"}},
          "token_log_probabilities": {"type": "array", "items": {"type": "number"}},
          "source_words": {"type": "array", "items": {"type": "string"}},
          "target_words": {"type": "array", "items": {"type": "string"}},
          "alignment": {
            "type": "array",
            "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
          },
          "source_tokens": {"type": "array", "items": {"type": "string"}},
          "attention": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
          "n_best": {"type": "array", "items": {"$ref": "#/components/schemas/DetailedLine"}}
        }
      }
    }
  }
}
)json";

}  // namespace heed::serve
