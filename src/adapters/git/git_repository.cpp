#include "adapters/git/git_repository.hpp"

#include <map>
#include <mutex>

#include "adapters/git/base_checkout.hpp"
#include "adapters/git/check_place.hpp"
#include "adapters/git/commit_maker.hpp"
#include "adapters/git/engine_store.hpp"
#include "adapters/git/git_program.hpp"
#include "adapters/git/hidden_paths.hpp"
#include "adapters/git/known_place.hpp"
#include "adapters/git/object_reader.hpp"
#include "adapters/git/open_warnings.hpp"
#include "adapters/git/publisher.hpp"
#include "adapters/git/three_way_merge.hpp"
#include "adapters/git/user_files_watch.hpp"
#include "adapters/git/user_repository.hpp"
#include "adapters/git/working_tree.hpp"
#include "adapters/git/workspaces.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

class GitRepository final : public Repository {
public:
  GitRepository(GitProgram git, UserRepository user, EngineStore store, GitOptions options)
      : git_(std::move(git)),
        user_(std::move(user)),
        store_(std::move(store)),
        options_(std::move(options)),
        objects_(git_, store_.git_dir),
        user_objects_(git_, user_.git_dir),
        bases_(git_, store_),
        repositories_(git_, user_, store_),
        merge_(git_, store_.scratch, user_.algorithm),
        publisher_(git_, user_, store_.git_dir) {}

  // A partial clone that lacks files of HEAD is refused now, not in the middle of the work.
  Status look_around() const {
    if (user_.partial) TRY(known(user_.head));
    return {};
  }

  const std::string& root() const override { return user_.root; }
  const std::string& id() const override { return user_.id; }
  const std::vector<std::string>& warnings() const override;
  Result<std::string> resolve(std::string_view ref) override;
  Result<Identity> identity() override { return user_identity(user_, git_); }

  Result<const Tree*> tree(const std::string& commit) override;
  Result<std::string> read(const std::string& commit, std::string_view path) override;
  Result<std::vector<std::string>> read_each(const std::string& commit,
                                             const std::vector<std::string>& paths) override;
  Result<Patch> diff(const std::string& from, const std::string& to) override {
    return objects_.diff(from, to);
  }
  Result<Patch> diff(const std::string& from, const std::string& to,
                     const std::vector<std::string>& paths) override;
  Result<std::vector<Patch>> diffs(const std::vector<CommitPair>& pairs) override {
    return objects_.diffs(pairs);
  }
  Result<std::vector<std::string>> line(const LineQuery& query) override;
  Result<Patch> apply_diff(const std::string& commit, const std::string& unified_diff) override;
  Result<std::optional<std::string>> merge_base(const std::string& a, const std::string& b) override;
  Result<bool> is_ancestor(const std::string& a, const std::string& b) override;
  Result<std::optional<std::string>> default_branch() override;
  Result<std::vector<Remote>> remotes() override { return user_remotes(user_, git_); }
  Result<Patch> staged(const std::string& commit) override {
    return staged_patch(user_, store_, git_, commit);
  }
  Result<Patch> uncommitted(const std::string& commit) override {
    return uncommitted_patch(user_, store_, git_, commit);
  }
  Result<bool> is_ignored(const std::string& commit, std::string_view path) override;

  Result<std::unique_ptr<Workspace>> make_workspace(const std::string& commit, const Patch& patch) override;
  Result<std::optional<Patch>> merge(const Patch& first, const Patch& second) override {
    return merge_.merge(first, second);
  }
  Result<std::optional<Patch>> rebase(const Patch& patch, const Patch& earlier) override {
    return merge_.rebase(patch, earlier);
  }

