#include "adapters/analyzers/compile_database.hpp"

#include <algorithm>

#include "adapters/analyzers/command_words.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "adapters/analyzers/program.hpp"
#include "adapters/analyzers/tool_analyzer.hpp"
#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kFile = "compile_commands.json";
constexpr std::string_view kBuild = "/emend-build-directory";
constexpr std::uint64_t kLargestFile = 64'000'000;
constexpr std::int64_t kConfigureLimitMs = 300'000;

std::string database_below(const fs::path& directory) {
  auto text = read_file_nofollow((directory / kFile).string(), kLargestFile);
  return text ? *std::move(text) : std::string();
}

// build, build-debug, cmake-build-release, builddir, out, out/Debug ... of the checkout; the newest first.
std::vector<fs::path> build_directories(const fs::path& checkout) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  const auto look = [&](const fs::path& directory) {
    std::error_code problem;
    const auto changed = fs::last_write_time(directory / kFile, problem);
    if (!problem) found.emplace_back(changed, directory);
  };
  look(checkout);
  std::error_code problem;
  for (fs::directory_iterator at(checkout, problem), end; !problem && at != end; at.increment(problem)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (!at->is_directory(unknown) ||
        !any_glob_match({"build*", "cmake-build*", "out", "_build", "bin"}, name))
      continue;
    look(at->path());
    for (fs::directory_iterator in(at->path(), unknown); !unknown && in != end; in.increment(unknown))
      if (std::error_code gone; in->is_directory(gone)) look(in->path());
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  std::vector<fs::path> paths;
  for (auto& [changed, path] : found) paths.push_back(std::move(path));
  return paths;
}

void use_database(AnalysisRequest& request, const fs::path& directory, const std::string& text,
                  std::string note) {
  request.compile_database = directory.string();
  request.database_sha256 =
      sha256_hex(replace_all(replace_all(text, directory.string(), kBuild), request.root, "/"));
  request.database_note = std::move(note);
}

fs::path temp_of(const AnalysisRequest& request) {
  return request.temp.empty() ? fs::temp_directory_path() : fs::path(request.temp);
}

bool use_from_checkout(AnalysisRequest& request, const std::string& checkout) {
  if (checkout.empty()) return false;
  for (const fs::path& build : build_directories(checkout)) {
    const auto text = database_for(database_below(build), checkout, build.string(), request.root);
    const fs::path place = temp_of(request) / ("database-" + random_hex(8));
    if (!text || !make_directories(place.string(), 0700) || !write_file(place / kFile, *text, 0600)) continue;
    use_database(request, place, *text, "");
    return true;
  }
  return false;
}

bool steers_cmake(const std::string& file) {
  return any_glob_match({"CMakeLists.txt", "*.cmake", "*.in", "CMakePresets.json"}, file);
}

// Files of the project that CMake reads decide what it writes; empty = there are too many.
std::string cmake_key(const SourceTree& tree, const std::string& cmake) {
  const auto files = tree.files(200'000);
  if (!files) return {};
  std::string all = "cmake\n" + cmake + "\n";
  for (const std::string& file : *files) {
    if (steers_cmake(file)) {
      const auto bytes = read_file_nofollow(tree.on_disk(file), kLargestFile);
      all += file + " " + (bytes ? sha256_hex(*bytes) : "?") + "\n";
    } else if (has_extension(file, {"c", "cc", "cpp", "cxx"})) {
      all += file + "\n"; // a glob may find it
    }
  }
  return "cmake-" + sha256_hex(all);
}

// What was written beside the database and may be included.
Json generated_headers(const fs::path& build) {
  Json headers = Json::object();
  std::error_code problem;
  fs::recursive_directory_iterator at(build, problem);
  for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem))
    if (has_extension(at->path().string(), {"h", "hh", "hpp", "hxx", "inc", "def"}))
      if (const auto text = read_file_nofollow(at->path().string(), kLargestFile))
        headers[at->path().lexically_relative(build).string()] = *text;
  return headers;
}

// A tool changes to the directory that an entry names: CMake makes one for each of the project's.
bool make_named_directories(const std::string& database, const fs::path& build) {
  const auto json = parse_json(database);
  if (!json || !json->is_array()) return false;
  for (const Json& entry : *json) {
    const std::string directory = string_or(entry, "directory");
    if (directory.starts_with(build.string()) && !make_directories(directory, 0700)) return false;
  }
  return true;
}

bool put_back(const Json& kept, const fs::path& build, const AnalysisRequest& request, std::string& text) {
  const Json *database = find_member(kept, "database"), *headers = find_member(kept, "headers");
  if (database == nullptr || headers == nullptr || !database->is_string()) return false;
  text = replace_all(database->get<std::string>(), kBuild, build.string());
  for (const auto& [name, content] : headers->items()) {
    const fs::path place = build / name;
    if (!make_directories(place.parent_path().string(), 0700) ||
        !write_file(place, replace_all(content.get<std::string>(), kBuild, build.string()), 0600))
      return false;
  }
  return request.root != "/" && make_directories(build.string(), 0700) &&
         make_named_directories(text, build) && write_file(build / kFile, text, 0600);
}

