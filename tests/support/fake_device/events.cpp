#include "support/fake_device/events.h"

#include <mutex>

namespace heed::test_support {
namespace {

thread_local bool inside = false;

struct Recording {
  std::mutex mutex;
  DeviceEvents events;
  int64_t operators = 0;  // since the last reset
  int64_t all_operators = 0;
  std::set<std::string> names;
};

Recording& recording() {
  static Recording made;
  return made;
}

template <class Record>
void record(Record take) {
  if (inside) return;
  Recording& all = recording();
  const std::lock_guard lock(all.mutex);
  take(all);
}

}  // namespace

int64_t DeviceEvents::operator_count() const {
  int64_t count = 0;
  for (const auto& [name, times] : operators) count += times;
  return count;
}

DeviceEvents device_events() {
  Recording& all = recording();
  const std::lock_guard lock(all.mutex);
  return all.events;
}

std::set<std::string> operators_of_process() {
  Recording& all = recording();
  const std::lock_guard lock(all.mutex);
  return all.names;
}

int64_t operators_so_far() {
  Recording& all = recording();
  const std::lock_guard lock(all.mutex);
  return all.all_operators;
}

void reset_device_events() {
  Recording& all = recording();
  const std::lock_guard lock(all.mutex);
  all.events = {};
  all.operators = 0;
}

std::string describe(const std::vector<DeviceEvent>& events) {
  std::string text;
  for (const DeviceEvent& event : events) {
    text += (text.empty() ? "" : ", ") + event.what + " after " + std::to_string(event.operators_before) + " operators";
  }
  return text.empty() ? "none" : text;
}

InsideDevice::InsideDevice() : outer_(inside) { inside = true; }

InsideDevice::~InsideDevice() { inside = outer_; }

void record_operator(const std::string& name) {
  record([&](Recording& all) {
    ++all.events.operators[name];
    ++all.operators;
    ++all.all_operators;
    all.names.insert(name);
  });
}

void record_wait(const std::string& what) {
  record([&](Recording& all) { all.events.waits.push_back({what, all.operators}); });
}

void record_upload(bool waits) {
  record([&](Recording& all) {
    all.events.uploads.push_back({waits ? "blocking upload" : "upload", all.operators});
    if (waits) all.events.waits.push_back({"blocking upload", all.operators});
  });
}

}  // namespace heed::test_support
