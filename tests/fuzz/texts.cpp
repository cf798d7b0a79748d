// The small readers everything else stands on: JSON, XML, git's NUL separated lists, plans, baselines.
#include "adapters/git/git_output.hpp"
#include "base/json.hpp"
#include "base/redact.hpp"
#include "base/strings.hpp"
#include "base/xml_scanner.hpp"
#include "engine/intake/baseline.hpp"
#include "engine/plan/clarify.hpp"
#include "engine/plan/plan_files.hpp"
#include "model/verification.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

FUZZ_TARGET(json) {
  if (const auto value = parse_json(input)) {
    const auto again = parse_json(dump_json(*value));
    promise(again.has_value() && *again == *value, "what is written is what was read");
    static_cast<void>(verification_from_json(*value));
    static_cast<void>(answers_from_json(*value));
    static_cast<void>(master_todo_from_json(*value));
    static_cast<void>(fix_todo_from_json(*value));
  }
  if (const auto object = last_json_object(input)) promise(object->is_object(), "an answer is an object");
}

FUZZ_TARGET(xml) {
  XmlScanner scanner(input);
  for (std::size_t tokens = 0;; ++tokens) {
    const auto token = scanner.next();
    if (!token || token->kind == XmlToken::Kind::end) break;
    promise(tokens <= input.size() * 2 + 2, "every token takes its part of the text");
  }
}

FUZZ_TARGET(git_z_output) {
  if (const auto tree = parse_ls_tree(input); tree && *tree)
    for (const auto& [path, entry] : **tree)
      promise(!path.empty() && !entry.id.empty(), "a tree's entries have a path and an id");
  if (const auto patch = parse_raw_diff(input))
    for (const FileChange& change : patch->changes)
      promise(!change.path.empty() && (change.old_mode != 0 || change.new_mode != 0),
              "a change is about a file");
  std::map<std::string, std::string> contents;
  static_cast<void>(parse_batch(input, {std::string(40, 'a'), std::string(40, 'b')}, contents));
}

FUZZ_TARGET(baseline_file) {
  if (const auto baseline = parse_baseline(input))
    promise(parse_baseline(write_baseline(*baseline)).has_value(), "what is written can be read");
}

FUZZ_TARGET(text) {
  static const Redactor redactor;
  const std::string clean = clean_text(input);
  promise(clean_text(clean) == clean, "what is clean stays as it is");
  promise(parse_json(dump_json(Json(clean))).has_value(), "clean text is valid UTF-8");
  static_cast<void>(redactor.redact(clean));
  promise(trim_middle(clean, 100).size() <= 200, "cut text is short");
}

} // namespace
} // namespace emend::fuzz
