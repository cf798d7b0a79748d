// Watches for `emend sessions cancel` from another process.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "ports/store.hpp"

namespace emend {

// Store and source outlive it.
class CancelWatch {
public:
  CancelWatch(Store& store, std::string session_id, std::stop_source& source)
      : thread_([&store, session_id = std::move(session_id), &source](std::stop_token self) {
          std::mutex mutex;
          std::condition_variable_any wake;
          std::unique_lock lock(mutex);
          while (!wake.wait_for(lock, self, std::chrono::milliseconds(300), [] { return false; }) &&
                 !self.stop_requested()) {
            const auto asked = store.cancel_requested(session_id);
            if (asked && *asked) source.request_stop();
          }
        }) {}

private:
  std::jthread thread_;
};

} // namespace emend
