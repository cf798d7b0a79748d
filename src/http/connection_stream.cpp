// The part of a connection that is a live stream of events.
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "http/edge.hpp"
#include "http/head_text.hpp"

namespace emend {

namespace {

constexpr std::size_t kWriteBytes = 256 * 1024; // of frames in one go
constexpr std::size_t kBacklogEvents = 500;

} // namespace

void Connection::begin_stream(EventStream stream) {
  stream_ = std::make_unique<EventStream>(std::move(stream));
  after_ = stream_->after;
  edge_.application.served(request_, 200,
                           std::chrono::duration<double, std::milli>(Clock::now() - began_).count());
  edge_.add_stream(shared_from_this());
  checked_ = edge_.beat;
  out_ = head_text(
      200, request_.id,
      {{"Content-Type", "text/event-stream"}, {"X-Accel-Buffering", "no"}, {"Connection", "close"}});
  out_ += "\r\nretry: 3000\n\n" + std::exchange(stream_->preface, {});
  request_ = {};
  std::string().swap(
      buffer_); // gives the memory back, which assigning does not: there are thousands of streams
  ErrorKind ignored;
  socket_.socket().set_option(asio::socket_base::send_buffer_size(edge_.options.stream_buffer), ignored);
  socket_.socket().non_blocking(true, ignored);
  socket_.expires_never();
  watch_for_hangup();
  ended_ = stream_->closes_after_preface;
  write_now(nullptr, false);
}

// A reader of events has nothing more to say; a byte from it is a second request that nobody will answer.
void Connection::watch_for_hangup() {
  socket_.async_read_some(asio::buffer(&hangup_byte_, 1),
                          [self = shared_from_this()](const ErrorKind&, std::size_t) { self->close(); });
}

void Connection::wake() {
  if (!writing_ && !closed_ && !ended_) write_frames();
}

void Connection::write_frames() {
  if (has_source()) return read_source();
  if (!edge_.recent.covers(after_)) return read_backlog();
  SharedBatch batch = edge_.recent.batch(*stream_, after_, kWriteBytes);
  if (batch->empty() && !is_over()) return;
  const bool ends =
      is_over() || (stream_->ends_with_session && batch->back()->last && after_ >= edge_.recent.newest());
  write_now(std::move(batch), ends);
}

void Connection::read_backlog() {
  writing_ = true;
  // Everything up to here is in the log already, so a short answer is a complete one.
  const std::int64_t known = edge_.recent.newest();
  asio::post(edge_.workers, [self = shared_from_this(), known, after = after_] {
    auto found = self->edge_.application.events(after, self->stream_->session_id, kBacklogEvents);
    asio::post(self->edge_.context, [self, known, found = std::move(found)] {
      self->writing_ = false;
      if (self->closed_) return;
      if (!found) return self->close(); // the reader comes back and asks from where it was
      std::vector<SharedFrame> frames;
      for (const StreamEvent& event : *found) {
        self->after_ = event.seq;
        SharedFrame frame = make_frame(event);
        if (wants(*self->stream_, *frame)) frames.push_back(std::move(frame));
      }
      const bool complete = found->size() < kBacklogEvents;
      if (complete) self->after_ = std::max(self->after_, known);
      const bool last = self->stream_->ends_with_session && !found->empty() && found->back().last;
      const bool ends = complete && (last || self->is_over());
      if (frames.empty() && !ends) return self->write_frames();
      self->write_now(std::make_shared<const std::vector<SharedFrame>>(std::move(frames)), ends);
    });
  });
}

void Connection::read_source() {
  writing_ = true;
  asio::post(edge_.workers, [self = shared_from_this()] {
    auto part = self->stream_->source();
    asio::post(self->edge_.context, [self, part = std::move(part)]() mutable {
      self->writing_ = false;
      if (self->closed_) return;
      if (!part) return self->close(); // the reader comes back and asks from where it was
      if (self->edge_.stopping) return self->say_goodbye();
      if (part->frames.empty() && !part->ends) return; // looked at again before long
      self->out_ = std::move(part->frames);
      self->write_now(nullptr, part->ends);
    });
  });
}

void Connection::write_now(SharedBatch batch, bool ends) {
  writing_ = true;
  batch_ = std::move(batch);
  says_end_ = ends;
  ended_ = ended_ || ends;
  spoke_ = edge_.beat;
  ErrorKind problem;
  const std::size_t sent = send_at_once(problem);
  const auto rest = problem ? std::vector<asio::const_buffer>() : left_to_send(sent);
  if (rest.empty()) return written(problem);
  socket_.expires_after(std::chrono::milliseconds(edge_.options.write_ms));
  asio::async_write(socket_, rest, [self = shared_from_this()](const ErrorKind& failed, std::size_t) {
    self->written(failed);
  });
}

// What is written now, in order: own words, frames, the end.
std::size_t Connection::pieces() const { return 2 + (batch_ ? batch_->size() : 0); }

std::string_view Connection::piece(std::size_t n) const {
  static const std::string end = event_frame(0, "stream_end", "{}");
  if (n == 0) return out_;
  if (n + 1 < pieces()) return (*batch_)[n - 1]->bytes;
  return says_end_ ? end : std::string_view();
}

// Nearly every reader can take a few frames now: no timer, no turn of the loop, nothing allocated.
std::size_t Connection::send_at_once(ErrorKind& problem) {
  std::size_t all = 0;
  for (std::size_t next = 0, count = pieces(); next < count;) {
    std::array<iovec, 64> parts; // NOLINT: written below, as far as it is read
    msghdr message{};
    message.msg_iov = parts.data();
    std::size_t bytes = 0;
    for (; next < count && message.msg_iovlen < parts.size(); ++next) {
      const std::string_view text = piece(next);
      if (text.empty()) continue;
      parts[message.msg_iovlen++] = {const_cast<char*>(text.data()), text.size()};
      bytes += text.size();
    }
    if (bytes == 0) break;
    const ssize_t sent = ::sendmsg(socket_.socket().native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
      problem = ErrorKind(errno, boost::system::system_category());
    if (sent > 0) all += static_cast<std::size_t>(sent);
    if (sent < 0 || static_cast<std::size_t>(sent) < bytes) break;
  }
  return all;
}

std::vector<asio::const_buffer> Connection::left_to_send(std::size_t sent) const {
  std::vector<asio::const_buffer> rest;
  for (std::size_t n = 0, count = pieces(); n < count; ++n) {
    const std::string_view text = piece(n);
    const std::size_t gone = std::min(sent, text.size());
    sent -= gone;
    if (gone < text.size()) rest.emplace_back(text.data() + gone, text.size() - gone);
  }
  return rest;
}

void Connection::written(const ErrorKind& problem) {
  writing_ = false;
  out_.clear();
  if (batch_) edge_.events_sent += batch_->size();
  batch_.reset();
  if (problem == boost::beast::error::timeout) ++edge_.evicted;
  if (problem || ended_) {
    ErrorKind ignored;
    if (!problem) socket_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
    return close();
  }
  if (edge_.stopping) return say_goodbye();
  // The others have their turn first: one reader with much to read does not hold them up.
  if (has_source() || after_ < edge_.recent.newest() || is_over())
    asio::post(edge_.context, [self = shared_from_this()] { self->wake(); });
}

void Connection::heartbeat() {
  if (closed_) return;
  if (edge_.beat - checked_ >= kBeats) {
    checked_ = edge_.beat;
    if (revoked()) return close();
  }
  if (writing_ || ended_ || edge_.beat - spoke_ < kBeats) return;
  out_ = ": hb\n\n";
  write_now(nullptr, false);
}

void Connection::recheck() {
  if (!closed_ && revoked()) close();
}

// One that is writing says it afterwards.
void Connection::say_goodbye() {
  if (writing_ || closed_ || ended_) return;
  out_ = ": the server is stopping\n\n";
  ended_ = true;
  write_now(nullptr, false);
}

} // namespace emend
