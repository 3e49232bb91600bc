// Options of every kind, for the tests of their readers and writers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heed/core/options.h"

namespace heed::config::sample {

enum class Order { Pre, Post };
constexpr auto option_names(Order) { return std::array{std::pair{Order::Pre, "pre"}, std::pair{Order::Post, "post"}}; }

struct Recurrent {
  static constexpr std::string_view kName = "rnn";
  std::string cell = "gru";
  int64_t layers = 1;
  bool operator==(const Recurrent&) const = default;
};
void describe(Recurrent& o, AnyOptionVisitor auto& visit) {
  visit("cell", o.cell, "kind of recurrent cell");
  visit("layers", o.layers, "layers in the stack", at_least(1));
}

struct Shaw {
  static constexpr std::string_view kName = "shaw";
  int64_t distance = 16;
  bool operator==(const Shaw&) const = default;
};
void describe(Shaw& o, AnyOptionVisitor auto& visit) { visit("distance", o.distance, "largest distance", at_least(1)); }

struct Sinusoidal {
  static constexpr std::string_view kName = "sinusoidal";
  bool operator==(const Sinusoidal&) const = default;
};
void describe(Sinusoidal&, AnyOptionVisitor auto&) {}

struct Attentive {
  static constexpr std::string_view kName = "transformer";
  int64_t layers = 4;
  Order norm = Order::Post;
  std::variant<Sinusoidal, Shaw> positions;
  bool operator==(const Attentive&) const = default;
};
void describe(Attentive& o, AnyOptionVisitor auto& visit) {
  visit("layers", o.layers, "layers in the stack", at_least(1));
  visit("norm", o.norm, "where the normalization stands");
  visit.alternatives("positions", o.positions, "how positions are told apart");
}

struct Side {
  std::variant<Attentive, Recurrent> parts;
  double dropout = 0.1;
  bool operator==(const Side&) const = default;
};
void describe(Side& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o.parts, "kind of network");
  visit("dropout", o.dropout, "share of zeroed values", between(0, 1));
}

struct Options {
  std::vector<std::string> source;
  std::string model;
  bool joint = false;
  std::optional<int64_t> threads;
  Side encoder;
  Amount patience{.value = 10, .unit = AmountUnit::Epochs};
  bool operator==(const Options&) const = default;
};
void describe(Options& o, AnyOptionVisitor auto& visit) {
  visit("source", o.source, "text files of the source side");
  visit("model", o.model, "folder of the model");
  visit("joint", o.joint, "one vocabulary for both sides");
  visit("threads", o.threads, "threads to work with", at_least(1));
  visit.section("encoder", o.encoder, "reads the source");
  visit("patience", o.patience, "when to give up");
}

}  // namespace heed::config::sample
