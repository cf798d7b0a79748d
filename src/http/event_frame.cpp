#include "http/event_frame.hpp"

#include <algorithm>

namespace emend {

std::string event_frame(std::int64_t seq, std::string_view type, std::string_view data) {
  std::string frame;
  frame.reserve(data.size() + type.size() + 48);
  if (seq > 0) frame += "id: " + std::to_string(seq) + "\n";
  frame += "event: ";
  for (const char c : type) frame += c == '\n' || c == '\r' ? '_' : c;
  frame += "\ndata: ";
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] == '\r' && i + 1 < data.size() && data[i + 1] == '\n') continue;
    if (data[i] == '\n' || data[i] == '\r')
      frame += "\ndata: ";
    else
      frame += data[i];
  }
  return frame + "\n\n";
}

SharedFrame make_frame(const StreamEvent& event) {
  return std::make_shared<const Frame>(Frame{event.seq, event.session_id, event.type,
                                             event_frame(event.seq, event.type, event.data), event.last,
                                             event.repository_id});
}

bool wants(const EventStream& stream, const Frame& frame) {
  if (!stream.session_id.empty() && stream.session_id != frame.session_id) return false;
  if (stream.repositories && std::find(stream.repositories->begin(), stream.repositories->end(),
                                       frame.repository_id) == stream.repositories->end())
    return false;
  return stream.types.empty() || (stream.ends_with_session && frame.last) ||
         std::find(stream.types.begin(), stream.types.end(), frame.type) != stream.types.end();
}

void RecentFrames::add(SharedFrame frame) {
  newest_ = frame->seq;
  chosen_.batch.reset();
  bytes_ += frame->bytes.size();
  frames_.push_back(std::move(frame));
  while (bytes_ > max_bytes_ && frames_.size() > 1) {
    covered_from_ = frames_.front()->seq;
    bytes_ -= frames_.front()->bytes.size();
    frames_.pop_front();
  }
}

std::vector<SharedFrame> RecentFrames::take(const EventStream& stream, std::int64_t& after,
                                            std::size_t max_bytes) const {
  std::vector<SharedFrame> taken;
  std::size_t bytes = 0;
  auto next = std::upper_bound(frames_.begin(), frames_.end(), after,
                               [](std::int64_t seq, const SharedFrame& frame) { return seq < frame->seq; });
  for (; next != frames_.end(); ++next) {
    if (wants(stream, **next)) {
      if (!taken.empty() && bytes + (*next)->bytes.size() > max_bytes) return taken;
      bytes += (*next)->bytes.size();
      taken.push_back(*next);
    }
    after = (*next)->seq;
  }
  return taken;
}

SharedBatch RecentFrames::batch(const EventStream& stream, std::int64_t& after, std::size_t max_bytes) {
  const auto fresh = [&] {
    return std::make_shared<const std::vector<SharedFrame>>(take(stream, after, max_bytes));
  };
  const bool wants_all = stream.session_id.empty() && !stream.repositories && stream.types.empty();
  if (!wants_all) return fresh();
  if (chosen_.batch == nullptr || chosen_.from != after || chosen_.max_bytes != max_bytes) {
    chosen_ = {after, 0, max_bytes, nullptr};
    chosen_.batch = fresh();
    chosen_.to = after;
  }
  after = chosen_.to;
  return chosen_.batch;
}

} // namespace emend
