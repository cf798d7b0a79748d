// A repository that serves one commit's files from a map; everything a reader of the base does not need
// fails.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "ports/repository.hpp"

namespace emend {

class FakeRepository : public Repository {
public:
  explicit FakeRepository(std::map<std::string, std::string, std::less<>> files, std::string root = "/repo")
      : files_(std::move(files)), root_(std::move(root)) {
    for (const auto& [path, content] : files_)
      tree_[path] = {kModeFile, git_blob_id(content, "sha1"), content.size()};
  }

  // Reading this path fails with this error.
  void break_path(const std::string& path, ErrorCode code) { broken_[path] = code; }

  const std::string& root() const override { return root_; }
  const std::string& id() const override { return id_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  Result<std::string> resolve(std::string_view) override { return unsupported(); }
  Result<Identity> identity() override { return unsupported(); }
  Result<const Tree*> tree(const std::string&) override { return &tree_; }
  Result<std::string> read(const std::string&, std::string_view path) override {
    if (const auto broken = broken_.find(std::string(path)); broken != broken_.end())
      return fail(broken->second, "cannot be read");
    const auto found = files_.find(path);
    if (found == files_.end()) return fail(ErrorCode::not_found, std::string(path) + " is not in the commit");
    return found->second;
  }
  Result<Patch> diff(const std::string&, const std::string&) override { return unsupported(); }
  Result<Patch> diff(const std::string&, const std::string&, const std::vector<std::string>&) override {
    return unsupported();
  }
  Result<std::vector<std::string>> line(const LineQuery&) override { return unsupported(); }
  Result<std::vector<Remote>> remotes() override { return unsupported(); }
  Result<std::optional<std::string>> merge_base(const std::string&, const std::string&) override {
    return unsupported();
  }
  Result<bool> is_ancestor(const std::string&, const std::string&) override { return unsupported(); }
  Result<std::optional<std::string>> default_branch() override { return unsupported(); }
  Result<Patch> staged(const std::string&) override { return unsupported(); }
  Result<Patch> uncommitted(const std::string&) override { return unsupported(); }
  Result<bool> is_ignored(const std::string&, std::string_view) override { return unsupported(); }
  Result<std::unique_ptr<Workspace>> make_workspace(const std::string&, const Patch&) override {
    return unsupported();
  }
  Result<std::optional<Patch>> merge(const Patch&, const Patch&) override { return unsupported(); }
  Result<std::optional<Patch>> rebase(const Patch&, const Patch&) override { return unsupported(); }
  Result<std::vector<Patch>> diffs(const std::vector<CommitPair>&) override { return unsupported(); }
  Result<std::vector<std::string>> commit_chain(const std::vector<CommitRequest>&) override {
    return unsupported();
  }
  Status publish(const std::string&, const std::string&, const std::string&) override {
    return unsupported();
  }
  Status advance(const std::string&, const std::string&, const std::string&) override {
    return unsupported();
  }
  Status remove_branch(const std::string&, const std::string&) override { return unsupported(); }
  Result<std::optional<std::string>> branch_in_use(const std::string&) override { return unsupported(); }
  Result<std::optional<std::string>> branch_tip(const std::string&) override { return unsupported(); }
  Result<bool> reachable(const std::string&, const std::string&) override { return unsupported(); }
  Result<Patch> published_diff(const std::string&, const std::string&) override { return unsupported(); }
  Result<std::vector<Patch>> published_diffs(const std::vector<CommitPair>&) override {
    return unsupported();
  }
  Result<std::vector<CommitFacts>> published_commits(const std::vector<std::string>&) override {
    return unsupported();
  }
  void clean_leftovers() override {}

private:
  static tl::unexpected<Error> unsupported() {
    return fail(ErrorCode::internal, "the fake repository only reads");
  }

  std::map<std::string, std::string, std::less<>> files_;
  std::map<std::string, ErrorCode> broken_;
  std::string root_;
  std::string id_ = "fake-repository";
  std::vector<std::string> warnings_;
  Tree tree_;
};

} // namespace emend
