#include "adapters/git/object_reader.hpp"

#include <algorithm>

#include "adapters/git/git_output.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kCacheBytes = 32'000'000;
constexpr std::size_t kIdsPerCall = 2'000;

tl::unexpected<Error> missing_objects(const std::string& commit) {
  return fail(ErrorCode::git,
              "objects of commit " + commit.substr(0, 12) +
                  " are missing in this repository (a partial clone, or damage)",
              "fetch them first (git fetch --refetch --no-filter), or check with git fsck");
}

} // namespace

Result<Tree> ObjectReader::tree(const std::string& commit) const {
  TRY_ASSIGN(
      ProcessResult listing,
      git_.run(GitCall{.args = {"ls-tree", "-r", "-z", "-l", "--full-tree", commit}, .git_dir = git_dir_}));
  if (listing.exit_code != 0) {
    if (contains(listing.err, "Not a valid object name"))
      return fail(ErrorCode::not_found, "there is no commit " + commit);
    return missing_objects(commit);
  }
  TRY_ASSIGN(std::optional<Tree> tree, parse_ls_tree(listing.out));
  if (!tree) return missing_objects(commit);
  return *std::move(tree);
}

Result<std::string> ObjectReader::tree_id(const std::string& commit) const {
  return git_.line(
      GitCall{.args = {"rev-parse", "--verify", "--quiet", commit + "^{tree}"}, .git_dir = git_dir_});
}

Result<std::string> ObjectReader::blob(const std::string& id) {
  TRY_ASSIGN(auto contents, blobs({id}));
  return std::move(contents[id]);
}

Result<std::map<std::string, std::string>> ObjectReader::blobs(const std::vector<std::string>& ids) {
  std::map<std::string, std::string> contents;
  std::vector<std::string> wanted;
  {
    std::lock_guard lock(mutex_);
    for (const std::string& id : ids) {
      if (contents.contains(id)) continue;
      const auto cached = cache_.find(id);
      contents[id] = cached != cache_.end() ? cached->second : std::string();
      if (cached == cache_.end()) wanted.push_back(id);
    }
  }
  for (std::size_t start = 0; start < wanted.size(); start += kIdsPerCall) {
    const auto end = std::min(wanted.size(), start + kIdsPerCall);
    TRY(read_batch({wanted.begin() + static_cast<std::ptrdiff_t>(start),
                    wanted.begin() + static_cast<std::ptrdiff_t>(end)},
                   contents));
  }
  for (const std::string& id : wanted) remember(id, contents[id]);
  return contents;
}

Status ObjectReader::read_batch(const std::vector<std::string>& ids,
                                std::map<std::string, std::string>& contents) const {
  TRY_ASSIGN(const std::string output,
             git_.output(GitCall{
                 .args = {"cat-file", "--batch"}, .git_dir = git_dir_, .input = join(ids, "\n") + "\n"}));
  return parse_batch(output, ids, contents);
}

void ObjectReader::remember(const std::string& id, const std::string& content) {
  if (content.size() > kCacheBytes / 8) return;
  std::lock_guard lock(mutex_);
  if (cached_bytes_ + content.size() > kCacheBytes) {
    cache_.clear();
    cached_bytes_ = 0;
  }
  if (cache_.emplace(id, content).second) cached_bytes_ += content.size();
}

Result<Patch> ObjectReader::raw_diff(const std::string& from, const std::string& to,
                                     const std::vector<std::string>& paths) const {
  GitCall call{.args = {"diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index",
                        "--ignore-submodules=none", "--end-of-options", from, to},
               .git_dir = git_dir_,
               .env = {"GIT_LITERAL_PATHSPECS=1"}};
  if (!paths.empty()) call.args.emplace_back("--");
  call.args.insert(call.args.end(), paths.begin(), paths.end());
  TRY_ASSIGN(const std::string output, git_.output(call));
  return parse_raw_diff(output);
}

