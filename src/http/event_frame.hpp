// Server-sent events as bytes, and the recent ones kept ready for everybody. Pure.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.hpp"

namespace emend {

// An event as streams need it. `data`: one JSON text.
struct StreamEvent {
  std::int64_t seq = 0;
  std::string session_id;
  std::string type;
  std::string data;
  bool last = false;              // nothing follows in its session, unless that is resumed
  std::string repository_id = {}; // empty = it is not known
};

// "id: 7\nevent: x\ndata: {..}\n\n". A line break of any kind in the data starts a new data line and never a
// field; seq <= 0 = no id.
[[nodiscard]] std::string event_frame(std::int64_t seq, std::string_view type, std::string_view data);

struct Frame {
  std::int64_t seq;
  std::string session_id, type, bytes;
  bool last;
  std::string repository_id;
};
using SharedFrame = std::shared_ptr<const Frame>;
[[nodiscard]] SharedFrame make_frame(const StreamEvent& event);

[[nodiscard]] bool wants(const EventStream& stream, const Frame& frame);

// What goes out to a reader together; those who wait for the same share it.
using SharedBatch = std::shared_ptr<const std::vector<SharedFrame>>;

// The newest frames, so that a thousand readers cost one formatting. Numbers grow, with gaps or without.
class RecentFrames {
public:
  explicit RecentFrames(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Everything after `start` is here or will be.
  void start(std::int64_t start) {
    covered_from_ = start;
    newest_ = start;
  }
  void add(SharedFrame frame);
  [[nodiscard]] bool covers(std::int64_t after) const { return after >= covered_from_; }
  [[nodiscard]] std::int64_t newest() const { return newest_; }
  // Frames the stream wants with a higher number than `after`, at most max_bytes of them but at least one;
  // `after` moves on to the last one looked at.
  [[nodiscard]] std::vector<SharedFrame> take(const EventStream& stream, std::int64_t& after,
                                              std::size_t max_bytes) const;
  // The same, chosen once for all readers that want everything and stand at the same place.
  [[nodiscard]] SharedBatch batch(const EventStream& stream, std::int64_t& after, std::size_t max_bytes);

private:
  struct Chosen {
    std::int64_t from = 0, to = 0;
    std::size_t max_bytes = 0;
    SharedBatch batch; // none = nothing was chosen since the last frame came
  };
  std::deque<SharedFrame> frames_;
  std::size_t bytes_ = 0, max_bytes_;
  std::int64_t covered_from_ = 0, newest_ = 0;
  Chosen chosen_;
};

} // namespace emend