  Result<std::string> export_commit(const std::string& commit) override {
    return pack_of_commit(git_, store_.git_dir, commit);
  }
  Result<std::vector<std::string>> commit_chain(const std::vector<CommitRequest>& requests) override {
    return make_commits(requests, store_.git_dir, git_, objects_);
  }
  Status publish(const std::string& branch, const std::string& tip, const std::string& base) override {
    return publisher_.publish(branch, tip, base);
  }
  Status advance(const std::string& branch, const std::string& from, const std::string& to) override {
    return publisher_.advance(branch, from, to);
  }
  Status remove_branch(const std::string& branch, const std::string& tip) override {
    return publisher_.remove(branch, tip);
  }
  Result<std::optional<std::string>> branch_in_use(const std::string& branch) override {
    return publisher_.in_use(branch);
  }
  Result<std::optional<std::string>> branch_tip(const std::string& branch) override {
    return publisher_.tip_of(branch);
  }
  Result<bool> reachable(const std::string& commit, const std::string& branch) override;
  Result<Patch> published_diff(const std::string& from, const std::string& to) override {
    return user_objects_.diff(from, to);
  }
  Result<std::vector<Patch>> published_diffs(const std::vector<CommitPair>& pairs) override {
    return user_objects_.diffs(pairs);
  }
  Result<std::vector<CommitFacts>> published_commits(const std::vector<std::string>& commits) override;

  SandboxKind sandbox() const override {
    contain();
    return options_.sandbox;
  }
  Surroundings surroundings() override;
  void clean_leftovers() override;

private:
  struct KnownCommit {
    std::string tree_id;
    const Tree* tree = nullptr;
  };
  Result<KnownCommit> known(const std::string& commit) const;
  Status see_history() {
    return copy_shallow(store_, user_);
  } // a server has the repository open while a person fetches

  // Finds out how children are kept in their workspaces, before the first of them.
  void contain() const;

  GitProgram git_;
  UserRepository user_;
  mutable EngineStore store_;  // as contain() leaves it
  mutable GitOptions options_; // likewise
  mutable std::once_flag contained_;
  mutable ObjectReader objects_; // the engine's store, which also sees the person's objects
  ObjectReader user_objects_;    // the person's alone
  BaseCheckouts bases_;
  CheckRepositories repositories_;
  ThreeWayMerge merge_;
  Publisher publisher_;
  std::shared_ptr<CopyPool> copies_ = std::make_shared<CopyPool>();
  std::shared_ptr<SpacePool> spaces_ = std::make_shared<SpacePool>();
  mutable std::once_flag looked_;
  mutable std::vector<std::string> warnings_; // once somebody has asked

  std::once_flag tidied_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> tree_ids_; // by commit
  mutable std::map<std::string, std::unique_ptr<const Tree>>
      trees_; // by tree id: commits that change nothing share one
};

// Looks through the whole checkout, so only for those who ask.
const std::vector<std::string>& GitRepository::warnings() const {
  std::call_once(looked_, [this] {
    const auto found = [this]() -> Result<std::vector<std::string>> {
      TRY_ASSIGN(const KnownCommit head, known(user_.head));
      return open_warnings(user_, store_, *head.tree, objects_, git_);
    }();
    warnings_ = found ? *found : std::vector<std::string>{found.error().message};
  });
  return warnings_;
}

void GitRepository::contain() const {
  std::call_once(contained_, [this] {
    if (options_.find_out) options_.find_out(options_);
    store_.contained = options_.sandbox != SandboxKind::none;
    if (!store_.contained) return;
    store_.writable = options_.shared;
    store_.secrets = secret_paths(user_.root);
    const HomeView view = view_of_home({user_.root, user_.common_dir, store_.home}, options_.readable);
    store_.user_home = view.home;
    store_.shown = view.shown;
    store_.layered = private_directories(view);
    for (const auto& found : {secrets_among(view.tools), agent_logins(options_.readable)})
      store_.secrets.insert(store_.secrets.end(), found.begin(), found.end());
    store_.linked_home = options_.sandbox == SandboxKind::landlock;
    if (options_.overlay)
      settle_layers(user_, options_.writable, options_.readable, store_);
    else
      store_.writable.insert(store_.writable.end(), options_.writable.begin(), options_.writable.end());
  });
}

// In an index that nobody else sees; its objects are the engine's own.
Result<Patch> GitRepository::apply_diff(const std::string& commit, const std::string& unified_diff) {
  TRY_ASSIGN(const TemporaryDirectory scratch, TemporaryDirectory::create(store_.scratch, "diff-"));
  GitCall call{.args = {"read-tree", commit},
               .git_dir = store_.git_dir,
               .env = {"GIT_INDEX_FILE=" + (scratch.path() / "index").string()}};
  TRY(git_.output(call));
  call.args = {"apply", "--cached", "--whitespace=nowarn", "-"};
  call.input = unified_diff;
  TRY_ASSIGN(const ProcessResult applied, git_.run(call));
  if (applied.exit_code != 0)
    return fail(ErrorCode::usage, "the diff does not fit: " + git_complaint(applied),
                "make the diff against the commit it is meant for");
  call.args = {"write-tree"};
  call.input.clear();
  TRY_ASSIGN(const std::string tree, git_.line(call));
  return objects_.diff(commit, tree);
}

