// What happened on the fake device: operators, waits of the host, copies from the host. Where CUDA is given work, the
// host goes on at once; it waits where it wants a result, and where it copies from memory that is not pinned.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace heed::test_support {

/// A moment of a recording: after how many operators.
struct DeviceEvent {
  std::string what;
  int64_t operators_before = 0;
};

struct DeviceEvents {
  std::map<std::string, int64_t> operators;  ///< how often each ran, by name and overload, such as "aten::add.Tensor"
  std::vector<DeviceEvent> waits;  ///< of the host for the device: item(), equal, copies to the host, blocking uploads
  std::vector<DeviceEvent> uploads;  ///< copies from the host, also those that nobody waits for

  int64_t operator_count() const;
};

/// What happened in this process since the last reset; from several threads too. What an operator does inside does not
/// count.
DeviceEvents device_events();
/// The names of all operators that ran since the process began.
std::set<std::string> operators_of_process();
/// Their number: the device's own clock, a millisecond each.
int64_t operators_so_far();
void reset_device_events();

/// In words, for a test's message: "item after 12 operators, ...".
std::string describe(const std::vector<DeviceEvent>& events);

/// A guard: what happens on this thread while it lives is of the device's own code, and not recorded.
class InsideDevice {
 public:
  InsideDevice();
  ~InsideDevice();
  InsideDevice(const InsideDevice&) = delete;
  InsideDevice& operator=(const InsideDevice&) = delete;

 private:
  bool outer_;
};

void record_operator(const std::string& name);
void record_wait(const std::string& what);
/// waits: whether the host waits until it is done.
void record_upload(bool waits);

}  // namespace heed::test_support
