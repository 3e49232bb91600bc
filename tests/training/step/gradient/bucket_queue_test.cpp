#include "heed_torch/training/step/gradient/bucket_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace heed::training {
namespace {

TEST(BucketQueue, HandsOverInItsOrder) {
  std::vector<size_t> given;
  BucketQueue queue({3, 1, 2, 0}, [&](size_t bucket) { given.push_back(bucket); });
  queue.complete(2);
  EXPECT_TRUE(given.empty());
  queue.complete(3);
  EXPECT_EQ(given, (std::vector<size_t>{3}));
  queue.complete(1);
  EXPECT_EQ(given, (std::vector<size_t>{3, 1, 2}));
  queue.complete(0);
  EXPECT_EQ(given, (std::vector<size_t>{3, 1, 2, 0}));
  EXPECT_EQ(queue.completed(), (std::vector<size_t>{2, 3, 1, 0}));
}

TEST(BucketQueue, DoesNotKeepOthersWaiting) {
  std::atomic<bool> waiting = false, released = false;
  std::vector<size_t> given;
  BucketQueue queue({1, 0}, [&](size_t bucket) {
    given.push_back(bucket);
    waiting = true;
    while (!released) std::this_thread::yield();
  });
  std::thread first([&] { queue.complete(1); });
  while (!waiting) std::this_thread::yield();
  queue.complete(0);  // returns, though the other has not
  EXPECT_FALSE(released);
  released = true;
  first.join();
  EXPECT_EQ(given, (std::vector<size_t>{1, 0})) << "who handed over takes what has come meanwhile";
}

TEST(BucketQueue, HandsOverNothingAfterAnError) {
  size_t calls = 0;
  BucketQueue queue({1, 0}, [&](size_t) {
    ++calls;
    throw std::runtime_error("nobody is there");
  });
  EXPECT_THROW(queue.complete(1), std::runtime_error);
  EXPECT_NO_THROW(queue.complete(0));
  EXPECT_EQ(calls, 1U);
}

}  // namespace
}  // namespace heed::training
