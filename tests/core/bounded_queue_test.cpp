#include "heed/core/bounded_queue.h"

#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace heed {
namespace {

using Numbers = std::vector<int>;

TEST(BoundedQueue, HandsOnAllInOrder) {
  BoundedQueue<int> queue(3);
  std::thread giver([&] {
    for (int i = 0; i < 1000; ++i) queue.put(i);
    queue.close();
  });
  Numbers all;
  for (Numbers some = queue.take(2); !some.empty(); some = queue.take(2)) {
    EXPECT_LE(some.size(), 2U);
    all.insert(all.end(), some.begin(), some.end());
  }
  giver.join();
  ASSERT_EQ(all.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(all[static_cast<size_t>(i)], i);
}

TEST(BoundedQueue, WaitsForAsManyAsAreAskedForUnlessTheGiverPauses) {
  BoundedQueue<int> queue(8);
  queue.put(1);
  queue.put(2);
  std::thread giver([&] {
    queue.put(3);
    queue.pause();
  });
  giver.join();
  EXPECT_EQ(queue.take(5), (Numbers{1, 2, 3})) << "the giver pauses";
  queue.put(4);
  std::thread later([&] { queue.put(5); });
  EXPECT_EQ(queue.take(2), (Numbers{4, 5})) << "the pause is over";
  later.join();
}

TEST(BoundedQueue, TakesWhatIsThere) {
  BoundedQueue<int> queue(8);
  queue.put(1);
  queue.put(2);
  EXPECT_EQ(queue.take_present(), (Numbers{1, 2}));
  queue.close();
  EXPECT_EQ(queue.take_present(), Numbers{});
}

TEST(BoundedQueue, ErrorsComeBehindWhatCanBeTaken) {
  BoundedQueue<int> queue(8);
  queue.put(1);
  queue.put(2);
  queue.close(std::make_exception_ptr(std::runtime_error("broken")));
  EXPECT_EQ(queue.take(2), (Numbers{1, 2}));
  EXPECT_THROW(queue.take(2), std::runtime_error);
}

TEST(BoundedQueue, WhoeverGivesIsToldThatNothingIsTaken) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.put(1));
  std::thread giver([&] { EXPECT_FALSE(queue.put(2)); });
  EXPECT_FALSE(queue.refuse()) << "no pause";
  giver.join();
  EXPECT_FALSE(queue.pause());
}

}  // namespace
}  // namespace heed
