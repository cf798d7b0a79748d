// Thousands of readers of one event stream on one thread: each checks that no event is missing and none comes
// twice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emend::bench {

struct ReadersOptions {
  int port = 0;
  std::string token; // empty = none is sent
  std::size_t count = 0;
  std::size_t slow = 0; // of these: they read nothing until drain_slow()
};

struct Reading {
  std::uint64_t frames = 0;
  std::uint64_t missing = 0, twice = 0, cut_off = 0; // of the quick readers
  double seconds = 0;
  std::vector<std::uint32_t> latencies_us; // of every frame
};

class SseReaders {
public:
  explicit SseReaders(const ReadersOptions& options);
  SseReaders(const SseReaders&) = delete;
  SseReaders& operator=(const SseReaders&) = delete;
  ~SseReaders();

  // False = not all of them were let in.
  [[nodiscard]] bool connect();
  // Reads until every quick reader has `events` more events, or nothing came for some seconds.
  [[nodiscard]] Reading read(std::uint64_t events);
  // Lets the slow ones read on, coming back with Last-Event-ID where they were cut off. How many of them have
  // every event up to now?
  [[nodiscard]] std::size_t drain_slow();

private:
  struct Reader {
    int socket = -1;
    bool slow = false, let_in = false, begun = false; // begun: the head of the answer is over
    std::uint64_t last = 0;                           // id of the newest event; 0 = none yet
    std::uint64_t wanted = 0;                         // id after which it is content
    std::string rest;                                 // a frame that has not ended
  };
  [[nodiscard]] bool open(std::size_t index);
  void close(Reader& reader);
  void watch(std::size_t index, bool readable) const;
  // False = the connection is over.
  [[nodiscard]] bool take(Reader& reader, Reading& reading);
  void take_frame(Reader& reader, const char* begin, const char* end, Reading& reading);

  ReadersOptions options_;
  std::vector<Reader> readers_;
  int epoll_ = -1;
  std::uint64_t newest_ = 0; // id every reader starts behind
  std::size_t let_in_ = 0, content_ = 0;
};

} // namespace emend::bench
