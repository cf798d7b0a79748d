#include <arpa/inet.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "base/hash.hpp"
#include "base/log.hpp"
#include "http/edge.hpp"
#include "http/head_text.hpp"

namespace emend {

namespace {

constexpr std::size_t kReadBytes = 16 * 1024;
constexpr std::size_t kBodyReadBytes = 256 * 1024;
constexpr std::size_t kDrainBytes = 16 * 1024 * 1024; // of a body that is not wanted

std::string address_of(const asio::generic::stream_protocol::socket& socket) {
  ErrorKind problem;
  const auto endpoint = socket.remote_endpoint(problem);
  if (problem) return "";
  const auto* address = static_cast<const sockaddr*>(endpoint.data());
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET)
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
  if (address->sa_family == AF_INET6)
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
  return text;
}

// What may go back into a head and into a log as it is.
bool is_sane_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

} // namespace

Connection::Connection(HttpEdge& edge, asio::generic::stream_protocol::socket socket, bool local)
    : edge_(edge),
      socket_(std::move(socket)),
      local_(local),
      peer_(local ? "unix" : address_of(socket_.socket())) {}

// Also what could not be read as a request has a name.
void Connection::name_request() {
  if (!request_.id.empty()) return;
  const std::string_view given = request_.header("x-request-id").value_or("");
  request_.id = is_sane_id(given) ? std::string(given) : random_hex(8);
  request_.peer = peer_;
}

void Connection::start() { next_request(); }

void Connection::enter(Phase phase) {
  phase_ = phase;
  since_ = Clock::now();
}

// Those that wait between two requests first, then those that take their time to send a head; a body or an
// answer only when it stalls.
std::optional<Connection::Claim> Connection::claim() const {
  const auto elapsed = Clock::now() - since_;
  const bool stalls = elapsed >= std::chrono::milliseconds(edge_.options.stall_ms);
  switch (phase_) {
    case Phase::lingering: return Claim(0, since_);
    case Phase::idle: {
      ErrorKind ignored; // a request that has arrived and was not read yet is not idle
      return Claim(socket_.socket().available(ignored) > 0 ? 2 : 1, since_);
    }
    case Phase::head: return Claim(2, since_);
    case Phase::body: {
      const double fast =
          std::chrono::duration<double>(elapsed).count() * edge_.options.body_bytes_per_second;
      return stalls && static_cast<double>(received_) < fast ? std::optional<Claim>(Claim(3, since_))
                                                             : std::nullopt;
    }
    case Phase::writing: return stalls ? std::optional<Claim>(Claim(4, since_)) : std::nullopt;
    case Phase::answering: break;
  }
  return std::nullopt;
}

void Connection::turn_away() {
  name_request();
  HttpResponse full =
      problem_response(503, "too-many-connections",
                       "the server has no room for another connection now; try again in a moment");
  out_ = head_text(full.status, request_.id, full.headers) +
         "Retry-After: 1\r\nContent-Length: " + std::to_string(full.body.size()) +
         "\r\nConnection: close\r\n\r\n" + full.body;
  ErrorKind ignored;
  socket_.socket().non_blocking(true, ignored);
  socket_.socket().write_some(asio::buffer(out_), ignored);
  socket_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
  close();
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  socket_.close();
  edge_.remove(this);
}

// Waiting for a request may take longer than receiving one. What came with the last request counts as begun.
void Connection::next_request() {
  scanned_ = 0;
  enter(buffer_.empty() ? Phase::idle : Phase::head);
  socket_.expires_after(
      std::chrono::milliseconds(buffer_.empty() ? edge_.options.idle_ms : edge_.options.head_ms));
  if (buffer_.empty()) return read_more();
  take_head();
}

void Connection::read_more() {
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kReadBytes);
  socket_.async_read_some(
      asio::buffer(buffer_.data() + had, kReadBytes),
      [self = shared_from_this(), had](const ErrorKind& problem, std::size_t got) {
        self->buffer_.resize(had + got);
        if (problem) return self->close();
        if (had == 0) {
          self->enter(Phase::head);
          self->socket_.expires_after(std::chrono::milliseconds(self->edge_.options.head_ms));
        }
        self->take_head();
      });
}

void Connection::take_head() {
  const std::size_t from = scanned_ > 3 ? scanned_ - 3 : 0;
  const std::size_t found = head_end(std::string_view(buffer_).substr(from));
  // The scan may start in the middle of a line, so a match is confirmed from the beginning.
  const std::size_t end = found == 0 ? 0 : head_end(buffer_);
  if (end == 0) {
    scanned_ = buffer_.size();
    if (buffer_.size() > edge_.options.head.head_bytes) return refuse(431, "the head is too long");
    if (buffer_.size() > edge_.options.head.line_bytes && buffer_.find('\n') == std::string::npos)
      return refuse(414, "the request line is too long");
    return read_more();
  }
  began_ = Clock::now();
  ++edge_.requests;
  auto parsed = parse_head(std::string_view(buffer_).substr(0, end), edge_.options.head);
  if (const auto* refusal = std::get_if<HeadRefusal>(&parsed))
    return refuse(refusal->status, refusal->detail);
  request_ = std::get<HttpRequest>(std::move(parsed));
  request_.local_socket = local_;
  name_request();
  buffer_.erase(0, end);
  if (auto refusal = edge_.application.refuse(request_)) {
    ++edge_.refused;
    return send(*std::move(refusal), !request_.has_body() && request_.keep_alive);
  }
  begin_body();
}