Result<Patch> ObjectReader::diff(const std::string& from, const std::string& to,
                                 const std::vector<std::string>& paths) {
  TRY_ASSIGN(Patch patch, raw_diff(from, to, paths));
  std::vector<Patch> one;
  one.push_back(std::move(patch));
  TRY(read_contents(one));
  return std::move(one.front());
}

// Each answer begins with the commit that was asked about, also where nothing differs, and ends where git
// repeats what is no commit.
Result<std::vector<Patch>> ObjectReader::raw_diffs(const std::vector<CommitPair>& pairs) const {
  std::vector<Patch> patches;
  if (pairs.empty()) return patches;
  const std::string end = "=\n";
  GitCall call{.args = {"diff-tree", "--stdin", "-r", "-z", "--raw", "--always", "--no-renames",
                        "--full-index", "--ignore-submodules=none"},
               .git_dir = git_dir_};
  for (const CommitPair& pair : pairs) {
    if (!is_object_id(pair.from) || !is_object_id(pair.to))
      return fail(ErrorCode::git, "not a commit id: " + pair.from + " or " + pair.to);
    call.input.append(pair.to).append(" ").append(pair.from).append("\n").append(end);
  }
  TRY_ASSIGN(const std::string output, git_.output(call));
  std::string_view rest = output;
  for (const CommitPair& pair : pairs) {
    const std::string head = pair.to + '\0';
    if (!rest.starts_with(head)) return fail(ErrorCode::git, "git cannot read commit " + pair.to);
    rest.remove_prefix(head.size());
    std::size_t size = 0; // of the records, each of two fields
    while (size < rest.size() && rest[size] == ':') {
      const std::size_t path = rest.find('\0', size);
      const std::size_t after = path == std::string_view::npos ? path : rest.find('\0', path + 1);
      if (after == std::string_view::npos) return fail(ErrorCode::git, "git diff-tree printed half a record");
      size = after + 1;
    }
    TRY_ASSIGN(Patch patch, parse_raw_diff(rest.substr(0, size)));
    patches.push_back(std::move(patch));
    rest.remove_prefix(size);
    if (!rest.starts_with(end)) return fail(ErrorCode::git, "git diff-tree printed something unexpected");
    rest.remove_prefix(end.size());
  }
  return patches;
}

Result<std::vector<Patch>> ObjectReader::diffs(const std::vector<CommitPair>& pairs) {
  TRY_ASSIGN(std::vector<Patch> patches, raw_diffs(pairs));
  TRY(read_contents(patches));
  return patches;
}

Status ObjectReader::read_contents(std::vector<Patch>& patches) {
  std::vector<std::string> ids;
  for (const Patch& patch : patches)
    for (const FileChange& change : patch.changes) {
      if (change.old_mode != 0 && change.old_mode != kModeGitlink) ids.push_back(change.old_id);
      if (change.new_mode != 0 && change.new_mode != kModeGitlink) ids.push_back(change.new_id);
    }
  if (ids.empty()) return {};
  TRY_ASSIGN(const auto contents, blobs(ids));
  for (Patch& patch : patches)
    for (FileChange& change : patch.changes) {
      if (const auto found = contents.find(change.old_id); found != contents.end())
        change.old_content = found->second;
      if (const auto found = contents.find(change.new_id); found != contents.end())
        change.new_content = found->second;
    }
  return {};
}

Result<std::string> pack_of_commit(const GitProgram& git, const std::string& git_dir,
                                   const std::string& commit) {
  TRY_ASSIGN(const std::string listing,
             git.output(GitCall{.args = {"rev-list", "--objects", "--no-walk", commit}, .git_dir = git_dir}));
  std::string ids;
  for (const std::string& line : split(listing, '\n'))
    if (!line.empty()) ids += line.substr(0, line.find(' ')) + "\n";
  return git.output(GitCall{.args = {"pack-objects", "--stdout", "-q"}, .git_dir = git_dir, .input = ids});
}

} // namespace emend
