#include "base/measures.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "base/strings.hpp"

namespace emend {
namespace {

struct MeasureRow {
  Measure measure;
  const char* name;
  const char* what;
  std::vector<double> bounds; // empty = a counter
};

const std::vector<MeasureRow>& measure_rows() {
  static const std::vector<double> quick = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
  static const std::vector<double> slow = {1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600};
  static const std::vector<MeasureRow> rows = {
      {Measure::http_request_seconds, "emend_http_request_duration_seconds",
       "Time to answer a request, by method and class of status.", quick},
      {Measure::agent_run_seconds, "emend_agent_run_duration_seconds",
       "Time of a run of an agent in this process, by role and outcome.", slow},
      {Measure::verify_run_seconds, "emend_verify_run_duration_seconds",
       "Time of a verification in this process, by kind and result.", slow},
      {Measure::database_errors,
       "emend_database_errors_total",
       "Calls of the database that failed in this process, by database program.",
       {}},
  };
  return rows;
}

struct Series {
  std::vector<std::uint64_t> at_most; // one for each bound
  std::uint64_t total = 0;
  double sum = 0;
};

struct Measures {
  std::mutex mutex;
  std::map<std::pair<Measure, std::string>, Series> series; // by the written labels
};

// Never destroyed: threads may count until the process is gone.
Measures& measures() {
  static auto* const all = new Measures;
  return *all;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\n') {
      safe += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string written(const MeasureLabels& labels) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : labels) parts.push_back(fmt::format("{}=\"{}\"", name, escaped(value)));
  return join(parts, ",");
}

std::string braced(const std::string& labels) { return labels.empty() ? "" : "{" + labels + "}"; }

void write_series(std::string& text, const MeasureRow& row, const std::string& labels, const Series& series) {
  if (row.bounds.empty()) {
    text += fmt::format("{}{} {}\n", row.name, braced(labels), series.total);
    return;
  }
  const std::string before = labels.empty() ? "" : labels + ",";
  for (std::size_t i = 0; i < row.bounds.size(); ++i)
    text += fmt::format("{}_bucket{{{}le=\"{}\"}} {}\n", row.name, before, row.bounds[i], series.at_most[i]);
  text += fmt::format("{}_bucket{{{}le=\"+Inf\"}} {}\n", row.name, before, series.total);
  text += fmt::format("{0}_sum{1} {2:.6f}\n{0}_count{1} {3}\n", row.name, braced(labels), series.sum,
                      series.total);
}

// Fields of /proc/self/stat after the name, which may have spaces and brackets.
std::vector<std::string> stat_fields() {
  std::ifstream file("/proc/self/stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = line.rfind(')');
  return end == std::string::npos ? std::vector<std::string>() : split(line.substr(end + 2), ' ');
}

double number_of(const std::vector<std::string>& fields, std::size_t at) {
  double value = 0;
  if (at < fields.size()) std::from_chars(fields[at].data(), fields[at].data() + fields[at].size(), value);
  return value;
}

double boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("btime ")) return number_of({line.substr(6)}, 0);
  return 0;
}

} // namespace

void observe(Measure measure, const MeasureLabels& labels, double seconds) {
  const std::vector<double>& bounds = measure_rows()[static_cast<std::size_t>(measure)].bounds;
  const std::lock_guard guard(measures().mutex);
  Series& series = measures().series[{measure, written(labels)}];
  series.at_most.resize(bounds.size());
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (seconds <= bounds[i]) ++series.at_most[i];
  ++series.total;
  series.sum += seconds;
}

void count(Measure measure, const MeasureLabels& labels) { observe(measure, labels, 0); }

std::string measures_text() {
  std::string text;
  const std::lock_guard guard(measures().mutex);
  for (const MeasureRow& row : measure_rows()) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", row.name, row.what,
                        row.bounds.empty() ? "counter" : "histogram");
    for (const auto& [key, series] : measures().series)
      if (key.first == row.measure) write_series(text, row, key.second, series);
  }
  return text;
}

std::string process_text() {
  const std::vector<std::string> stat = stat_fields(); // from field 3 on, see proc(5)
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::error_code problem;
  const auto open = std::distance(std::filesystem::directory_iterator("/proc/self/fd", problem),
                                  std::filesystem::directory_iterator());
  std::string text;
  const auto add = [&](const char* name, const char* type, const char* what, double value) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, what, type, value);
  };
  add("process_cpu_seconds_total", "counter", "Processor time of this process.",
      (number_of(stat, 11) + number_of(stat, 12)) / ticks);
  add("process_resident_memory_bytes", "gauge", "Memory of this process.", number_of(stat, 21) * page);
  add("process_open_fds", "gauge", "Open descriptors.", static_cast<double>(open));
  add("process_threads", "gauge", "Threads.", number_of(stat, 17));
  add("process_start_time_seconds", "gauge", "When this process began, as Unix time.",
      boot_time() + number_of(stat, 19) / ticks);
  return text;
}

} // namespace emend
