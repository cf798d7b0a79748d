#include "cli/ci/told_head.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"

namespace emend {

Status ToldHead::begin(const std::string& sha) {
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(const int closed, close_left_open(ports, forge_, context_.dependencies().stop));
  if (closed > 0)
    context_.hint(std::to_string(closed) + " status" + (closed == 1 ? "" : "es") +
                  " left pending by an interrupted emend: closed as error");
  return show(sha);
}

Status ToldHead::show(const std::string& sha) {
  if (way_ == StatusWay::off) return {};
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(pending_, show_pending(ports, forge_, way_, sha, name_, context_.dependencies().stop));
  for (const std::string& note : pending_->notes) context_.hint("note: " + one_line(note, 400));
  return {};
}

Status ToldHead::end(HeadStatus status, const ReviewGround& ground) {
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY(show_final(ports, forge_, *pending_, status, ground, context_.dependencies().stop));
  said_ = std::move(status);
  pending_.reset();
  context_.hint(fmt::format("{}: {}, {}", name_, to_string(said_.state), one_line(said_.summary, 200)));
  return {};
}

void ToldHead::fail(const Error& why, const char* doing) {
  if (!pending_) return;
  const auto ports = context_.ports();
  const std::string line =
      fmt::format("emend could not {} it: {}", doing, first_line(clean_text(why.message), 90));
  // The work may have been stopped; this one request is still made.
  const Status told = ports ? show_final(*ports, forge_, *pending_,
                                         {"", "", HeadState::error, line, "", "", {}}, {}, std::stop_token())
                            : Status(emend::fail(ports.error()));
  if (!told)
    context_.hint("note: the status of the head is still pending: " + one_line(told.error().message, 200) +
                  "; the next emend command here closes it");
  pending_.reset();
}

Json ToldHead::to_json() const {
  if (said_.summary.empty()) return Json();
  return {{"state", to_string(said_.state)}, {"summary", said_.summary}, {"context", name_}};
}

} // namespace emend