Result<std::string> GitRepository::resolve(std::string_view ref) {
  const std::string wanted(ref);
  if (ref == "HEAD" && head_on_disk(user_) == user_.head) return user_.head; // git has looked at that commit
  // A commit of ours that is not published yet, or was fetched, is named by its id only, or as a parent of
  // such a one ("ID^1").
  for (const std::string& git_dir :
       {user_.git_dir, is_object_id(ref.substr(0, ref.find('^'))) ? store_.git_dir : std::string()}) {
    if (git_dir.empty() || wanted.empty()) break;
    TRY_ASSIGN(ProcessResult answer, git_.run(GitCall{.args = {"rev-parse", "--verify", "--quiet",
                                                               "--end-of-options", wanted + "^{commit}"},
                                                      .git_dir = git_dir}));
    if (answer.exit_code == 0 && is_object_id(trim(answer.out))) return std::string(trim(answer.out));
  }
  return fail(ErrorCode::not_found, "'" + wanted + "' names no commit in " + user_.root,
              "to list commits: git log --oneline --all");
}

Result<GitRepository::KnownCommit> GitRepository::known(const std::string& commit) const {
  std::lock_guard lock(mutex_);
  auto id = tree_ids_.find(commit);
  if (id == tree_ids_.end()) {
    auto tree_id = objects_.tree_id(commit);
    if (!tree_id) return fail(ErrorCode::not_found, "there is no commit " + commit);
    id = tree_ids_.emplace(commit, *tree_id).first;
  }
  std::unique_ptr<const Tree>& tree = trees_[id->second];
  if (!tree) {
    TRY_ASSIGN(Tree listed, objects_.tree(id->second));
    tree = std::make_unique<const Tree>(std::move(listed));
  }
  return KnownCommit{id->second, tree.get()};
}

Result<const Tree*> GitRepository::tree(const std::string& commit) {
  TRY_ASSIGN(const KnownCommit found, known(commit));
  return found.tree;
}

Result<std::string> GitRepository::read(const std::string& commit, std::string_view path) {
  TRY_ASSIGN(const Tree* files, tree(commit));
  const auto entry = files->find(path);
  if (entry == files->end() || entry->second.mode == kModeGitlink)
    return fail(ErrorCode::not_found, "commit " + commit.substr(0, 12) + " has no file " + std::string(path));
  return objects_.blob(entry->second.id);
}

// One question to git for all of them; afterwards each is known.
Result<std::vector<std::string>> GitRepository::read_each(const std::string& commit,
                                                          const std::vector<std::string>& paths) {
  TRY_ASSIGN(const Tree* files, tree(commit));
  std::vector<std::string> ids;
  for (const std::string& path : paths)
    if (const auto entry = files->find(path); entry != files->end() && entry->second.mode != kModeGitlink)
      ids.push_back(entry->second.id);
  TRY_ASSIGN(const auto contents, objects_.blobs(ids));
  if (ids.size() != paths.size()) return CommittedFiles::read_each(commit, paths); // says which one is absent
  std::vector<std::string> texts;
  for (const std::string& id : ids) texts.push_back(contents.at(id));
  return texts;
}

Result<Patch> GitRepository::diff(const std::string& from, const std::string& to,
                                  const std::vector<std::string>& paths) {
  if (paths.empty()) return Patch{};
  return objects_.diff(from, to, paths);
}

