// What a person asked for, as a value: whoever owns the repository, the server or the terminal does it.
#pragma once

#include <string>
#include <vector>

namespace emend {

enum class Deed {
  fix,       // codes
  refix,     // codes[0], again on its session's branch after it was taken back
  answer,    // text to question
  skip,      // question: left to the fixer
  ignore,    // codes, reason, text = note
  reopen,    // codes, text = note
  duplicate, // codes[0] of text
  comment,   // text to codes[0]
  accept,    // codes[0] of session
  reject,    // codes[0] of session, text = why
  open_test, // question = FILE::TEST that the fix of codes[0] may change, text = why
  approve,   // session
  cancel,    // session
  resume,    // session
  edit,      // the file of codes[0]
  copy,      // text, to the clipboard
  copy_link, // of codes[0]
  browse,    // a link to the dashboard
  commands,  // what was run in the session shown
  insights,  // what became of the fixes, by text
  report,    // what the session did and took
  group,     // a branch of session with fewer commits, by text
  suspend,   // the terminal, until somebody goes on
  quit,
};

struct Wanted {
  Deed deed = Deed::quit;
  std::vector<std::string> codes = {};
  std::string session = {}, question = {}, reason = {}, text = {};
  std::vector<std::string> options = {}; // of a fix: NAME=VALUE, as `emend fix --NAME VALUE`

  friend bool operator==(const Wanted&, const Wanted&) = default;
};

} // namespace emend
