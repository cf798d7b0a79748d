// Something that somebody said about a pull request.
#pragma once

#include <cstdint>
#include <string>

namespace emend {

enum class RemarkKind { review, inline_comment, conversation };

// Something said about a pull request.
struct Remark {
  RemarkKind kind = RemarkKind::conversation;
  std::string id;     // what the forge knows it by
  std::string thread; // of a comment that belongs to a thread; may be empty
  std::string author, body, url;
  std::int64_t created_ms = 0; // by the forge's clock; 0 = unknown
  bool edited = false;         // its words are not those it was made with
  bool bot = false;
  bool own = false; // said by who we are logged in as
  bool reply = false;
  std::string path; // of an inline comment
  int line = 0;     // 0 = its place is gone from the diff
  std::string commit;
};

} // namespace emend
