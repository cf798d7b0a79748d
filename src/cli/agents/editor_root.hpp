// One repository for `emend lsp`: its issues in memory, and what a person starts from the editor.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "lsp/root.hpp"

namespace emend {

class EditorRoot final : public lsp::Root {
public:
  // dependencies outlive it. Opens nothing yet.
  EditorRoot(const CliDependencies& dependencies, GlobalOptions global, std::string path);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] std::vector<Issue> issues(const std::string& file) override;
  [[nodiscard]] std::vector<lsp::FileState> files() override;
  [[nodiscard]] std::string link(const std::string& code) override;
  [[nodiscard]] bool reload() override;
  [[nodiscard]] std::vector<Issue> place(std::vector<Issue> issues, const std::string& text) override;
  [[nodiscard]] Result<lsp::Scan> analyze(const std::string& file, std::stop_token stop) override;
  [[nodiscard]] Result<Patch> fix_of(const std::string& code) override;
  [[nodiscard]] Result<std::string> explain(const std::string& code) override;
  [[nodiscard]] Status ignore(const std::string& code, const std::string& reason) override;
  [[nodiscard]] Result<std::string> check(std::stop_token stop, const lsp::Tell& tell) override;
  [[nodiscard]] Result<lsp::FixEnd> fix(const std::string& code, std::stop_token stop,
                                        const lsp::Tell& tell) override;

private:
  struct Shown {
    std::vector<Issue> issues;
    std::int64_t version = 0;
  };
  struct Known {
    std::map<std::string, Shown> by_file;
    std::string page_before, page_after; // of a link to an issue; empty = no dashboard runs
  };
  [[nodiscard]] CommandContext context() const;
  // Another one after each write to the database. Holding loading_.
  [[nodiscard]] std::string stamp();
  [[nodiscard]] std::string server_stamp(const std::string& address); // of one that is no file
  [[nodiscard]] Status load();                                        // holding loading_
  void load_first();

  const CliDependencies& dependencies_;
  GlobalOptions global_;
  const std::string path_;
  std::atomic<bool> ready_ = false;
  std::mutex loading_; // guards the next lines; taken before mutex_
  std::unique_ptr<CommandContext> reading_;
  std::unique_ptr<Ledger> ledger_; // of a database that is no file
  std::string served_;             // its last stamp,
  std::int64_t served_ms_ = 0;     // and when that was
  std::string loaded_;             // the stamp then; empty = not loaded yet
  std::mutex mutex_;               // guards what follows, and is held for moments only
  Known known_;
  std::int64_t last_version_ = 0; // given to the issues of a file
};

// The repositories an editor has files of, each opened once. `dependencies` outlive it.
[[nodiscard]] lsp::FindRoot find_editor_roots(const CliDependencies& dependencies,
                                              const GlobalOptions& global);

} // namespace emend