Result<std::vector<std::string>> GitRepository::line(const LineQuery& query) {
  const bool whole = query.since.empty();
  if (!is_object_id(query.tip) || (!whole && !is_object_id(query.since)))
    return fail(ErrorCode::git, "not commit ids: " + query.tip + ", " + query.since);
  TRY(see_history());
  GitCall call{
      .args = {"rev-list", "--first-parent", "--max-count=" + std::to_string(query.limit), query.tip},
      .git_dir = store_.git_dir,
      .env = {"GIT_LITERAL_PATHSPECS=1"}};
  if (!whole) call.args.push_back("^" + query.since);
  if (!query.paths.empty()) call.args.emplace_back("--");
  call.args.insert(call.args.end(), query.paths.begin(), query.paths.end());
  TRY_ASSIGN(const std::string listing, git_.output(call));
  std::vector<std::string> commits;
  for (const std::string_view commit : lines_of(listing)) commits.emplace_back(commit);
  return commits;
}

Result<std::optional<std::string>> GitRepository::merge_base(const std::string& a, const std::string& b) {
  TRY(see_history());
  TRY_ASSIGN(const std::string first, resolve(a));
  TRY_ASSIGN(const std::string second, resolve(b));
  TRY_ASSIGN(ProcessResult answer,
             git_.run(GitCall{.args = {"merge-base", first, second}, .git_dir = store_.git_dir}));
  if (answer.exit_code == 1) return std::nullopt;
  const std::string base(trim(answer.out));
  if (answer.exit_code != 0 || !is_object_id(base))
    return fail(ErrorCode::git, "git merge-base failed: " + git_complaint(answer));
  return base;
}

Result<bool> GitRepository::is_ancestor(const std::string& a, const std::string& b) {
  TRY(see_history());
  TRY_ASSIGN(const std::string first, resolve(a));
  TRY_ASSIGN(const std::string second, resolve(b));
  TRY_ASSIGN(ProcessResult answer, git_.run(GitCall{.args = {"merge-base", "--is-ancestor", first, second},
                                                    .git_dir = store_.git_dir}));
  if (answer.exit_code > 1) return fail(ErrorCode::git, "git merge-base failed: " + git_complaint(answer));
  return answer.exit_code == 0;
}

Result<std::optional<std::string>> GitRepository::default_branch() {
  TRY_ASSIGN(ProcessResult remote,
             git_.run(GitCall{.args = {"symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"},
                              .git_dir = user_.git_dir}));
  std::vector<std::string> names = {"main",        "master",        "trunk",
                                    "origin/main", "origin/master", "origin/trunk"};
  if (remote.exit_code == 0) names.insert(names.begin(), std::string(trim(remote.out)));
  for (const std::string& name : names) {
    const std::string ref = (name.starts_with("origin/") ? "refs/remotes/" : "refs/heads/") + name;
    if (resolve(ref)) return name;
  }
  return std::nullopt;
}

Result<bool> GitRepository::is_ignored(const std::string& commit, std::string_view path) {
  if (!is_tree_path(path)) return false;
  TRY_ASSIGN(const KnownCommit found, known(commit));
  TRY_ASSIGN(const BaseInUse base, bases_.take(found.tree_id, *found.tree));
  TRY_ASSIGN(ProcessResult answer,
             git_.run(GitCall{
                 .args = {"--work-tree=" + base.directory, "check-ignore", "--no-index", "--stdin", "-z"},
                 .git_dir = store_.git_dir,
                 .cwd = base.directory,
                 .input = "./" + std::string(path) + '\0'})); // "./": ':' at the start would be magic
  return answer.exit_code == 0; // 1: not ignored; 128: a path no ignore rule can speak of (below a symlink)
}

Surroundings GitRepository::surroundings() {
  static const Tree nothing;
  const auto checked_out = known(user_.head);
  const fs::path ours = fs::path(store_.git_dir).parent_path().parent_path().parent_path();
  return surroundings_of(user_, checked_out ? *checked_out->tree : nothing, git_, ours);
}

Result<std::unique_ptr<Workspace>> GitRepository::make_workspace(const std::string& commit,
                                                                 const Patch& patch) {
  // Commands that never take the repository's lock make workspaces, too. What is in use is locked by its
  // owner.
  std::call_once(tidied_, [this] { remove_dead_workspaces(store_); });
  contain();
  TRY_ASSIGN(const KnownCommit found, known(commit));
  const WorkspaceBase start{commit, found.tree_id, found.tree, user_.algorithm, &objects_, &repositories_};
  if (options_.overlay) {
    TRY_ASSIGN(BaseInUse base, bases_.take(found.tree_id, *found.tree));
    auto workspace = make_overlay_workspace(store_, std::move(base), start, patch, spaces_);
    if (workspace || workspace.error().code != ErrorCode::limit) return workspace;
  }
  TRY_ASSIGN(BaseInUse base, bases_.take(found.tree_id, *found.tree));
  return make_copy_workspace(store_, std::move(base), start, patch, copies_);
}

