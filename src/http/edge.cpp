#include "http/edge.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/log.hpp"

namespace emend {

namespace {

// Every stream holds a descriptor, and whoever shares the process needs some too: as many streams as there is
// room for.
HttpOptions with_room(HttpOptions options) {
  constexpr std::size_t kOthers = 400;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return options;
  const rlim_t wanted = options.max_streams + options.max_connections + kOthers;
  if (limit.rlim_cur >= wanted) return options;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= wanted) return options;
  // More than there are descriptors would never be too many, and the idle ones would never be closed.
  const std::size_t room = limit.rlim_cur > kOthers + 2 ? limit.rlim_cur - kOthers : 2;
  options.max_connections = std::min(options.max_connections, room / 2);
  options.max_streams = std::min(options.max_streams, room - options.max_connections);
  log(LogLevel::warn, "the limit on open files leaves room for " + std::to_string(options.max_streams) +
                          " live streams and " + std::to_string(options.max_connections) +
                          " other connections (see ulimit -Hn)");
  return options;
}

} // namespace

HttpServer::HttpServer(HttpApplication& application, HttpOptions options)
    : edge_(std::make_unique<HttpEdge>(application, std::move(options))) {}
HttpServer::~HttpServer() { stop(); }
Status HttpServer::start(const std::function<void(int)>& bound) { return edge_->start(bound); }
int HttpServer::port() const { return edge_->port; }
void HttpServer::ring() { edge_->ring(); }
void HttpServer::recheck() { edge_->recheck(); }
HttpCounters HttpServer::counters() const { return edge_->counters(); }
const HttpOptions& HttpServer::options() const { return edge_->options; }
void HttpServer::stop(int grace_ms) { edge_->stop(grace_ms); }

HttpEdge::HttpEdge(HttpApplication& app, HttpOptions settings)
    : application(app),
      options(with_room(std::move(settings))),
      context(1),
      workers(static_cast<std::size_t>(options.workers)),
      recent(options.recent_bytes),
      tcp_(context),
      local_(context),
      poll_timer_(context),
      heartbeat_timer_(context),
      flush_timer_(context),
      accept_timer_(context) {}

template <typename Acceptor>
Status HttpEdge::listen(Acceptor& acceptor, const typename Acceptor::endpoint_type& endpoint) {
  ErrorKind problem;
  acceptor.open(endpoint.protocol(), problem);
  if (!problem) acceptor.set_option(asio::socket_base::reuse_address(true), problem);
  if (!problem) acceptor.bind(endpoint, problem);
  if (!problem) acceptor.listen(asio::socket_base::max_listen_connections, problem);
  if (problem) return fail(ErrorCode::io, problem.message());
  return {};
}

// A socket file without a server behind it is what a dead one left.
Status HttpEdge::listen_unix() {
  const asio::local::stream_protocol::endpoint endpoint(options.unix_socket);
  asio::local::stream_protocol::socket probe(context);
  ErrorKind problem;
  probe.connect(endpoint, problem);
  if (!problem) return fail(ErrorCode::conflict, "a server is already listening on " + options.unix_socket);
  struct stat info {};
  if (::lstat(options.unix_socket.c_str(), &info) == 0) {
    if (!S_ISSOCK(info.st_mode))
      return fail(ErrorCode::io, options.unix_socket + " is not a socket",
                  "move it away, or choose another --socket");
    ::unlink(options.unix_socket.c_str());
  }
  const mode_t before = ::umask(0177); // 0600 from its first moment on
  const Status bound = listen(local_, endpoint);
  ::umask(before);
  if (!bound)
    return fail(ErrorCode::io, "cannot listen on " + options.unix_socket + ": " + bound.error().message);
  return {};
}

Status HttpEdge::start(const std::function<void(int)>& bound) {
  auto newest = application.newest_event();
  if (!newest) return fail(std::move(newest).error());
  recent.start(*newest);
  if (options.tcp) {
    ErrorKind problem;
    const auto address = asio::ip::make_address(options.address, problem);
    if (problem)
      return fail(ErrorCode::usage, "\"" + options.address + "\" is not an IP address",
                  "for example --listen 127.0.0.1:8790");
    const std::string place = options.address + ":" + std::to_string(options.port);
    if (auto listening = listen(tcp_, {address, static_cast<asio::ip::port_type>(options.port)}); !listening)
      return fail(ErrorCode::io, "cannot listen on " + place + ": " + listening.error().message,
                  "choose another port with --listen, 0 for any free one");
    port = tcp_.local_endpoint().port();
    accept(tcp_, false);
  }
  if (!options.unix_socket.empty()) {
    TRY(listen_unix());
    accept(local_, true);
  }
  if (bound) bound(port);
  poll_later();
  heartbeat_later();
  started_ = true;
  thread_ = std::thread([this] { context.run(); });
  return {};
}

