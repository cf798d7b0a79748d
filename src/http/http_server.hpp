// The HTTP edge: one thread with all sockets, a few workers that answer, and live event streams. Boost stays
// behind this header.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "http/event_frame.hpp"
#include "http/message.hpp"
#include "http/request_head.hpp"

namespace emend {

struct HttpOptions {
  std::string address = "127.0.0.1";
  int port = 0;            // 0 = any free one
  std::string unix_socket; // path; empty = none. Made 0600
  bool tcp = true;
  HeadLimits head;
  int head_ms = 5'000, body_ms = 15'000, idle_ms = 30'000, write_ms = 20'000;
  int body_bytes_per_second =
      64 * 1024;         // a body that comes slower than this has only body_ms, however long it is
  int linger_ms = 2'000; // what is still being sent is read and thrown away for so long, so that the sender
                         // gets to see why it was refused
  int stall_ms = 1'000;  // who keeps an answer or a body waiting for longer may be closed for somebody else
  int heartbeat_ms = 15'000;
  int poll_ms = 250; // how often the log is looked at without being told to: other processes write to it too
  int flush_ms = 5;  // what happens within this time goes out together
  std::size_t max_connections =
      256; // that are not streams; when there are as many, the longest idle one is closed for a new one
  std::size_t max_connections_per_peer =
      0; // of one address, closed in the same way; 0 = as many as there may be at all
  std::size_t max_streams = 1'000;
  int stream_buffer = 64 * 1024; // bytes the kernel holds for a stream that does not read; left to itself it
                                 // takes megabytes for each
  std::size_t recent_bytes =
      16'000'000; // of events kept ready; a reader that is further behind is served from the log
  int workers = 4;
};

struct HttpCounters {
  std::uint64_t requests = 0, refused = 0, streams_open = 0, streams_total = 0, evicted = 0, events_sent = 0;
  std::uint64_t connections_open = 0, connections_closed_for_others = 0,
                connections_turned_away = 0; // streams are none of them
};

// What answers. The functions that say so run on workers and may block.
class HttpApplication {
public:
  virtual ~HttpApplication() = default;
  // Before the body is read; on the edge thread, so quick and without I/O. An answer here refuses the request
  // and ends the connection.
  [[nodiscard]] virtual std::optional<HttpResponse> refuse(const HttpRequest& head) = 0;
  [[nodiscard]] virtual std::uint64_t max_body(const HttpRequest& head) = 0;
  // On a worker. Must not throw; what is thrown anyway is a 500.
  [[nodiscard]] virtual HttpReply answer(const HttpRequest& request) = 0;
  // On a worker. Events with a higher number, in order; session_id empty = all.
  [[nodiscard]] virtual Result<std::vector<StreamEvent>> events(std::int64_t after,
                                                                const std::string& session_id,
                                                                std::size_t limit) = 0;
  [[nodiscard]] virtual Result<std::int64_t> newest_event() = 0;
  // On the edge thread, after an answer was sent or a stream was opened.
  virtual void served(const HttpRequest& request, int status, double milliseconds) = 0;
};

class HttpEdge;

class HttpServer {
public:
  HttpServer(HttpApplication& application, HttpOptions options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer(); // stops

  // Binds and begins to answer; bound(port) is called in between.
  [[nodiscard]] Status start(const std::function<void(int port)>& bound = {});
  [[nodiscard]] int port() const; // after start
  // There are new events. From any thread, cheap, may be lost without harm.
  void ring();
  // A credential has ended: streams that are not allowed any more are closed. From any thread.
  void recheck();
  [[nodiscard]] HttpCounters counters() const;
  [[nodiscard]] const HttpOptions& options() const; // with what the machine has room for
  // Accepts nothing more; tells streams goodbye, lets running answers end (bounded), closes everything.
  void stop(int grace_ms = 2'000);

private:
  std::unique_ptr<HttpEdge> edge_;
};

} // namespace emend
