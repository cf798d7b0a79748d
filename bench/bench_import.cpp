// What an import costs: a SARIF report of 10^4, 10^5 and 10^6 findings becomes stored, deduplicated, listed
// issues; against parsers that only read the same text, and against itself ten times smaller. Each size runs
// in a process of its own, so that its peak of memory is its own.
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "formats/reader.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

constexpr int kFiles = 200;

// What a person waits for, and what it costs on a machine that has other things to do.
struct Seconds {
  double wall = 0, cpu = 0;
};

struct Timing {
  Seconds import, again, list;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto whole = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return whole(usage.ru_utime) + whole(usage.ru_stime);
}

Seconds seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          cpu_seconds() - cpu};
}

// Of this process: "VmRSS:" is what it holds, "VmHWM:" the most it held since forget_peak().
long memory_mb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return std::atol(line.c_str() + name.size()) / 1024;
  return 0;
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::string file_name(int i) { return fmt::format("src/module{}/file{}.c", i % 20, i); }

Files source_files(int lines) {
  Files files;
  for (int i = 0; i < kFiles; ++i) {
    std::string& text = files[file_name(i)];
    for (int line = 0; line < lines; ++line)
      text += fmt::format("  total_{} += values[{}];\n", line % 97, line);
  }
  return files;
}

std::string make_sarif(int results) {
  std::string text;
  text.reserve(static_cast<std::size_t>(results) * 560 +
               100'000); // so that making it does not hide what reading it needs
  text =
      R"({"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"bench","rules":[)";
  for (int i = 0; i < 200; ++i)
    text += fmt::format(
        R"({}{{"id":"RULE{:03}","defaultConfiguration":{{"level":"warning"}},"properties":{{"tags":["correctness"]}}}})",
        i == 0 ? "" : ",", i);
  text += "]}},\"results\":[";
  const int per_file = results / kFiles;
  for (int i = 0; i < results; ++i) {
    text += fmt::format(
        R"({}{{"ruleId":"RULE{:03}","ruleIndex":{},"level":"warning","message":{{"text":"Value \"{}\" may be used before it is set; on the path through the loop nothing assigns it, and the caller relies on it."}},)"
        R"("locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":"{}","uriBaseId":"SRCROOT"}},"region":{{"startLine":{},"startColumn":3,"endLine":{},"endColumn":17}}}}}}],)"
        R"("partialFingerprints":{{"primaryLocationLineHash":"{:016x}:1"}},"properties":{{"confidence":"high","notes":["first","second"]}}}})",
        i == 0 ? "\n" : ",\n", i % 200, i % 200, i, file_name(i / per_file), i % per_file + 1,
        i % per_file + 1, i * 2654435761ULL);
  }
  text += "\n]}]}\n";
  return text;
}

// As `emend import` does it: one finding at a time, from the text to the store.
std::size_t import_once(World& world, const std::string& text) {
  ReportText report(text);
  std::size_t stored = 0;
  must(world.manager().import_findings(
      "HEAD",
      [&](const SessionManager::TakeFinding& take) -> Status {
        Status taken;
        TRY(stream_findings(report, InputFormat::sarif, "", world.root, [&](Finding&& finding) {
          if (taken) taken = take(std::move(finding));
        }));
        return taken;
      },
      [&](Issue&&) { ++stored; }));
  return stored;
}

std::size_t list_once(World& world) {
  std::size_t count = 0;
  must(world.store().for_each_issue({}, [&](Issue&& issue) -> Status {
    count += dump_json(to_json(issue)).empty() ? 0 : 1;
    return {};
  }));
  return count;
}

std::size_t stream(const std::string& text) {
  ReportText report(text);
  std::size_t count = 0;
  must(stream_findings(report, InputFormat::sarif, "", "",
                       [&](Finding&& finding) { count += finding.line > 0 ? 1 : 0; }));
  return count;
}

std::size_t ondemand_pass(const std::string& text) {
  const simdjson::padded_string padded(text);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(padded);
  std::size_t count = 0;
  for (auto run : document["runs"].get_array())
    for (auto result : run["results"].get_array())
      count += result.value().get_object().error() == simdjson::SUCCESS ? 1 : 0;
  return count;
}

void check(std::size_t count, int results) {
  if (count != static_cast<std::size_t>(results))
    throw std::runtime_error(fmt::format("{} results instead of {}", count, results));
}

void print(const char* what, const Seconds& time, int results, const std::string& more) {
  fmt::print("  {:44} {:9.1f} ms  {:9.1f} ms CPU  {:9.0f} findings/s   {}\n", what, time.wall * 1000,
             time.cpu * 1000, results / time.wall, more);
}

std::string ratio(const Seconds& a, const Seconds& b) {
  return fmt::format("{:.2f} x ({:.2f} x CPU)", a.wall / b.wall, a.cpu / b.cpu);
}

Timing measure(int results) {
  World world(source_files(std::max(1, results / kFiles)));
  std::string text = make_sarif(results);
  forget_peak();
  const long before = memory_mb("VmRSS:");
  Timing timing;
  timing.import = seconds([&] { check(import_once(world, text), results); });
  timing.again = seconds([&] { check(import_once(world, text), results); });
  timing.list = seconds([&] { check(list_once(world), results); });
  const long peak = memory_mb("VmHWM:");
  const Seconds reading = seconds([&] { check(stream(text), results); });
  const Seconds floor = seconds([&] { check(ondemand_pass(text), results); });
  const Seconds nlohmann =
      seconds([&] { check(nlohmann::json::parse(text)["runs"][0]["results"].size(), results); });
  fmt::print(
      "import of {} SARIF results, {:.0f} MB, into a store; peak of importing and listing {} MB, {} MB of it "
      "before\n",
      results, static_cast<double>(text.size()) / 1e6, peak, before);
  const auto of = [&](const Seconds& other) {
    return "import takes " + ratio(timing.import, other) + " as long";
  };
  print("import (read, triage, store)", timing.import, results, "");
  print("import again (every one is known)", timing.again, results, of(timing.again));
  print("list as JSON", timing.list, results, of(timing.list));
  print("our reader alone", reading, results, of(reading));
  print("nlohmann::json::parse, nothing else", nlohmann, results, of(nlohmann));
  print("simdjson on demand, nothing read", floor, results, of(floor));
  return timing;
}

// In a process of its own.
Timing measure_apart(int results) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const Timing timing = measure(results);
    std::fflush(stdout);
    const bool told = ::write(ends[1], &timing, sizeof timing) == static_cast<ssize_t>(sizeof timing);
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  Timing timing;
  const bool heard = ::read(ends[0], &timing, sizeof timing) == static_cast<ssize_t>(sizeof timing);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!heard || status != 0) throw std::runtime_error(fmt::format("the run with {} results failed", results));
  return timing;
}

} // namespace

int run(int largest) {
  std::optional<Timing> before;
  for (int results = 10'000; results <= largest; results *= 10) {
    const Timing timing = measure_apart(results);
    if (before)
      fmt::print("  ten times as many findings take  import {}, again {}, list {} as long\n",
                 ratio(timing.import, before->import), ratio(timing.again, before->again),
                 ratio(timing.list, before->list));
    before = timing;
  }
  return 0;
}

} // namespace emend::testing_support

// The largest number of findings; 1000000 when not given.
int main(int argc, char** argv) {
  return emend::testing_support::run(argc > 1 ? std::atoi(argv[1]) : 1'000'000);
}
