#include "adapters/git/check_place.hpp"

#include <algorithm>

#include "adapters/git/hidden_paths.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kOwnBranches = "refs/heads/emend/";

bool lies_in(const std::string& path, const std::string& directory) {
  return path == directory || path.starts_with(directory + "/");
}

bool has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string config_for(const std::string& algorithm) {
  const bool newer = algorithm != "sha1";
  return std::string("[core]\n\trepositoryformatversion = ") + (newer ? "1" : "0") +
         "\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n" +
         (newer ? "[extensions]\n\tobjectformat = " + algorithm + "\n" : "");
}

// A listing of "id name peeled" as packed-refs. The branch that is checked out is at the base, whatever
// happened to it since; sessions' branches are none of a check's business.
std::string packed_refs(const std::string& listing, const std::string& branch, const std::string& commit) {
  std::map<std::string, std::string> lines; // by name: git wants them sorted
  for (const std::string_view line : lines_of(listing)) {
    const std::vector<std::string> words = split(std::string(line), ' ');
    if (words.size() < 2 || words[1].starts_with(kOwnBranches) || words[1].ends_with("/HEAD")) continue;
    lines[words[1]] = words[0] + " " + words[1] + "\n" +
                      (words.size() > 2 && !words[2].empty() ? "^" + words[2] + "\n" : "");
  }
  if (!branch.empty()) lines[branch] = commit + " " + branch + "\n";
  std::string text = "# pack-refs with: peeled fully-peeled sorted \n";
  for (const auto& [name, line] : lines) text += line;
  return text;
}

// A tool or a cache in the checkout that is not part of the repository: a virtual environment.
bool is_tracked(const std::string& path, const std::string& root, const Tree& tree) {
  const std::string name = path.substr(root.size() + 1);
  const auto below = tree.lower_bound(name + "/");
  return tree.contains(name) || (below != tree.end() && below->first.starts_with(name + "/"));
}

std::string other_hosts(const std::string& name) {
  return read_file("/etc/hosts").value_or("127.0.0.1 localhost\n") + "127.0.0.1 " + name + "\n";
}

// Where the first look is told apart from: another path, another home, another host.
Status make_second(const WorkspaceSpace& space, CheckPlace& place) {
  const EngineStore& store = space.store();
  OverlayMount& mount = place.mount;
  const std::string name = "build-" + sha256_hex(space.name()).substr(0, 6);
  const std::string around = has(store.layered, "/var/tmp") ? "/var/tmp" : "/tmp";
  mount.aliases.push_back(
      {mount.target, around + "/" + name + "/" + fs::path(mount.target).filename().string()});
  place.path = mount.aliases.back().to;
  place.temp = around;
  if (!mount.home.empty()) {
    mount.aliases.push_back({mount.home, around + "/" + name + "/home"});
    place.home = mount.aliases.back().to;
  }
  mount.host_name = name;
  mount.hosts = space.layer("hosts");
  return write_scratch_file(mount.hosts, other_hosts(name), 0644);
}

int some_process_id(Look look) {
  const auto random = static_cast<int>(std::stoul(random_hex(2), nullptr, 16) % 8'000);
  return (look == Look::first ? 2'000 : 12'000) + random;
}

} // namespace

Result<CheckRepository> CheckRepositories::read(const std::string& commit) const {
  CheckRepository found;
  TRY_ASSIGN(const ProcessResult head,
             git_.run(GitCall{.args = {"symbolic-ref", "--quiet", "HEAD"}, .git_dir = user_.git_dir}));
  const std::string branch(head.exit_code == 0 ? trim(head.out) : "");
  found.head = (branch.empty() ? commit : "ref: " + branch) + "\n";
  TRY_ASSIGN(const std::string refs,
             git_.output(GitCall{.args = {"for-each-ref", "--format=%(objectname) %(refname) %(*objectname)",
                                          "refs/heads", "refs/tags", "refs/remotes"},
                                 .git_dir = user_.git_dir}));
  found.packed_refs = packed_refs(refs, branch, commit);
  found.config = config_for(user_.algorithm);
  found.shallow = read_file(user_.common_dir + "/shallow").value_or("");
  TRY_ASSIGN(found.objects, objects_of(commit));
  return found;
}

Result<std::vector<std::string>> CheckRepositories::objects_of(const std::string& commit) const {
  std::vector<std::string> objects = {store_.objects};
  TRY_ASSIGN(const ProcessResult known,
             git_.run(GitCall{.args = {"cat-file", "-e", commit + "^{commit}"}, .git_dir = user_.git_dir}));
  if (known.exit_code != 0) objects.push_back(store_.git_dir + "/objects");
  return objects;
}

