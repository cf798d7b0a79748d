#include "engine/branch/merge_finder.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// What a commit of the branch says about a fix.
enum class Held {
  whole,   // bringing the fix there would change nothing
  missing, // some of it could still be brought there: it never came, or was taken back
  unclear, // somebody changed the same lines in another way
};

// A change that has the fix in it: the fix alone, or together with its neighbours on the branch it was made
// on.
struct Carrier {
  std::string before;
  Patch patch; // of the fix's files only
};

class MergeFinder {
public:
  MergeFinder(Repository& repository, const FixPlace& fix, std::string tip)
      : repository_(repository), fix_(fix), tip_(std::move(tip)) {}

  Result<MergeLook> look() {
    TRY_ASSIGN(fix_patch_, repository_.diff(fix_.parent, fix_.commit));
    for (const FileChange& change : fix_patch_.changes) paths_.push_back(change.path);
    if (paths_.empty()) return not_there("its commit changes nothing");
    TRY_ASSIGN(const bool ancestor, repository_.is_ancestor(fix_.commit, tip_));
    if (ancestor) return look_after_merge();
    TRY_ASSIGN(const auto common, repository_.merge_base(fix_.commit, tip_));
    if (!common)
      return not_there(
          "the branch has no commit in common with the fix (a shallow clone may have cut it off)");
    return look_for_change();
  }

private:
  static MergeLook not_there(std::string why) { return {std::nullopt, std::move(why)}; }

  // Together with its neighbours only where it is not clear alone: lines that touch belong to one change.
  Result<std::vector<Carrier>> carriers() {
    std::vector<Carrier> all = {{fix_.parent, fix_patch_}};
    if (fix_.base.empty()) return all;
    for (const std::string& end : {fix_.commit, fix_.tip}) {
      if (end.empty() || (end == fix_.commit && fix_.base == fix_.parent)) continue;
      TRY_ASSIGN(const bool holds_it, repository_.is_ancestor(fix_.commit, end));
      if (!holds_it) continue;
      TRY_ASSIGN(Patch together, repository_.diff(fix_.base, end, paths_));
      all.push_back({fix_.base, std::move(together)});
    }
    return all;
  }

  Result<Held> held(const Carrier& carrier, const std::string& commit) {
    if (carrier.patch.changes.size() != paths_.size())
      return Held::unclear; // a neighbour took some of the fix back
    TRY_ASSIGN(const Patch since, repository_.diff(carrier.before, commit, paths_));
    Held all = Held::whole;
    for (const FileChange& change : carrier.patch.changes) {
      const FileChange* there = since.find(change.path);
      if (there == nullptr) return Held::missing;
      TRY_ASSIGN(const auto rest, repository_.rebase(Patch{{change}}, Patch{{*there}}));
      if (rest && !rest->empty()) return Held::missing;
      if (!rest) all = Held::unclear;
    }
    return all;
  }

  Result<Held> held(const std::string& commit) {
    if (carriers_.empty()) {
      TRY_ASSIGN(carriers_, carriers());
    }
    Held first_word = Held::unclear;
    for (const Carrier& carrier : carriers_) {
      TRY_ASSIGN(const Held said, held(carrier, commit));
      if (said == Held::whole) return said;
      if (first_word == Held::unclear) first_word = said;
    }
    return first_word;
  }

  // The first commit of the branch's line that was made from the fix. On the line, whoever has it is newer
  // than whoever has not.
  Result<std::string> entry() {
    const LineQuery query{tip_, fix_.commit};
    TRY_ASSIGN(const std::vector<std::string> line, repository_.line(query));
    std::size_t with = 0, without = line.size(); // line[0..with) have it, line[without..] do not
    while (with < without) {
      const std::size_t middle = with + (without - with) / 2;
      TRY_ASSIGN(const bool has, repository_.is_ancestor(fix_.commit, line[middle]));
      if (has)
        with = middle + 1;
      else
        without = middle;
    }
    if (with == 0) return fix_.commit; // the tip is the fix
    TRY_ASSIGN(const std::string before, repository_.resolve(line[with - 1] + "^1"));
    return before == fix_.commit || line.size() == query.limit ? fix_.commit : line[with - 1];
  }

  // A merge can leave out what it merges, and what was merged can be taken back.
  Result<MergeLook> look_after_merge() {
    TRY_ASSIGN(const std::string start, entry());
    TRY_ASSIGN(std::vector<std::string> line, repository_.line({tip_, start, paths_}));
    line.push_back(start);
    for (const std::string& commit : line) {
      TRY_ASSIGN(const Held said, held(commit));
      if (said == Held::whole) break;
      if (said == Held::missing)
        return not_there("the branch has its commit, but the change is not in " + commit.substr(0, 12));
    }
    return MergeLook{Merge{MergeProof::ancestor, start}, ""};
  }

  Result<MergeLook> look_for_change() {
    TRY_ASSIGN(const std::vector<std::string> line, repository_.line({tip_, fix_.commit, paths_}));
    if (line.empty()) return not_there("its files are unchanged on the branch");
    std::string found;
    for (const std::string& commit : line) {
      TRY_ASSIGN(const Held said, held(commit));
      if (said == Held::whole)
        found = commit;
      else if (said == Held::missing && found.empty())
        return not_there("the change is not in " + commit.substr(0, 12));
      else if (said == Held::missing)
        break;
    }
    if (found.empty()) return not_there("the branch changed the same lines in another way");
    TRY_ASSIGN(const std::string before, repository_.resolve(found + "^1"));
    TRY_ASSIGN(const Patch made, repository_.diff(before, found));
    return MergeLook{
        Merge{patch_id(made) == patch_id(fix_patch_) ? MergeProof::patch_id : MergeProof::contained, found},
        ""};
  }

  Repository& repository_;
  const FixPlace& fix_;
  std::string tip_;
  Patch fix_patch_;
  std::vector<std::string> paths_;
  std::vector<Carrier> carriers_;
};

} // namespace

std::string_view to_string(MergeProof proof) {
  switch (proof) {
    case MergeProof::ancestor: return "ancestor";
    case MergeProof::patch_id: return "patch-id";
    case MergeProof::contained: return "contained";
  }
  return "";
}

Result<MergeLook> look_for_merge(Repository& repository, const FixPlace& fix, const std::string& branch_tip) {
  return MergeFinder(repository, fix, branch_tip).look();
}

// Line numbers and blob ids say where a change was made, not what it is; for binary files the ids are all
// there is.
std::string patch_id(const Patch& patch) {
  std::string text;
  for (const FileChange& change : patch.changes) {
    text +=
        change.path + '\0' + std::to_string(change.old_mode) + " " + std::to_string(change.new_mode) + "\n";
    if (change.binary()) text += change.old_id + " " + change.new_id + "\n";
    const std::string diff = unified_diff(Patch{{change}});
    for (const std::string& line : split(diff, '\n')) {
      if (line.starts_with("@@"))
        text += "@@\n";
      else if (!line.empty() && contains(" +-\\", line.substr(0, 1)))
        text += line + "\n";
    }
  }
  return sha256_hex(text);
}

} // namespace emend
