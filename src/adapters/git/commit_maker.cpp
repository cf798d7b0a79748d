#include "adapters/git/commit_maker.hpp"

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kTemporaryRefs = "refs/emend/tmp-";

std::string quoted_path(std::string_view path) {
  static constexpr char kDigits[] = "01234567";
  std::string quoted = "\"";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\') {
      quoted += '\\';
      quoted += kDigits[byte >> 6];
      quoted += kDigits[(byte >> 3) & 7];
      quoted += kDigits[byte & 7];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string data_block(std::string_view bytes) {
  return "data " + std::to_string(bytes.size()) + "\n" + std::string(bytes) + "\n";
}

// Characters that would end the field in a commit header.
std::string header_text(std::string_view text, std::string_view fallback) {
  std::string kept;
  for (const char c : trim(text))
    if (c != '<' && c != '>' && c != '\n' && c != '\0') kept += c;
  return kept.empty() ? std::string(fallback) : kept;
}

std::string octal(unsigned mode) {
  std::string text;
  for (; mode != 0; mode >>= 3) text.insert(text.begin(), static_cast<char>('0' + (mode & 7)));
  return text;
}

Status check_request(const CommitRequest& request, bool first) {
  if (first && !is_object_id(request.parent))
    return fail(ErrorCode::git, "not a commit id: " + request.parent);
  if (request.message.find('\0') != std::string::npos)
    return fail(ErrorCode::git, "a commit message cannot hold a NUL byte");
  for (const FileChange& change : request.patch.changes) {
    if (!is_tree_path(change.path)) return fail(ErrorCode::git, "not a path git can hold: " + change.path);
    for (const unsigned mode : {change.old_mode, change.new_mode})
      if (mode != 0 && mode != kModeFile && mode != kModeExecutable && mode != kModeSymlink)
        return fail(ErrorCode::git,
                    "not a file mode that may be committed: " + octal(mode) + " " + change.path);
  }
  return {};
}

bool same_change(const FileChange& a, const FileChange& b) {
  return a.path == b.path && a.old_mode == b.old_mode && a.new_mode == b.new_mode && a.old_id == b.old_id &&
         a.new_id == b.new_id;
}

// What a commit really changed against its parent, read back from the objects, must be the patch and nothing
// else.
Status check_commit(const CommitRequest& request, const Patch& made, const std::string& parent) {
  Patch wanted = request.patch;
  wanted.sort();
  for (std::size_t i = 0; i < std::max(made.changes.size(), wanted.changes.size()); ++i) {
    if (i < made.changes.size() && i < wanted.changes.size() &&
        same_change(made.changes[i], wanted.changes[i]))
      continue;
    const std::string& path = i < wanted.changes.size() ? wanted.changes[i].path : made.changes[i].path;
    return fail(ErrorCode::git, "the patch does not fit commit " + parent.substr(0, 12) + " at " + path);
  }
  return {};
}

std::string mark(std::size_t index) { return ":" + std::to_string(index + 1); }

// One commit in the stream for `git fast-import`. `ref` is where it is left; mark(index) names it.
void add_commit(std::string& stream, const CommitRequest& request, const std::string& ref,
                std::size_t index) {
  const std::string who = header_text(request.author_name, "emend") + " <" +
                          header_text(request.author_email, "emend@localhost") + "> " +
                          std::to_string(request.time_s) + " +0000\n";
  stream += "commit " + ref + "\nmark " + mark(index) + "\nauthor " + who + "committer " + who +
            data_block(request.message);
  stream += "from " + (index == 0 ? request.parent : mark(index - 1)) + "\n";
  for (const FileChange& change : request.patch.changes)
    if (change.deleted()) stream += "D " + quoted_path(change.path) + "\n";
  for (const FileChange& change : request.patch.changes) {
    if (change.deleted()) continue;
    stream += "M " + octal(change.new_mode) + " inline " + quoted_path(change.path) + "\n" +
              data_block(change.new_content);
  }
  stream += "\n";
}

} // namespace

Result<std::vector<std::string>> make_commits(const std::vector<CommitRequest>& requests,
                                              const std::string& git_dir, const GitProgram& git,
                                              const ObjectReader& objects) {
  const std::string ref =
      std::string(kTemporaryRefs) + "commit"; // one for all: who commits holds the repository's lock
  std::string stream = "feature done\n", marks;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const CommitRequest& request = requests[i];
    TRY(check_request(request, i == 0));
    add_commit(stream, request, ref, i);
    marks += "get-mark " + mark(i) + "\n";
  }
  TRY_ASSIGN(const std::string output,
             git.output(GitCall{.args = {"fast-import", "--quiet", "--force", "--date-format=raw"},
                                .git_dir = git_dir,
                                .input = stream + marks + "done\n"}));
  crash_point("commit.imported");
  std::vector<std::string> commits;
  std::vector<CommitPair> pairs;
  for (const std::string_view line : lines_of(trim(output))) {
    if (!is_object_id(line)) break;
    pairs.push_back({commits.empty() ? requests.front().parent : commits.back(), std::string(line)});
    commits.emplace_back(line);
  }
  if (commits.size() != requests.size())
    return fail(ErrorCode::git, "git fast-import did not name the commits it made");
  TRY_ASSIGN(const std::vector<Patch> made, objects.raw_diffs(pairs));
  for (std::size_t i = 0; i < requests.size(); ++i) TRY(check_commit(requests[i], made[i], pairs[i].from));
  return commits;
}

void remove_temporary_refs(const std::string& git_dir, const GitProgram& git) {
  const auto refs = git.output(
      GitCall{.args = {"for-each-ref", "--format=delete %(refname)", "refs/emend/"}, .git_dir = git_dir});
  if (refs && !refs->empty())
    (void)git.run(GitCall{.args = {"update-ref", "--stdin"}, .git_dir = git_dir, .input = *refs});
}

} // namespace emend
