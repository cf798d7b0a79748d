// Inside of http_server: the sockets. Everything here runs on the edge thread unless it says otherwise.
#pragma once

#include <atomic>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "http/chunked_body.hpp"
#include "http/http_server.hpp"

namespace emend {

namespace asio = boost::asio;
using ErrorKind = boost::system::error_code;
using Socket = boost::beast::basic_stream<asio::generic::stream_protocol>;

class Connection;

constexpr int kBeats =
    8; // into which the time between two heartbeats is divided: readers have theirs in turn

class HttpEdge {
public:
  HttpEdge(HttpApplication& application, HttpOptions options);

  Status start(const std::function<void(int)>& bound);
  void ring();                   // any thread
  void recheck();                // any thread
  void stop(int grace_ms);       // any thread but the edge
  HttpCounters counters() const; // any thread
  int port = 0;

  HttpApplication& application;
  const HttpOptions options;
  asio::io_context context;
  asio::thread_pool workers;
  RecentFrames recent;
  std::atomic<std::uint64_t> requests{0}, refused{0}, streams_total{0}, evicted{0}, events_sent{0},
      streams_open{0};
  std::atomic<std::uint64_t> connections_open{0}, closed_for_others{0}, turned_away{0};
  bool stopping = false;
  std::uint64_t beat = 0; // counts parts of the time after which a silent stream says something

  void add_stream(const std::shared_ptr<Connection>& stream);
  void remove(Connection* connection);

private:
  template <typename Acceptor>
  Status listen(Acceptor& acceptor, const typename Acceptor::endpoint_type& endpoint);
  template <typename Acceptor>
  void accept(Acceptor& acceptor, bool local);
  Status listen_unix();
  void adopt(asio::generic::stream_protocol::socket socket, bool local);
  [[nodiscard]] bool make_room(const std::string& peer);          // false = nobody can be closed for it
  [[nodiscard]] bool close_longest_idle(const std::string& peer); // "" = whoever's; false = there is none
  void forget_connection(const std::shared_ptr<Connection>& connection);
  void pump(); // looks at the log, if nobody does already
  void poll_later();
  void heartbeat_later();
  void wake_streams(); // in turns, so that whoever asks something does not wait for all of them
  void wake_some();
  void wake_sources();
  void close_everything();

  asio::ip::tcp::acceptor tcp_;
  asio::local::stream_protocol::acceptor local_;
  asio::steady_timer poll_timer_, heartbeat_timer_, flush_timer_, accept_timer_;
  std::unordered_set<std::shared_ptr<Connection>> connections_, sources_; // sources_: not fed by the log
  std::vector<std::shared_ptr<Connection>> streams_;
  std::unordered_map<std::string, std::size_t> peers_; // connections of each address
  std::thread thread_;
  std::atomic<bool> rung_{false};
  bool pumping_ = false, pump_again_ = false, started_ = false;
  std::size_t to_wake_ = 0; // streams whose turn is still to come
  bool waking_ = false, wake_again_ = false;
};

// One socket: requests one after the other, and perhaps a stream at the end.
class Connection : public std::enable_shared_from_this<Connection> {
public:
  Connection(HttpEdge& edge, asio::generic::stream_protocol::socket socket, bool local);

  void start();
  void close();
  void wake();        // there may be new frames
  void heartbeat();   // of a stream that has had nothing to say for kBeats beats
  void recheck();     // closes a stream that is not allowed any more
  void say_goodbye(); // then close
  void turn_away();   // says that there is no room, as far as that can be said at once, and closes
  [[nodiscard]] bool busy() const { return phase_ == Phase::answering; }
  [[nodiscard]] const std::string& peer() const { return peer_; }
  [[nodiscard]] bool has_source() const { return stream_ != nullptr && stream_->source != nullptr; }
  std::size_t place = 0; // among the streams of the edge

  using Clock = std::chrono::steady_clock;
  // Who is closed first when room is needed: the smallest. nullopt = it is at work, or at least as fast as
  // can be asked for.
  using Claim = std::tuple<int, Clock::time_point>;
  [[nodiscard]] std::optional<Claim> claim() const;

private:
  enum class Phase { idle, head, body, answering, writing, lingering };
  void enter(Phase phase);
  void next_request();
  void read_more();
  void take_head();
  void begin_body();
  void ask_for_body(); // 100 Continue
  void read_body();
  void take_body();
  void linger();
  void drain(std::size_t left);
  void dispatch();
  void finish(HttpReply reply);
  void send(HttpResponse response, bool keep);
  void refuse(int status, const std::string& detail);
  void name_request();
  void sent(const ErrorKind& problem, bool keep);

  void begin_stream(EventStream stream);
  void watch_for_hangup();
  void write_frames();
  void read_backlog();
  void read_source();
  void write_now(SharedBatch batch, bool ends);
  [[nodiscard]] std::size_t pieces() const;
  [[nodiscard]] std::string_view piece(std::size_t n) const;
  [[nodiscard]] std::size_t send_at_once(ErrorKind& problem); // how many bytes are gone
  [[nodiscard]] std::vector<asio::const_buffer> left_to_send(std::size_t sent) const;
  void written(const ErrorKind& problem);
  [[nodiscard]] bool is_over() const { return stream_->ends_after && after_ >= *stream_->ends_after; }
  [[nodiscard]] bool revoked() const { return stream_->allowed && !stream_->allowed(); }

  HttpEdge& edge_;
  Socket socket_;
  const bool local_;
  const std::string peer_;
  std::string buffer_;
  std::size_t scanned_ = 0;
  HttpRequest request_;
  Clock::time_point began_, since_; // since_: in this phase
  Phase phase_ = Phase::idle;
  bool closed_ = false;
  std::optional<ChunkedBody> chunks_;
  std::uint64_t received_ = 0; // of a body, with what frames it
  std::string out_;

  std::unique_ptr<EventStream> stream_;
  std::int64_t after_ = 0;
  SharedBatch batch_; // being written, after out_
  bool writing_ = false, ended_ = false, says_end_ = false;
  std::uint64_t spoke_ = 0, checked_ = 0; // at this beat
  char hangup_byte_ = 0;
};

} // namespace emend