// The head was found good: whoever may not come in, or wants to send too much, has been told so before the
// body was asked for.
void Connection::begin_body() {
  const std::uint64_t most = edge_.application.max_body(request_);
  if (request_.content_length > most) return refuse(413, "the body is too long");
  if (!request_.has_body()) return dispatch();
  chunks_.reset();
  if (request_.chunked) {
    ChunkLimits limits;
    limits.body_bytes = most;
    chunks_.emplace(limits);
  }
  enter(Phase::body);
  received_ = buffer_.size();
  if (request_.expects_continue && buffer_.empty()) return ask_for_body();
  take_body();
}

void Connection::ask_for_body() {
  out_ = "HTTP/1.1 100 " + std::string(status_text(100)) + "\r\n\r\n";
  socket_.expires_after(std::chrono::milliseconds(edge_.options.write_ms));
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this()](const ErrorKind& problem, std::size_t) {
                      self->out_.clear();
                      if (problem) return self->close();
                      self->enter(Phase::body);
                      self->read_body();
                    });
}

// A body has some time, and more only for what has come of it: one byte now and then is not enough to stay.
void Connection::read_body() {
  const auto earned = std::chrono::milliseconds(static_cast<std::int64_t>(
      received_ * 1000 / static_cast<std::uint64_t>(std::max(1, edge_.options.body_bytes_per_second))));
  socket_.expires_at(since_ + std::chrono::milliseconds(edge_.options.body_ms) + earned);
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kBodyReadBytes);
  socket_.async_read_some(asio::buffer(buffer_.data() + had, kBodyReadBytes),
                          [self = shared_from_this(), had](const ErrorKind& problem, std::size_t got) {
                            self->buffer_.resize(had + got);
                            if (problem) return self->close();
                            self->received_ += got;
                            self->take_body();
                          });
}

// What belongs to the body leaves the buffer; what is left there is the next request.
void Connection::take_body() {
  if (chunks_) {
    buffer_.erase(0, chunks_->feed(buffer_, request_.body));
    if (const auto& refusal = chunks_->refusal()) return refuse(refusal->status, refusal->detail);
    if (!chunks_->done()) return read_body();
    request_.content_length = request_.body.size();
    return dispatch();
  }
  const std::size_t part =
      std::min<std::size_t>(buffer_.size(), request_.content_length - request_.body.size());
  request_.body.append(buffer_, 0, part);
  buffer_.erase(0, part);
  if (request_.body.size() < request_.content_length) return read_body();
  dispatch();
}

void Connection::dispatch() {
  enter(Phase::answering);
  socket_.expires_never();
  asio::post(edge_.workers, [self = shared_from_this()] {
    HttpReply reply;
    try {
      reply = self->edge_.application.answer(self->request_);
    } catch (const std::exception& problem) {
      log(LogLevel::error, std::string("a request failed: ") + problem.what());
      reply = problem_response(500, "internal",
                               "something broke while answering; the server's log has the details");
    }
    asio::post(self->edge_.context,
               [self, reply = std::move(reply)]() mutable { self->finish(std::move(reply)); });
  });
}

void Connection::finish(HttpReply reply) {
  if (closed_) return;
  if (std::holds_alternative<EventStream>(reply) && request_.method == "HEAD")
    reply = HttpResponse{200, {{"Content-Type", "text/event-stream"}}, ""};
  if (auto* stream = std::get_if<EventStream>(&reply)) {
    if (edge_.streams_open < edge_.options.max_streams && !edge_.stopping)
      return begin_stream(std::move(*stream));
    HttpResponse full = problem_response(429, "too-many-streams", "no more live streams are served now");
    full.headers.push_back({"Retry-After", "5"});
    reply = std::move(full);
  }
  send(std::get<HttpResponse>(std::move(reply)), request_.keep_alive && !edge_.stopping);
}

void Connection::refuse(int status, const std::string& detail) {
  ++edge_.refused;
  const char* code = status == 413 ? "payload-too-large" : "bad-request";
  send(problem_response(status, code, detail), false);
}

void Connection::send(HttpResponse response, bool keep) {
  const bool without_body = response.status == 204 || response.status == 304;
  name_request();
  out_ = head_text(response.status, request_.id, response.headers);
  if (!without_body) out_ += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  out_ += keep ? "\r\n" : "Connection: close\r\n\r\n";
  if (!without_body && request_.method != "HEAD") out_ += response.body;
  edge_.application.served(request_, response.status,
                           std::chrono::duration<double, std::milli>(Clock::now() - began_).count());
  enter(Phase::writing);
  socket_.expires_after(std::chrono::milliseconds(edge_.options.write_ms));
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this(), keep](const ErrorKind& problem, std::size_t) {
                      self->sent(problem, keep);
                    });
}

void Connection::sent(const ErrorKind& problem, bool keep) {
  if (closed_) return;
  out_.clear();
  request_ = {};
  if (problem || edge_.stopping) {
    ErrorKind ignored;
    socket_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
    return close();
  }
  if (!keep) return linger();
  next_request();
}

// A socket that is closed while bytes are on their way is reset, and its peer may lose the answer it was
// sent: what comes is thrown away until the peer closes, for a while.
void Connection::linger() {
  enter(Phase::lingering);
  std::string().swap(buffer_);
  ErrorKind ignored;
  socket_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
  buffer_.resize(kReadBytes);
  socket_.expires_after(std::chrono::milliseconds(edge_.options.linger_ms));
  drain(kDrainBytes);
}

void Connection::drain(std::size_t left) {
  socket_.async_read_some(asio::buffer(buffer_),
                          [self = shared_from_this(), left](const ErrorKind& problem, std::size_t got) {
                            if (problem || got >= left) return self->close();
                            self->drain(left - got);
                          });
}

} // namespace emend