std::string why_not_configured(const Result<ProcessResult>& ran) {
  if (!ran) return ran.error().message;
  for (const std::string_view line : lines_of(ran->err))
    if (contains(line, "Error") || contains(line, "Could NOT") || contains(line, "not found"))
      return first_line(clean_text(trim(line)), 120);
  return ran->ending == Ending::exited ? "exit code " + std::to_string(ran->exit_code) : "it was ended";
}

Result<ProcessResult> configure(const AnalysisRequest& request, const SourceTree& tree,
                                const std::string& cmake, const fs::path& build, ProcessRunner& processes,
                                std::stop_token stop) {
  ProcessSpec spec;
  spec.argv = {cmake,
               "-S",
               request.root,
               "-B",
               build.string(),
               "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
               "-DCMAKE_BUILD_TYPE=Debug"};
  spec.cwd = request.root;
  spec.env = tool_environment(request.home, request.temp, &tree);
  spec.overlay = request.overlay;
  spec.wall_limit_ms = kConfigureLimitMs;
  spec.max_output_bytes = 1'000'000;
  return processes.run(spec, std::move(stop));
}

void use_cmake(AnalysisRequest& request, const SourceTree& tree, const ResultCache& cache,
               ProcessRunner& processes, std::stop_token stop) {
  const std::string cmake = find_tool({"cmake"}, &tree);
  if (cmake.empty() || !tree.exists("CMakeLists.txt")) return;
  const fs::path build = temp_of(request) / ("cmake-" + random_hex(8));
  const std::string key = cache.on() ? cmake_key(tree, cmake) : "";
  std::string text;
  if (const auto kept = key.empty() ? std::nullopt : cache.find(key, request.root);
      kept && put_back(*kept, build, request, text))
    return use_database(request, build, text, "");
  const auto ran = configure(request, tree, cmake, build, processes, std::move(stop));
  text = database_below(build);
  if (text.empty()) {
    request.database_note = "CMake could not configure the project here (" + why_not_configured(ran) + ")";
    return;
  }
  if (!key.empty()) {
    const std::string headers = replace_all(dump_json(generated_headers(build)), build.string(), kBuild);
    auto parsed = parse_json(headers);
    if (parsed)
      cache.keep(key, request.root,
                 {{"database", replace_all(text, build.string(), kBuild)}, {"headers", *std::move(parsed)}});
  }
  use_database(request, build, text, "");
}

// By itself, handed on to a part of the compiler ("-Xclang=-load", "-Wp,-load,x.so"), or in a file of flags.
bool loads_code(const std::string& flag) {
  if (flag.starts_with("@") || flag.starts_with("--config")) return true;
  for (const std::string& handed_on : split(replace_all(flag, "=", ","), ','))
    for (const char* loads : {"-fplugin", "-fpass-plugin", "-load", "--load"})
      if (handed_on.starts_with(loads)) return true;
  return false;
}

std::vector<std::string> words_of(const Json& entry) {
  std::vector<std::string> words;
  if (const Json* list = find_member(entry, "arguments"); list != nullptr && list->is_array()) {
    for (const Json& word : *list)
      if (word.is_string()) words.push_back(word.get<std::string>());
  } else if (const Json* line = find_member(entry, "command"); line != nullptr && line->is_string()) {
    words = command_words(line->get<std::string>());
  }
  return words;
}

// nullopt: it is not a compilation database, or one that loads programs into the compiler.
std::optional<Json> usable_database(const std::string& text) {
  auto json = text.empty() ? Result<Json>(Json()) : parse_json(text);
  if (!json || !json->is_array() || json->empty()) return std::nullopt;
  for (const Json& entry : *json) {
    const auto words = entry.is_object() ? words_of(entry) : std::vector<std::string>{};
    if (words.empty() || std::any_of(words.begin(), words.end(), loads_code)) return std::nullopt;
  }
  return *std::move(json);
}

// Paths below the checkout, but not below its build directory: generated headers stay where they are.
std::string moved(const std::string& text, const std::string& checkout, const std::string& build,
                  const std::string& root) {
  if (build == checkout) return replace_all(text, checkout, root);
  return replace_all(replace_all(replace_all(text, build, kBuild), checkout, root), kBuild, build);
}

} // namespace

std::optional<std::string> database_for(const std::string& text, const std::string& checkout,
                                        const std::string& build, const std::string& root) {
  const auto json = usable_database(text);
  if (!json) return std::nullopt;
  return moved(dump_json(*json), checkout, build, root);
}

std::string databases_key(const std::string& checkout) {
  std::string key = "\ndatabases";
  if (checkout.empty()) return key;
  for (const fs::path& directory : build_directories(checkout)) {
    std::error_code gone;
    const auto changed = fs::last_write_time(directory / kFile, gone);
    if (!gone) key += " " + directory.string() + " " + std::to_string(changed.time_since_epoch().count());
  }
  return key;
}

void find_compile_database(AnalysisRequest& request, SourceTree& tree, const AnalyzerSetup& setup,
                           const ResultCache& cache, ProcessRunner& processes, std::stop_token stop) {
  for (const char* directory : {"", "build/", "builddir/", "out/"})
    if (const auto text = tree.text(std::string(directory) + std::string(kFile));
        text && usable_database(std::string(text->bytes())))
      return use_database(request, std::string("./") + directory, std::string(text->bytes()), "");
  if (use_from_checkout(request, setup.repository_root)) return;
  if (setup.project_tools) use_cmake(request, tree, cache, processes, std::move(stop));
}

} // namespace emend
