// What emend says of the head of a pull request: how it stands, in one line, with text and places beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

// error: emend itself failed; that says nothing about the change.
enum class HeadState { pending, success, neutral, failure, error };
[[nodiscard]] std::string_view to_string(HeadState state);

struct Annotation {
  std::string path;
  int line = 0, line_end = 0;
  bool serious = false;
  std::string title, message, details;
};

// What a person may ask for beside the text of a check run. GitHub takes at most three, with at most 20, 40
// and 20 characters.
struct StatusButton {
  std::string label, description, identifier;
};

struct HeadStatus {
  std::string sha;
  std::string context; // "emend/review"
  HeadState state = HeadState::pending;
  std::string summary;                    // one line
  std::string text;                       // Markdown; only a check run shows it
  std::string url;                        // may be empty
  std::vector<Annotation> annotations;    // only a check run shows them; sent in as many requests as it takes
  std::string reference = {};             // of the work on it; kept by a check run, so that it is found again
  std::vector<StatusButton> buttons = {}; // only a check run shows them
};

// forge.status and forge.gate
enum class StatusWay { off, status, check, automatic };
enum class GateMode { never, findings, proof };

} // namespace emend