template <typename Acceptor>
void HttpEdge::accept(Acceptor& acceptor, bool local) {
  acceptor.async_accept([this, &acceptor, local](const ErrorKind& problem, auto socket) {
    if (problem == asio::error::operation_aborted || stopping) return;
    if (problem) { // out of descriptors, mostly: look again when some may be free
      (void)close_longest_idle("");
      accept_timer_.expires_after(std::chrono::milliseconds(50));
      accept_timer_.async_wait([this, &acceptor, local](const ErrorKind&) { accept(acceptor, local); });
      return;
    }
    adopt(asio::generic::stream_protocol::socket(std::move(socket)), local);
    accept(acceptor, local);
  });
}

void HttpEdge::adopt(asio::generic::stream_protocol::socket socket, bool local) {
  ErrorKind ignored;
  if (!local)
    socket.set_option(asio::ip::tcp::no_delay(true), ignored); // an event waits for nobody's acknowledgement
  auto connection = std::make_shared<Connection>(*this, std::move(socket), local);
  if (!make_room(connection->peer())) {
    ++refused;
    ++turned_away;
    connection->turn_away();
    return;
  }
  connections_.insert(connection);
  ++peers_[connection->peer()];
  connections_open = connections_.size();
  connection->start();
}

// Whoever has the most connections gives one up, so that nobody's crowd can lock out the others. A connection
// that waits for its peer is nobody's loss: clients open a new one.
bool HttpEdge::make_room(const std::string& peer) {
  const std::size_t most =
      options.max_connections_per_peer == 0 ? options.max_connections : options.max_connections_per_peer;
  const auto own = peers_.find(peer);
  if (own != peers_.end() && own->second >= most && !close_longest_idle(peer)) return false;
  if (connections_.size() < options.max_connections) return true;
  const auto largest = std::max_element(peers_.begin(), peers_.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return (largest != peers_.end() && close_longest_idle(std::string(largest->first))) ||
         close_longest_idle("");
}

bool HttpEdge::close_longest_idle(const std::string& peer) {
  std::shared_ptr<Connection> victim;
  std::optional<Connection::Claim> smallest;
  for (const auto& connection : connections_) {
    if (!peer.empty() && connection->peer() != peer) continue;
    const auto claim = connection->claim();
    if (!claim || (smallest && *smallest <= *claim)) continue;
    smallest = claim;
    victim = connection;
  }
  if (!victim) return false;
  ++closed_for_others;
  victim->close();
  return true;
}

void HttpEdge::forget_connection(const std::shared_ptr<Connection>& connection) {
  if (connections_.erase(connection) == 0) return;
  const auto own = peers_.find(connection->peer());
  if (own != peers_.end() && --own->second == 0) peers_.erase(own);
  connections_open = connections_.size();
}

void HttpEdge::add_stream(const std::shared_ptr<Connection>& stream) {
  forget_connection(stream);
  stream->place = streams_.size();
  streams_.push_back(stream);
  if (stream->has_source()) sources_.insert(stream);
  ++streams_total;
  streams_open = streams_.size();
}

void HttpEdge::remove(Connection* connection) {
  const auto self = connection->shared_from_this();
  forget_connection(self);
  sources_.erase(self);
  if (connection->place < streams_.size() &&
      streams_[connection->place] == self) { // the last one moves there
    std::swap(streams_[connection->place], streams_.back());
    streams_[connection->place]->place = connection->place;
    streams_.pop_back();
  }
  streams_open = streams_.size();
  if (stopping && connections_.empty() && streams_.empty()) context.stop();
}

void HttpEdge::ring() {
  if (rung_.exchange(true)) return;
  asio::post(context, [this] {
    flush_timer_.expires_after(std::chrono::milliseconds(options.flush_ms));
    flush_timer_.async_wait([this](const ErrorKind& problem) {
      rung_ = false;
      if (!problem && !stopping) pump();
    });
  });
}

void HttpEdge::recheck() {
  asio::post(context, [this] {
    const auto all = streams_; // some may end
    for (const auto& stream : all) stream->recheck();
  });
}

void HttpEdge::pump() {
  if (pumping_) {
    pump_again_ = true;
    return;
  }
  pumping_ = true;
  asio::post(workers, [this, after = recent.newest()] {
    constexpr std::size_t kAtOnce = 1'000;
    auto found = application.events(after, "", kAtOnce);
    std::vector<SharedFrame> frames;
    if (found) {
      for (const StreamEvent& event : *found) frames.push_back(make_frame(event));
    } else {
      log(LogLevel::warn, "events cannot be read: " + found.error().message);
    }
    asio::post(context, [this, frames = std::move(frames)] {
      pumping_ = false;
      for (const SharedFrame& frame : frames) recent.add(frame);
      if (!frames.empty()) wake_streams();
      if (frames.size() == kAtOnce || std::exchange(pump_again_, false)) pump();
    });
  });
}

void HttpEdge::wake_streams() {
  wake_again_ = waking_;
  if (std::exchange(waking_, true)) return;
  to_wake_ = streams_.size();
  wake_some();
}

// From the last to the first: a stream that ends is replaced by one that had its turn, or has it twice, and
// new ones begin with what there is. Whose turn comes late is sent what has happened meanwhile as well.
void HttpEdge::wake_some() {
  constexpr int kAtOnce = 500;
  for (int i = 0; i < kAtOnce; ++i) {
    to_wake_ = std::min(to_wake_, streams_.size());
    if (to_wake_ == 0) break;
    const auto stream = streams_[--to_wake_];
    stream->wake();
  }
  if (to_wake_ > 0) return asio::post(context, [this] { wake_some(); });
  waking_ = false;
  if (wake_again_) wake_streams();
}

void HttpEdge::wake_sources() {
  const std::vector<std::shared_ptr<Connection>> all(sources_.begin(), sources_.end());
  for (const auto& stream : all) stream->wake();
}

void HttpEdge::poll_later() {
  poll_timer_.expires_after(std::chrono::milliseconds(options.poll_ms));
  poll_timer_.async_wait([this](const ErrorKind& problem) {
    if (problem || stopping) return;
    if (!streams_.empty()) pump();
    wake_sources();
    poll_later();
  });
}

void HttpEdge::heartbeat_later() {
  heartbeat_timer_.expires_after(std::chrono::milliseconds(std::max(1, options.heartbeat_ms / kBeats)));
  heartbeat_timer_.async_wait([this](const ErrorKind& problem) {
    if (problem || stopping) return;
    ++beat;
    const auto all = streams_; // some may end
    for (const auto& stream : all) stream->heartbeat();
    heartbeat_later();
  });
}

HttpCounters HttpEdge::counters() const {
  return {requests,    refused,          streams_open,      streams_total, evicted,
          events_sent, connections_open, closed_for_others, turned_away};
}

void HttpEdge::close_everything() {
  std::vector<std::shared_ptr<Connection>> all(connections_.begin(), connections_.end());
  all.insert(all.end(), streams_.begin(), streams_.end());
  for (const auto& connection : all) connection->close();
}

void HttpEdge::stop(int grace_ms) {
  if (!started_) return;
  started_ = false;
  asio::post(context, [this] {
    stopping = true;
    ErrorKind ignored;
    tcp_.close(ignored);
    local_.close(ignored);
    poll_timer_.cancel();
    heartbeat_timer_.cancel();
    const auto streams = streams_;
    for (const auto& stream : streams) stream->say_goodbye();
    const std::vector<std::shared_ptr<Connection>> others(connections_.begin(), connections_.end());
    for (const auto& connection : others)
      if (!connection->busy()) connection->close();
  });
  auto deadline = std::make_shared<asio::steady_timer>(context);
  asio::post(context, [this, deadline, grace_ms] {
    deadline->expires_after(std::chrono::milliseconds(grace_ms));
    deadline->async_wait([this, deadline](const ErrorKind&) {
      close_everything();
      context.stop();
    });
    if (connections_.empty() && streams_.empty()) deadline->cancel();
  });
  thread_.join();
  workers.join();
  if (!options.unix_socket.empty()) ::unlink(options.unix_socket.c_str());
}

} // namespace emend