namespace {

CommitFacts parse_commit(std::string_view object) {
  CommitFacts facts;
  const auto end_of_headers = object.find("\n\n");
  for (const std::string_view line : lines_of(object.substr(0, end_of_headers)))
    if (line.starts_with("parent "))
      facts.parents.emplace_back(line.substr(7));
    else if (line.starts_with("committer ")) // "committer Name <mail> 1700000000 +0100"
      if (const auto mail = line.rfind("> "); mail != std::string_view::npos)
        facts.time_s = parse_unsigned(line.substr(mail + 2, line.find(' ', mail + 2) - mail - 2)).value_or(0);
  if (end_of_headers != std::string_view::npos)
    facts.message = std::string(object.substr(end_of_headers + 2));
  return facts;
}

} // namespace

Result<bool> GitRepository::reachable(const std::string& commit, const std::string& branch) {
  TRY_ASSIGN(const auto tip, publisher_.tip_of(branch));
  if (!tip || !is_object_id(commit)) return false;
  TRY_ASSIGN(ProcessResult answer, git_.run(GitCall{.args = {"merge-base", "--is-ancestor", commit, *tip},
                                                    .git_dir = user_.git_dir}));
  return answer.exit_code == 0;
}

Result<std::vector<CommitFacts>> GitRepository::published_commits(const std::vector<std::string>& commits) {
  std::vector<CommitFacts> facts;
  if (commits.empty()) return facts;
  TRY_ASSIGN(const std::string text, git_.output(GitCall{.args = {"cat-file", "--batch"},
                                                         .git_dir = user_.git_dir,
                                                         .input = join(commits, "\n") + "\n"}));
  std::string_view rest = text;
  for (const std::string& commit : commits) { // "<id> commit <size> LF <object> LF"
    const std::string_view head = rest.substr(0, rest.find('\n'));
    const std::string start = commit + " commit ";
    const auto size =
        parse_unsigned(head.starts_with(start) ? head.substr(start.size()) : std::string_view());
    if (!size || rest.size() < head.size() + 2 + *size)
      return fail(ErrorCode::git, "the commit " + commit + " is not in the repository");
    facts.push_back(parse_commit(rest.substr(head.size() + 1, *size)));
    rest.remove_prefix(head.size() + 2 + *size);
  }
  return facts;
}

void GitRepository::clean_leftovers() {
  remove_dead_workspaces(store_);
  bases_.remove_leftovers();
  remove_dead_locks(store_);
  remove_temporary_refs(store_.git_dir, git_);
  remove_old_scratch(store_);
}

Result<std::string> made_home(const std::string& home) {
  TRY(make_directories(home));
  std::error_code problem;
  const std::string path = fs::canonical(home, problem).string();
  if (problem) return fail(ErrorCode::io, "cannot use " + home + ": " + problem.message());
  return path;
}

} // namespace

Result<std::unique_ptr<Repository>> open_repository(const std::string& directory, ProcessRunner& processes,
                                                    GitOptions options) {
  const GitProgram git(processes, options.git);
  TRY_ASSIGN(UserRepository user, find_user_repository(directory, git));
  TRY_ASSIGN(const std::string home, made_home(options.home));
  if (options.id.empty()) {
    TRY_ASSIGN(user.id, settled_id(user, home));
  } else {
    user.id = options.id;
  }
  TRY_ASSIGN(EngineStore store, open_engine_store(user, home, git));
  auto repository =
      std::make_unique<GitRepository>(git, std::move(user), std::move(store), std::move(options));
  TRY(repository->look_around());
  return repository;
}

Status adopt_repository(const std::string& directory, ProcessRunner& processes, const GitOptions& options) {
  const GitProgram git(processes, options.git);
  TRY_ASSIGN(const UserRepository user, find_user_repository(directory, git));
  TRY_ASSIGN(const std::string home, made_home(options.home));
  return adopt_id(user, home, options.id);
}

} // namespace emend