// The commit is made in the engine's store and copied from there: an agent needs nothing else of it.
Result<CheckRepository> CheckRepositories::read_alone(const std::string& commit) const {
  CheckRepository found;
  std::vector<std::string> who;
  for (const char* name : {"GIT_AUTHOR", "GIT_COMMITTER"})
    who.insert(who.end(), {std::string(name) + "_NAME=base", std::string(name) + "_EMAIL=base@localhost",
                           std::string(name) + "_DATE=@1000000000 +0000"});
  TRY_ASSIGN(const std::string made,
             git_.line(GitCall{.args = {"commit-tree", commit + "^{tree}", "-m", "The code as it is"},
                               .git_dir = store_.git_dir,
                               .env = who}));
  const std::string name = made.substr(0, 2) + "/" + made.substr(2);
  TRY_ASSIGN(found.own_objects[name], read_file(store_.git_dir + "/objects/" + name));
  found.head = "ref: refs/heads/main\n";
  found.packed_refs = packed_refs("", "refs/heads/main", made);
  found.config =
      config_for(user_.algorithm) + "[user]\n\tname = agent\n\temail = agent@localhost\n[gc]\n\tauto = 0\n";
  TRY_ASSIGN(found.objects, objects_of(commit));
  return found;
}

Result<std::shared_ptr<const CheckRepository>> CheckRepositories::find_alone(const std::string& commit) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const CheckRepository>& known = alone_[commit];
  if (!known) {
    TRY_ASSIGN(CheckRepository made, read_alone(commit));
    known = std::make_shared<const CheckRepository>(std::move(made));
  }
  return known;
}

Result<std::shared_ptr<const CheckRepository>> CheckRepositories::find(const std::string& commit) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const CheckRepository>& known = known_[commit];
  if (!known) {
    TRY_ASSIGN(CheckRepository made, read(commit));
    known = std::make_shared<const CheckRepository>(std::move(made));
  }
  return known;
}

void settle_layers(const UserRepository& user, const std::vector<std::string>& writable,
                   const std::vector<std::string>& readable, EngineStore& store) {
  for (const std::string& path : writable) {
    std::error_code problem;
    if (!fs::is_directory(path, problem))
      store.writable.push_back(path);
    else if (!has(store.layered, path))
      store.layered.push_back(path);
  }
  const bool movable = !user.bare && user.root.size() > 1 && !lies_in(store.home, user.root) &&
                       (store.user_home.empty() || !lies_in(store.user_home, user.root)) &&
                       has(store.layered, "/tmp") && !lies_in("/tmp", user.root);
  if (!movable) return;
  store.check_root = user.root;
  for (const std::string& path : tools_in_checkout(user.root, readable))
    if (!has(store.layered, path)) store.layered.push_back(path);
}

namespace {

// objects: the directory of a layer for them; empty = they are part of the .git.
Status lay_git(const CheckRepository& repository, const std::string& git, const std::string& objects,
               const std::string& index) {
  for (const char* directory : {"/objects/info", "/objects/pack", "/refs/heads", "/refs/tags", "/info"})
    TRY(make_directories(git + directory, 0755));
  const std::pair<const char*, const std::string*> files[] = {{"HEAD", &repository.head},
                                                              {"config", &repository.config},
                                                              {"packed-refs", &repository.packed_refs},
                                                              {"shallow", &repository.shallow}};
  for (const auto& [name, text] : files)
    if (!text->empty()) TRY(write_scratch_file(git + "/" + name, *text, 0644));
  std::error_code problem;
  fs::copy_file(index, git + "/index", problem);
  if (problem) return fail(ErrorCode::io, "cannot copy the index of the base: " + problem.message());
  const std::string& own = objects.empty() ? git + "/objects" : objects;
  for (const auto& [name, bytes] : repository.own_objects) {
    const std::string path = own + "/" + name;
    TRY(make_directories(fs::path(path).parent_path().string(), 0755));
    TRY(write_scratch_file(path, bytes, 0444));
  }
  std::string alternates;
  if (objects.empty()) {
    for (const std::string& directory : repository.objects) alternates += directory + "\n";
    return write_scratch_file(own + "/info/alternates", alternates, 0644);
  }
  TRY(make_directories(own + "/info", 0755));
  if (repository.objects.size() < 2) return {};
  return write_scratch_file(own + "/info/alternates", "", 0644); // ours leads to the person's
}

} // namespace

Status lay_repository(const CheckRepository& repository, const WorkspaceSpace& space, const std::string& tree,
                      const std::string& index) {
  const std::string git = tree + "/.git";
  TRY(remove_tree(git));
  if (space.store().check_root.empty()) return lay_git(repository, git, "", index);
  TRY(make_directories(space.layer("objects/work"), 0755));
  return lay_git(repository, git, space.layer("objects/upper"), index);
}

