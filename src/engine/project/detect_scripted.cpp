// Projects in interpreted languages: Node, Python, shell.
#include <algorithm>

#include "base/strings.hpp"
#include "engine/project/project_files.hpp"

namespace emend {

namespace {

struct PackageManager {
  std::string name, install;

  // "npm ci": what people call it.
  [[nodiscard]] std::string installing() const {
    return join(std::vector<std::string>{name, split(install, ' ')[1]}, " ");
  }
};

// Workspaces keep one lock file at the top.
bool has_lock(const ProjectFiles& files, const ProjectPlace& place, std::string_view name) {
  return files.has(place, name) || files.has(name);
}

PackageManager package_manager(const ProjectFiles& files, const ProjectPlace& place, const Json& package) {
  const std::string wanted = string_or(package, "packageManager");
  if (wanted.starts_with("pnpm") || has_lock(files, place, "pnpm-lock.yaml"))
    return {"pnpm", "pnpm install --frozen-lockfile --prefer-offline"};
  if (wanted.starts_with("yarn") || has_lock(files, place, "yarn.lock"))
    return {"yarn", has_lock(files, place, ".yarnrc.yml")
                        ? "yarn install --immutable"
                        : "yarn install --frozen-lockfile --prefer-offline"};
  const bool locked = files.has(place, "package-lock.json") || files.has(place, "npm-shrinkwrap.json");
  return {"npm", locked ? "npm ci --prefer-offline --no-audit --no-fund"
                        : "npm install --no-package-lock --prefer-offline --no-audit --no-fund"};
}

bool has_entries(const Json& package, std::string_view key) {
  const Json* member = find_member(package, key);
  return member != nullptr && member->is_object() && !member->empty();
}

bool is_placeholder(std::string_view script) {
  return trim(script).empty() || contains(script, "no test specified");
}

bool watches(std::string_view script) {
  return contains(script, "--watch") && !contains(script, "--watchAll=false") &&
         !contains(script, "--watch=false");
}

// The scripts worth running, best first: tests, then types; a build only where there is nothing better.
std::vector<std::string> checking_scripts(const Json& package) {
  const Json* scripts = find_member(package, "scripts");
  std::vector<std::string> chosen;
  if (scripts == nullptr || !scripts->is_object()) return chosen;
  for (const char* name : {"typecheck", "type-check", "test"})
    if (!is_placeholder(string_or(*scripts, name))) chosen.push_back(name);
  if (chosen.empty() && !is_placeholder(string_or(*scripts, "build"))) chosen.push_back("build");
  return chosen;
}

void add_scripts(const ProjectFiles& files, const ProjectPlace& place, const Json& package, Detected& found) {
  const PackageManager manager = package_manager(files, place, package);
  const bool depends = has_entries(package, "dependencies") || has_entries(package, "devDependencies");
  std::string before = depends ? manager.install + " && " : std::string(); // once: commands share the tree
  for (const std::string& name : checking_scripts(package)) {
    const std::string script = string_or(*find_member(package, "scripts"), name);
    const std::string variable = contains(script, "react-scripts test") ? "CI=true " : "";
    CommandGuess guess =
        place.guess(manager.name + "-" + name,
                    before + variable + manager.name + (name == "test" ? " test" : " run " + name),
                    place.file("package.json") + " has the script " + name +
                        (before.empty() ? "."
                                        : "; a private tree has no node_modules, so they are installed "
                                          "first, which needs the network."));
    if (!before.empty()) guess.downloads = manager.installing();
    guess.programs = {manager.name, "node"};
    if (watches(script)) guess.not_used = "the script watches for changes and would never end";
    found.commands.push_back(std::move(guess));
    before.clear();
  }
}

bool is_python(std::string_view path) { return path.ends_with(".py"); }

bool is_python_test(std::string_view path) {
  const std::string_view name = base_name(path);
  return is_python(path) && (name.starts_with("test_") || name == "test.py" || name.ends_with("_test.py"));
}

std::string why_pytest(const ProjectFiles& files, const ProjectPlace& place) {
  if (files.has(place, "pytest.ini")) return place.file("pytest.ini") + " is there";
  if (contains(files.text(place.file("pyproject.toml")), "[tool.pytest"))
    return place.file("pyproject.toml") + " configures pytest";
  if (contains(files.text(place.file("tox.ini")), "[pytest]"))
    return place.file("tox.ini") + " configures pytest";
  if (contains(files.text(place.file("setup.cfg")), "[tool:pytest]"))
    return place.file("setup.cfg") + " configures pytest";
  for (const std::string& path : files.own()) {
    if (!place.holds(path)) continue;
    if (base_name(path) == "conftest.py") return path + " is a pytest file";
    if (is_python_test(path) && has_word(files.text(path), "pytest")) return path + " uses pytest";
  }
  for (const char* name : {"pyproject.toml", "requirements-dev.txt", "dev-requirements.txt",
                           "requirements.txt", "setup.py", "tox.ini"})
    if (has_word(files.text(place.file(name)), "pytest")) return place.file(name) + " names pytest";
  return {};
}

std::vector<std::string> python_files(const ProjectFiles& files, const ProjectPlace& place, bool tests) {
  std::vector<std::string> result;
  for (const std::string& path : files.own())
    if (place.holds(path) && is_python(path) && (!tests || is_python_test(path))) result.push_back(path);
  return result;
}

std::string inside(const ProjectPlace& place, std::string_view path) {
  return std::string(path.substr(place.directory.empty() ? 0 : place.directory.size() + 1));
}

std::string directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

// The innermost directory that holds all of them; empty = the place itself.
std::string common_directory(const ProjectPlace& place, const std::vector<std::string>& paths) {
  std::string common = directory_of(inside(place, paths.front()));
  for (const std::string& path : paths)
    while (!common.empty() && !ProjectPlace{common}.holds(inside(place, path))) common = directory_of(common);
  return common;
}

std::string unittest_command(const ProjectFiles& files, const ProjectPlace& place,
                             const std::vector<std::string>& tests) {
  const std::string directory = common_directory(place, tests);
  std::string command = "python3 -m unittest discover";
  if (!directory.empty()) command += " -s " + shell_quote(directory);
  if (!directory.empty() && files.has(place, directory + "/__init__.py")) command += " -t .";
  if (!base_name(tests.front()).starts_with("test")) command += " -p '*_test.py'";
  return command;
}

CommandGuess python_syntax(const ProjectPlace& place, const std::vector<std::string>& sources) {
  constexpr std::size_t kMostNames = 8;
  std::vector<std::string> names;
  for (const std::string& path : sources) {
    const std::string own = inside(place, path);
    names.push_back(own.substr(0, own.find('/')));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::string> quoted;
  for (const std::string& name : names)
    quoted.push_back(shell_quote(name.starts_with('-') ? "./" + name : name));
  const std::string what = names.size() > kMostNames ? "." : join(quoted, " ");
  CommandGuess guess =
      place.guess("python-syntax", "python3 -m compileall -q " + what,
                  "There is Python but no known kind of test, so the files are only compiled.");
  guess.paths = {place.directory.empty() ? "**/*.py" : place.directory + "/**/*.py"};
  guess.programs = {"python3"};
  return guess;
}

CommandGuess python_guess(const ProjectFiles& files, const ProjectPlace& place) {
  if (has_word(files.text(place.file("manage.py")), "django")) {
    CommandGuess guess = place.guess("django-test", "python3 manage.py test",
                                     place.file("manage.py") +
                                         " is Django's; it runs with the python3 of your PATH, so activate "
                                         "the project's environment first.");
    guess.programs = {"python3"};
    guess.python_module = "django";
    return guess;
  }
  const auto tests = python_files(files, place, true);
  std::string why = why_pytest(files, place);
  if (why.empty() && tests.empty()) return python_syntax(place, python_files(files, place, false));
  const auto uses_unittest = [&](const std::string& path) { return has_word(files.text(path), "unittest"); };
  if (why.empty() && std::none_of(tests.begin(), tests.end(), uses_unittest))
    why = tests.front() + " looks like a pytest test";
  CommandGuess guess =
      why.empty()
          ? place.guess("unittest", unittest_command(files, place, tests),
                        tests.front() + " is a unittest test.")
          : place.guess(
                "pytest", "python3 -m pytest -q",
                why +
                    "; it runs with the python3 of your PATH, so activate the project's environment first.");
  guess.programs = {"python3"};
  if (!why.empty()) guess.python_module = "pytest";
  return guess;
}

std::vector<ProjectPlace> python_places(const ProjectFiles& files) {
  auto places =
      files.places({"pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "manage.py"});
  std::erase_if(places, [&](const ProjectPlace& place) { return python_files(files, place, false).empty(); });
  const bool any = std::any_of(files.own().begin(), files.own().end(), is_python);
  if (places.empty() && any) places.push_back({""});
  return places;
}

} // namespace

void detect_node(const ProjectFiles& files, Detected& found) {
  std::vector<ProjectPlace> workspaces;
  for (const ProjectPlace& place : files.places({"package.json"}, Nested::projects_of_their_own)) {
    const bool member = std::any_of(workspaces.begin(), workspaces.end(),
                                    [&](const ProjectPlace& outer) { return outer.holds(place.directory); });
    if (member) continue; // the workspace's own script speaks for it
    const auto package = files.object(place.file("package.json"), found);
    if (!package) continue;
    if (find_member(*package, "workspaces") != nullptr || files.has(place, "pnpm-workspace.yaml") ||
        files.has(place, "lerna.json"))
      workspaces.push_back(place);
    add_scripts(files, place, *package, found);
  }
}

void detect_python(const ProjectFiles& files, Detected& found) {
  for (const ProjectPlace& place : python_places(files)) found.commands.push_back(python_guess(files, place));
}

void detect_shell(const ProjectFiles& files, Detected& found) {
  const bool any = std::any_of(files.own().begin(), files.own().end(), [](const std::string& path) {
    return path.ends_with(".sh") || path.ends_with(".bash");
  });
  if (!any) return;
  // Without names: a script that a verification command names is taken for part of the checks, and fixes may
  // not touch it. bash -n looks at its first argument only.
  found.commands.push_back(
      {"shell-syntax",
       "find . -name node_modules -prune -o \\( -name '*.sh' -o -name '*.bash' \\) -type f -print0 | xargs "
       "-0 -n 1 bash -n",
       "There are shell scripts; this checks their syntax without running them.",
       {"**/*.sh", "**/*.bash"},
       {"bash", "xargs"}});
}

} // namespace emend
