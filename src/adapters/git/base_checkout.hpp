// Checkouts of base trees that workspaces start from: made once per tree, checked on use, a few kept, shared
// between processes.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "adapters/git/engine_store.hpp"
#include "adapters/git/file_descriptor.hpp"
#include "adapters/git/git_program.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// A base nobody removes while this object lives.
struct BaseInUse {
  std::string directory;
  std::string index; // git's, with what stat() says of the files
  Flock lock;
};

// Files are exactly the blobs: no filter, no line-end conversion. Thread-safe.
class BaseCheckouts {
public:
  // Whoever writes to a file or directory moves its change time, and nobody can set that one.
  struct Stamp {
    std::uint64_t size = 0, inode = 0;
    std::int64_t changed_ns = 0, modified_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::vector<std::pair<std::string, Stamp>>;

  BaseCheckouts(const GitProgram& git, const EngineStore& store) : git_(git), store_(store) {}

  // The checkout of `tree_id`, whose content is `tree`. Made when missing, made again when it is not as it
  // was left.
  [[nodiscard]] Result<BaseInUse> take(const std::string& tree_id, const Tree& tree);
  // Half-made and set-aside ones. Only while no other engine works on the repository.
  void remove_leftovers();

private:
  [[nodiscard]] Result<BaseInUse> take_locked(const std::string& tree_id, const Tree& tree);
  [[nodiscard]] bool intact(const std::string& tree_id);
  [[nodiscard]] bool intact_in_full(const std::string& tree_id);
  [[nodiscard]] Status make(const std::string& tree_id, const Tree& tree);
  [[nodiscard]] Status fill(const std::string& tree_id, const Tree& tree, const std::string& directory,
                            const std::string& index);
  std::string set_aside(const std::string& tree_id, const std::string& prefix);
  void keep_few(const std::string& except);
  void drop(const std::string& tree_id);
  [[nodiscard]] std::string path(const std::string& tree_id) const { return store_.bases + "/" + tree_id; }

  [[nodiscard]] std::string index_of(const std::string& tree_id) const { return path(tree_id) + ".index"; }

  struct Known {
    Stamps stamps;        // as it was when we looked at all of it
    std::size_t next = 0; // where the next partial check goes on
  };

  const GitProgram& git_;
  const EngineStore& store_;
  std::mutex mutex_;
  std::map<std::string, Known> known_;
};

} // namespace emend
