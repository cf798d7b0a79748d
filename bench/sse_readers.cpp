#include "bench/sse_readers.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

namespace emend::bench {

namespace {

constexpr int kSilenceMs = 30'000;       // after this much silence the rest does not come any more
constexpr std::size_t kOpenAtOnce = 100; // connections that are not yet let in

std::uint64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

// The number after the first `name`; 0 = there is none.
std::uint64_t number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return 0;
  std::uint64_t number = 0;
  std::from_chars(text.data() + at + name.size(), text.data() + text.size(), number);
  return number;
}

} // namespace

SseReaders::SseReaders(const ReadersOptions& options)
    : options_(options), readers_(options.count), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  for (std::size_t i = 0; i < options_.slow; ++i) readers_[i].slow = true;
}

SseReaders::~SseReaders() {
  for (Reader& reader : readers_) close(reader);
  ::close(epoll_);
}

void SseReaders::close(Reader& reader) {
  if (reader.socket >= 0) ::close(reader.socket);
  reader.socket = -1;
  reader.begun = false;
  reader.rest.clear();
}

void SseReaders::watch(std::size_t index, bool readable) const {
  epoll_event event{};
  event.events = readable ? EPOLLIN : 0u;
  event.data.u64 = index;
  if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, readers_[index].socket, &event) != 0)
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, readers_[index].socket, &event);
}

bool SseReaders::open(std::size_t index) {
  Reader& reader = readers_[index];
  reader.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (reader.socket < 0) return false;
  if (reader.slow) { // what the kernel takes for it stays small
    const int bytes = 4'096;
    ::setsockopt(reader.socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(options_.port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(reader.socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return false;
  std::string request = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(options_.port) +
                        "\r\nAccept: text/event-stream\r\n";
  if (!options_.token.empty()) request += "Authorization: Bearer " + options_.token + "\r\n";
  if (reader.last > 0) request += "Last-Event-ID: " + std::to_string(reader.last) + "\r\n";
  request += "\r\n";
  if (::send(reader.socket, request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size()))
    return false;
  watch(index, true);
  return true;
}

void SseReaders::take_frame(Reader& reader, const char* begin, const char* end, Reading& reading) {
  const std::string_view frame(begin, static_cast<std::size_t>(end - begin));
  if (!reader.begun) { // "retry:" or a first frame, after the head
    reader.begun = true;
    reader.let_in = true;
    ++let_in_;
    if (reader.last == 0) reader.last = number_after(frame, "\nid: ");
    return;
  }
  const std::uint64_t id = number_after(frame, "id: ");
  if (id == 0) return; // a heartbeat
  if (frame.find("event: stream_start") != std::string_view::npos) {
    reader.last = id;
    return;
  }
  if (id <= reader.last) ++reading.twice;
  if (id > reader.last + 1) reading.missing += id - reader.last - 1;
  reader.last = id;
  ++reading.frames;
  if (const std::uint64_t sent = number_after(frame, "\"t\":"); sent != 0 && !reader.slow)
    reading.latencies_us.push_back(static_cast<std::uint32_t>((now_ns() - sent) / 1'000));
  if (id == reader.wanted) ++content_;
}

bool SseReaders::take(Reader& reader, Reading& reading) {
  static std::array<char, 256 * 1024> buffer;
  for (;;) {
    const ssize_t got = ::recv(reader.socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    reader.rest.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t from = 0;
    for (;;) {
      std::size_t end = reader.rest.find("\n\n", from);
      if (!reader.begun) {
        const std::size_t head = reader.rest.find("\r\n\r\n");
        end = head == std::string::npos ? head : reader.rest.find("\n\n", head + 4);
      }
      if (end == std::string::npos) break;
      take_frame(reader, reader.rest.data() + from, reader.rest.data() + end, reading);
      from = end + 2;
    }
    reader.rest.erase(0, from);
    if (reader.rest.empty()) reader.rest.shrink_to_fit();
    if (static_cast<std::size_t>(got) < buffer.size()) return true;
  }
}

bool SseReaders::connect() {
  Reading ignored;
  std::array<epoll_event, 256> events;
  std::size_t opened = 0;
  std::uint64_t heard = now_ns();
  while (let_in_ < readers_.size()) {
    while (opened < readers_.size() && opened - let_in_ < kOpenAtOnce)
      if (!open(opened++)) return false;
    const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 1'000);
    if (now_ns() - heard > std::uint64_t{kSilenceMs} * 1'000'000u) return false;
    for (int i = 0; i < ready; ++i) {
      Reader& reader = readers_[events[static_cast<std::size_t>(i)].data.u64];
      if (!take(reader, ignored)) return false;
      heard = now_ns();
    }
  }
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    newest_ = std::max(newest_, readers_[i].last);
    if (readers_[i].slow) watch(i, false);
  }
  return true;
}

Reading SseReaders::read(std::uint64_t events_wanted) {
  Reading reading;
  reading.latencies_us.reserve(readers_.size() * events_wanted);
  content_ = 0;
  for (Reader& reader : readers_) reader.wanted = newest_ + events_wanted;
  const std::size_t quick = readers_.size() - options_.slow;
  std::array<epoll_event, 1024> events;
  const std::uint64_t began = now_ns();
  std::uint64_t heard = began;
  while (content_ + reading.cut_off < quick && now_ns() - heard < std::uint64_t{kSilenceMs} * 1'000'000u) {
    const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 1'000);
    for (int i = 0; i < ready; ++i) {
      Reader& reader = readers_[events[static_cast<std::size_t>(i)].data.u64];
      const std::uint64_t before = reading.frames;
      if (!take(reader, reading)) {
        if (!reader.slow) ++reading.cut_off;
        close(reader);
      }
      if (reading.frames != before) heard = now_ns();
    }
  }
  newest_ += events_wanted;
  reading.seconds = static_cast<double>((heard > began ? heard : now_ns()) - began) / 1e9;
  for (const Reader& reader : readers_) // what never came is missing too
    if (!reader.slow && reader.last < newest_) reading.missing += newest_ - reader.last;
  return reading;
}

std::size_t SseReaders::drain_slow() {
  Reading reading;
  std::size_t whole = 0;
  for (std::size_t i = 0; i < options_.slow; ++i) {
    Reader& reader = readers_[i];
    const std::uint64_t until = now_ns() + std::uint64_t{kSilenceMs} * 1'000'000u;
    bool again = false;
    while (reader.last < newest_ && now_ns() < until) {
      if (reader.socket < 0) {
        if (std::exchange(again, true)) break; // once: it must not need luck
        if (!open(i)) break;
      }
      if (!take(reader, reading)) close(reader);
      ::usleep(500);
    }
    whole += reader.last == newest_ && reading.twice + reading.missing == 0 ? 1 : 0;
    close(reader);
  }
  return whole;
}

} // namespace emend::bench