LaidRepository::LaidRepository(CheckRepository repository, std::unique_ptr<WorkspaceSpace> space)
    : repository_(std::move(repository)), space_(std::move(space)) {}

Result<LaidRepository> LaidRepository::lay(CheckRepository repository, const std::string& index,
                                           const EngineStore& store) {
  TRY_ASSIGN(auto space, WorkspaceSpace::make(store));
  LaidRepository laid(std::move(repository), std::move(space));
  const std::string objects = laid.has_layer_of_objects() ? laid.space_->layer("git/objects") : "";
  TRY(lay_git(laid.repository_, laid.space_->layer("git/tree/.git"), objects, index));
  return laid;
}

// A layer at the tree itself, with nothing to write to, lies over the tree's base.
Status LaidRepository::show(const std::string& tree, const std::string& layer, OverlayMount& mount) const {
  mount.layers.push_back({tree, "", "", {space_->layer("git/tree")}});
  if (!has_layer_of_objects()) return {};
  for (const char* name : {"/upper", "/work"}) TRY(make_directories(layer + name, 0755));
  std::vector<std::string> below = {space_->layer("git/objects")};
  below.insert(below.end(), repository_.objects.begin(), repository_.objects.end());
  mount.layers.push_back({tree + "/.git/objects", layer + "/upper", layer + "/work", std::move(below)});
  return {};
}

Result<std::shared_ptr<const LaidRepository>> CheckRepositories::lay_once(
    Laid& known, const std::string& commit, const std::string& index,
    Result<std::shared_ptr<const CheckRepository>> (CheckRepositories::*read_one)(const std::string&)) {
  constexpr std::size_t kKept = 16; // a server looks at many commits; what is in use stays
  const std::lock_guard lock(laying_);
  if (const auto found = known.find(commit); found != known.end()) return found->second;
  TRY_ASSIGN(const auto repository, (this->*read_one)(commit));
  TRY_ASSIGN(LaidRepository laid, LaidRepository::lay(*repository, index, store_));
  if (known.size() >= kKept) known.clear();
  return known[commit] = std::make_shared<const LaidRepository>(std::move(laid));
}

Result<std::shared_ptr<const LaidRepository>> CheckRepositories::laid(const std::string& commit,
                                                                      const std::string& index) {
  return lay_once(laid_, commit, index, &CheckRepositories::find);
}

Result<std::shared_ptr<const LaidRepository>> CheckRepositories::laid_alone(const std::string& commit,
                                                                            const std::string& index) {
  return lay_once(laid_alone_, commit, index, &CheckRepositories::find_alone);
}

void mount_objects(const CheckRepository& repository, const WorkspaceSpace& space, const std::string& tree,
                   OverlayMount& mount) {
  if (space.store().check_root.empty()) {
    if (space.store().linked_home && repository.objects.size() > 1)
      mount.shown.push_back(repository.objects[1]);
    return;
  }
  mount.layers.push_back({tree + "/.git/objects", space.layer("objects/upper"), space.layer("objects/work"),
                          repository.objects});
}

Result<CheckPlace> place_for_check(CheckedTree tree, Look look) {
  const EngineStore& store = tree.space.store();
  CheckPlace place{tree.space.tree(), tree.space.temp(), {}, true, std::move(tree.mount)};
  OverlayMount& mount = place.mount;
  // There the person's home cannot be read, which programs that look into it take ill; this one has links to
  // what can be.
  if (store.linked_home) place.home = tree.space.home();
  if (store.check_root.empty()) {
    TRY(tree.show_repository(place.path, mount));
    return place;
  }
  const std::string& root = store.check_root;
  if (!mount.mounted()) mount.source = mount.target;
  mount.target = place.path = root;
  mount.apart = true;
  place.temp = "/tmp";
  mount.read_only.clear(); // everything is that is not named
  std::erase_if(mount.hidden, [&](const std::string& path) { return lies_in(path, root); });
  mount.hidden.push_back(store.home);
  std::erase_if(mount.shown, [&](const std::string& path) {
    return lies_in(path, root) || lies_in(path, store.home) || path + "/objects" == store.objects;
  });
  std::erase_if(mount.layers, [&](const PrivateLayer& layer) {
    return lies_in(layer.path, root) && (layer.path == root || is_tracked(layer.path, root, tree.base));
  });
  TRY(tree.show_repository(root, mount));
  mount.first_process = some_process_id(look);
  if (look == Look::second) TRY(make_second(tree.space, place));
  return place;
}

} // namespace emend
