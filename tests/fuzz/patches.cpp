// Two versions of a file, cut at the first NUL byte or "\n----\n": the diff, and everything that looks at
// changed lines.
#include "base/redact.hpp"
#include "engine/patch/content_rules.hpp"
#include "engine/patch/cosmetic_change.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/patch/notes.hpp"
#include "engine/patch/scope.hpp"
#include "model/patch.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

FileChange change_of(std::string_view input) {
  static constexpr const char* kPaths[] = {"src/a.c",   "tests/test_a.py", "src/a.test.ts", "src/lib.rs",
                                           "a_test.go", "tests/a.sh",      "Makefile",      "spec/a_spec.rb"};
  FileChange change;
  change.path = kPaths[input.empty() ? 0 : static_cast<unsigned char>(input.front()) % std::size(kPaths)];
  change.old_mode = change.new_mode = kModeFile;
  change.old_id = "1";
  change.new_id = "2";
  constexpr std::string_view mark = "\n----\n";
  auto cut = input.find('\0');
  std::size_t width = 1;
  if (const auto marked = input.find(mark); marked < cut) {
    cut = marked;
    width = mark.size();
  }
  change.old_content = input.substr(0, cut);
  if (cut != std::string_view::npos) change.new_content = input.substr(cut + width);
  return change;
}

FUZZ_TARGET(patch) {
  const Patch patch{{change_of(input)}};
  const FileChange& change = patch.changes.front();
  const DiffStat stat = diff_stat(patch);
  const ChangedLines lines = changed_lines(change);
  promise(stat.insertions >= 0 && stat.deletions >= 0, "counts are counts");
  promise((change.old_content == change.new_content) == (lines.added.empty() && lines.removed.empty()) ||
              lines.added.size() + lines.removed.size() > 0 ||
              change.old_content + "\n" == change.new_content ||
              change.old_content == change.new_content + "\n",
          "what differs has changed lines, but for the last line's end");
  static_cast<void>(unified_diff(patch));
  promise(patch_from_json(to_json(patch)).sha256() == patch.sha256(),
          "a patch survives the store byte for byte");
  promise(compose(patch, Patch{}).sha256() == patch.sha256(), "nothing after a patch changes nothing");
}

FUZZ_TARGET(changed_lines) {
  static const Redactor redactor;
  const FileChange change = change_of(input);
  FileChange same = change;
  same.new_content = same.old_content;
  promise(is_cosmetic(same), "no change is a cosmetic one");
  static_cast<void>(is_cosmetic(change));
  static_cast<void>(significant_text(change.path, change.new_content));
  static_cast<void>(content_problems(Patch{{change}}, redactor));
  promise(content_problems(Patch{{same}}, redactor).empty(), "no change hides nothing");
  static_cast<void>(form_notes(Finding{}, Patch{{change}}));
  promise(form_notes(Finding{}, Patch{{same}}).empty(), "no change is not noted");
  static_cast<void>(test_notes(Patch{{change}}, {{"tests/test_a.py", change.old_content}}));
  promise(changed_tests(same).empty(), "no change changes no test");
  static_cast<void>(changed_tests(change));
  static_cast<void>(only_tests(change, {"test"}));
  static_cast<void>(junk_kind(change));
  static_cast<void>(used_new_files(Patch{{change}}));
  const ApartPatch parts = apart("", Patch{{change}});
  promise(parts.judges.changes.size() + parts.own_tests.changes.size() + parts.product.changes.size() == 1,
          "taken apart, nothing is lost");
  static_cast<void>(executed_words(input));
}

} // namespace
} // namespace emend::fuzz
