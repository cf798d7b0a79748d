// Where readers put what they read: findings are handed on at once, what is left out is counted.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/source_text.hpp"
#include "model/finding.hpp"

namespace emend {

// The message as the tool wrote it becomes title (first line) and description (all of it); control characters
// are taken out.
void set_message(Finding& finding, std::string_view message);

// The files a report speaks of, as its reader sees them.
class ReportFiles {
public:
  virtual ~ReportFiles() = default;
  // The tree's or repository's absolute path; empty = unknown.
  [[nodiscard]] virtual const std::string& root() const = 0;
  // A path of the report as the finding's file; nothing: what is said about this file is not wanted.
  [[nodiscard]] virtual std::optional<std::string> relative(std::string_view reported) const = 0;
  // The file's bytes; null when they are not at hand.
  [[nodiscard]] virtual std::shared_ptr<const SourceText> text(const std::string& file) = 0;
};

// What a reader hands on, as the report says it. Used by one thread.
class FindingSink {
public:
  // files must outlive the sink.
  FindingSink(ReportFiles& files, std::function<void(Finding&&)> take)
      : files_(files), take_(std::move(take)) {}

  void add(Finding finding) { take_(std::move(finding)); }
  // One row that is not handed on. Equal reasons are counted together, the first place is kept.
  void skip(const std::string& why, const std::string& where);
  // One sentence for the person; the same one is kept once.
  void note(const std::string& sentence) { said_.insert(sentence); }
  // The tool gave up on a file ("a.c: why"), so that file must not count as clean.
  void unanalyzed(std::string what) { unanalyzed_.push_back(std::move(what)); }
  // The report can be read, but it does not end as it should.
  void cut_off() { cut_off_ = true; }

  [[nodiscard]] ReportFiles& files() { return files_; }
  [[nodiscard]] const std::string& root() const { return files_.root(); }
  [[nodiscard]] const std::set<std::string>& sentences() const { return said_; }
  [[nodiscard]] const std::vector<std::string>& gave_up() const { return unanalyzed_; }
  // Why the report is not whole; empty = it is.
  [[nodiscard]] std::string problem() const;
  // All of it in sentences, for somebody who takes what is there.
  [[nodiscard]] std::vector<std::string> notes() const;

private:
  struct Skipped {
    std::size_t count = 0;
    std::string first;
  };

  ReportFiles& files_;
  std::function<void(Finding&&)> take_;
  std::map<std::string, Skipped> skipped_;
  std::set<std::string> said_;
  std::vector<std::string> unanalyzed_;
  bool cut_off_ = false;
};

// Brings a finding that somebody imports into shape: relative paths, possible positions, clean and bounded
// text. tool_name wins over what the report says; empty = the report's own name. False: it has no usable
// path.
[[nodiscard]] bool shape_import(Finding& finding, const std::string& tool_name, const std::string& root);

// Words for an edit whose place is given by lines and columns, which only the file's content could turn into
// bytes.
struct TextEdit {
  int line = 0, column = 0, line_end = 0, column_end = 0;
  std::string text;
};
[[nodiscard]] std::string describe_edit(const TextEdit& edit);
// Appends a paragraph.
void add_paragraph(std::string& text, std::string_view paragraph);

} // namespace emend
