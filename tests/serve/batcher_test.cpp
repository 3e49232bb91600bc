#include "heed/serve/batcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include "heed/api/translator.h"
#include "serve/stored_model.h"
#include "support/message_of.h"

namespace heed::serve {
namespace {

using namespace std::chrono_literals;
using testing::message_of;
using Lines = std::vector<std::string>;

const std::shared_ptr<const ServedModel>& model() {
  static const auto served = std::make_shared<const ServedModel>(stored_model(), api::OpenOptions{});
  return served;
}

TranslationJob job_of(Lines lines, const std::function<void(Lines texts, std::exception_ptr error)>& done,
                      std::chrono::milliseconds timeout = 1min) {
  TranslationJob job;
  job.model = model();
  job.lines = std::move(lines);
  job.deadline = std::chrono::steady_clock::now() + timeout;
  job.done = [done](std::vector<translation::Translation>&& translations, const std::exception_ptr& error) {
    Lines texts;
    for (const auto& translation : translations) texts.push_back(translation.text);
    done(std::move(texts), error);
  };
  return job;
}

/// The translations of lines, or what failed.
std::future<Lines> translate(Batcher& batcher, Lines lines, std::chrono::milliseconds timeout = 1min) {
  const auto promise = std::make_shared<std::promise<Lines>>();
  batcher.submit(job_of(
      std::move(lines),
      [promise](Lines texts, const std::exception_ptr& error) {
        error ? promise->set_exception(error) : promise->set_value(std::move(texts));
      },
      timeout));
  return promise->get_future();
}

Lines number_lines(size_t count) {
  const Lines words{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"};
  Lines lines;
  for (size_t i = 0; i < count; ++i) lines.push_back(words[i % 9] + " " + words[i / 9 % 9] + " " + words[i / 81 % 9]);
  return lines;
}

Lines translated_alone(const Lines& lines) {
  Lines texts;
  const heed::Translator translator = heed::Translator::open(stored_model());
  for (const Translation& one : translator.translate(lines)) texts.push_back(one.text);
  return texts;
}

TEST(Batcher, GivesEachRequestItsTranslationsInOrder) {
  Batcher batcher({.batch_lines = 7}, 2);
  const Lines lines = number_lines(300), alone = translated_alone(lines);
  std::vector<std::future<Lines>> found;
  for (size_t i = 0; i < lines.size(); i += 10) {
    found.push_back(
        translate(batcher, Lines(lines.begin() + static_cast<int>(i), lines.begin() + static_cast<int>(i) + 10)));
  }
  for (size_t i = 0; i < lines.size(); i += 10) {
    EXPECT_EQ(found[i / 10].get(),
              Lines(alone.begin() + static_cast<int>(i), alone.begin() + static_cast<int>(i) + 10));
  }
  EXPECT_EQ(translate(batcher, {}).get(), Lines{});
  EXPECT_EQ(batcher.waiting_lines(), 0);
}

TEST(Batcher, TranslatesTogetherWhatComesTogether) {
  std::atomic<int64_t> lines = 0, together = 0, most = 0;
  Batcher batcher({.batch_lines = 20}, 1, [&](const TranslatedLines& translated) {  // in the batcher's only thread
    lines += translated.lines;
    together += translated.together >= 10;
    most = std::max(most.load(), translated.together);
  });
  std::vector<std::future<Lines>> found;
  for (int i = 0; i < 200; ++i) found.push_back(translate(batcher, number_lines(3)));
  for (auto& one : found) one.get();
  batcher.stop();
  EXPECT_EQ(lines, 600);
  EXPECT_GE(together, 300);
  EXPECT_EQ(most, 20) << "batch_lines";
}

TEST(Batcher, ALineJoinsABatchUnderWay) {
  Batcher batcher({.batch_lines = 8}, 1);
  std::promise<Lines> joined;
  std::promise<void> ended;
  std::atomic<size_t> delivered = 0, before = 0;
  const Lines all = number_lines(729);
  TranslationJob first = job_of(all, [&](const Lines&, const std::exception_ptr&) { ended.set_value(); });
  first.on_line = [&](size_t, const translation::Translation&) {  // in the batcher's only thread
    if (delivered++ > 0) return;
    batcher.submit(job_of({"two"}, [&](Lines texts, const std::exception_ptr&) {
      before = delivered.load();
      joined.set_value(std::move(texts));
    }));
  };
  batcher.submit(std::move(first));
  EXPECT_EQ(joined.get_future().get(), Lines{"zwei"});
  ended.get_future().wait();
  EXPECT_LT(before, 100U) << "lines of the first request that were translated before";
}

TEST(Batcher, OtherSettingsHaveTheirTurn) {
  Batcher batcher({.batch_lines = 4, .longest_wait = 0, .max_waiting = 100'000}, 1);
  std::promise<void> ended;
  Lines order;  // in the batcher's only thread
  batcher.submit(job_of(number_lines(2'000), [&](const Lines&, const std::exception_ptr&) {
    order.emplace_back("long");
    ended.set_value();
  }));
  TranslationJob other = job_of({"two"}, [&](const Lines&, const std::exception_ptr&) { order.emplace_back("other"); });
  other.settings.n_best = 2;
  batcher.submit(std::move(other));
  ended.get_future().wait();
  EXPECT_EQ(order, (Lines{"other", "long"}));
}

TEST(Batcher, LetsShortRequestsPassALongOne) {
  Batcher batcher({.batch_lines = 8, .max_waiting = 100'000}, 1);
  std::promise<void> ended;
  Lines order;  // in the batcher's only thread
  batcher.submit(job_of(number_lines(20'000), [&](const Lines&, const std::exception_ptr&) {
    order.emplace_back("long");
    ended.set_value();
  }));
  batcher.submit(job_of({"two"}, [&](const Lines&, const std::exception_ptr&) { order.emplace_back("short"); }));
  ended.get_future().wait();
  EXPECT_EQ(order, (Lines{"short", "long"}));
}

TEST(Batcher, CallsForEachLineBeforeTheEnd) {
  Batcher batcher({.batch_lines = 4}, 2);
  std::promise<void> ended;
  std::mutex mutex;
  std::vector<int> calls(50, 0);
  TranslationJob job = job_of(number_lines(50), [&](const Lines&, const std::exception_ptr&) { ended.set_value(); });
  job.on_line = [&](size_t line, const translation::Translation& translation) {
    const std::lock_guard lock(mutex);
    ++calls[line];
    EXPECT_FALSE(translation.text.empty());
  };
  batcher.submit(std::move(job));
  ended.get_future().wait();
  EXPECT_EQ(calls, std::vector<int>(50, 1));
}

TEST(Batcher, RefusesWhatWouldWaitTooLong) {
  Batcher batcher({.batch_lines = 1, .max_waiting = 1000}, 1);
  auto first = translate(batcher, number_lines(1000));
  EXPECT_TRUE(message_of<QueueFull>([&] {
                translate(batcher, number_lines(1000));
              }).ends_with("wait already; try again later"));
  EXPECT_EQ(first.get().size(), 1000U);
  EXPECT_EQ(translate(batcher, {"two"}).get(), Lines{"zwei"});
}

TEST(Batcher, GivesUpWhatIsTooLate) {
  Batcher batcher({.batch_lines = 1, .max_waiting = 1'000'000}, 1);
  auto late = translate(batcher, number_lines(500'000), 10ms);
  EXPECT_THROW(late.get(), TooLate);
  EXPECT_EQ(translate(batcher, {"two"}).get(), Lines{"zwei"});
  EXPECT_EQ(batcher.waiting_lines(), 0);
}

TEST(Batcher, DropsWhatNobodyWaitsFor) {
  Batcher batcher({.batch_lines = 1, .max_waiting = 1'000'000}, 1);
  std::atomic<bool> called = false;
  TranslationJob job = job_of(number_lines(500'000), [&](const Lines&, const std::exception_ptr&) { called = true; });
  job.is_abandoned = [] { return true; };
  batcher.submit(std::move(job));
  EXPECT_EQ(translate(batcher, {"two"}).get(), Lines{"zwei"});
  while (batcher.waiting_lines() > 0) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(called);
}

TEST(Batcher, AnErrorIsOfItsRequestOnly) {
  Batcher batcher({.batch_lines = 64, .longest_wait = 0}, 1);
  auto first = translate(batcher, number_lines(64));
  TranslationJob wrong = job_of({"one", "two"}, [](const Lines&, const std::exception_ptr&) {});
  std::promise<std::string> message;
  wrong.settings.target_tag = "<nowhere>";  // not in the vocabulary
  wrong.done = [&](std::vector<translation::Translation>&&, const std::exception_ptr& error) {
    message.set_value(message_of<ConfigError>([&] { std::rethrow_exception(error); }));
  };
  batcher.submit(std::move(wrong));
  auto last = translate(batcher, {"two"});
  EXPECT_EQ(message.get_future().get(), "`--target-tag` '<nowhere>' cannot be written with the model's vocabulary");
  EXPECT_EQ(first.get().size(), 64U);
  EXPECT_EQ(last.get(), Lines{"zwei"});
}

TEST(Batcher, StopsAndFailsWhatWaits) {
  Batcher batcher({.batch_lines = 1, .max_waiting = 1'000'000}, 1);
  auto found = translate(batcher, number_lines(500'000));
  batcher.stop();
  EXPECT_THROW(found.get(), Stopped);
  EXPECT_THROW(translate(batcher, {"two"}), Stopped);
}

}  // namespace
}  // namespace heed::serve
