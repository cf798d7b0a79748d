// Where commands in comments are taken and answered: each once, noted before anything is done, with one
// comment of receipts for a pull request.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/forge/pr_command.hpp"
#include "model/events.hpp"

namespace emend {

// A comment as a delivery, a look or a workflow names it. Nothing else of what they say is used.
struct NamedRemark {
  int number = 0;
  RemarkKind kind = RemarkKind::conversation;
  std::string id;

  [[nodiscard]] std::string key() const { return (kind == RemarkKind::inline_comment ? "inline-" : "") + id; }
};

struct Admission {
  enum class What { not_for_us, ignored, known, refused, taken } what = What::not_for_us;
  std::string why; // one line, unless it was taken
  PrCommand command;
  NamedRemark named;
  PullRequest pull;
  Remark remark;
  std::string intent;
};
[[nodiscard]] std::string_view to_string(Admission::What what);

// Reads comment, author, right and head from the forge as they are now. What is refused is answered here;
// what is taken is noted, and end_command() must follow. look_only: nothing is noted or said.
[[nodiscard]] Result<Admission> admit(const Ports& ports, Forge& forge, const CommandSettings& settings,
                                      const NamedRemark& named, bool look_only, std::stop_token stop);

// A button of a check run that emend made, as a delivery names it.
struct NamedPress {
  std::string run, by; // its number; the login of who pressed it
};
// The same for a button: it asks for a fix of what that run's review found and is open yet, on the commit the
// run is about. Which commit and which pull request that is, is known here; ErrorCode::not_found where the
// run is not ours. Each person's press of a run counts once.
[[nodiscard]] Result<Admission> admit_press(const Ports& ports, Forge& forge, const CommandSettings& settings,
                                            const NamedPress& press, std::stop_token stop);

struct CommandEnd {
  std::string result; // done, refused, failed, interrupted
  std::string line;
};
[[nodiscard]] Status end_command(const Ports& ports, Forge& forge, const Admission& taken,
                                 const CommandEnd& end, std::stop_token stop);

// Commands whose emend died are not done again: their receipts say so. How many.
[[nodiscard]] Result<int> close_interrupted(const Ports& ports, Forge& forge, std::stop_token stop);

// Whether the last thing a person asked for here was to stop.
[[nodiscard]] Result<bool> is_stopped(const Ports& ports, const std::string& project, int number);

// Pure. The comment of receipts, with its mark. there: as it stands now; what it answered and is not known
// here stays.
[[nodiscard]] std::string receipts_text(const std::vector<PrCommandTaken>& taken,
                                        const std::vector<PrCommandEnded>& ended, std::string_view there);

} // namespace emend
