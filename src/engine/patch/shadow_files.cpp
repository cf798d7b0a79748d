#include "engine/patch/shadow_files.hpp"

#include <set>
#include <string>

namespace emend {
namespace {

using Names = std::set<std::string_view>;

// What judges a fix, in any language.
const Names& frameworks() {
  static const Names names = {"unittest",   "pytest", "_pytest", "nose",   "doctest", "coverage", "mock",
                              "hypothesis", "site",   "jest",    "vitest", "mocha",   "chai"};
  return names;
}

const Names& python_modules() {
  static const Names names = {
      "abc",          "aifc",        "argparse",      "array",       "ast",          "asynchat",
      "asyncio",      "asyncore",    "atexit",        "audioop",     "base64",       "bdb",
      "binascii",     "bisect",      "builtins",      "bz2",         "cProfile",     "calendar",
      "cgi",          "cgitb",       "chunk",         "cmath",       "cmd",          "code",
      "codecs",       "codeop",      "collections",   "colorsys",    "compileall",   "concurrent",
      "configparser", "contextlib",  "contextvars",   "copy",        "copyreg",      "crypt",
      "csv",          "ctypes",      "curses",        "dataclasses", "datetime",     "dbm",
      "decimal",      "difflib",     "dis",           "distutils",   "doctest",      "email",
      "encodings",    "ensurepip",   "enum",          "errno",       "faulthandler", "fcntl",
      "filecmp",      "fileinput",   "fnmatch",       "fractions",   "ftplib",       "functools",
      "gc",           "genericpath", "getopt",        "getpass",     "gettext",      "glob",
      "graphlib",     "grp",         "gzip",          "hashlib",     "heapq",        "hmac",
      "html",         "http",        "imaplib",       "imghdr",      "imp",          "importlib",
      "inspect",      "io",          "ipaddress",     "itertools",   "json",         "keyword",
      "linecache",    "locale",      "logging",       "lzma",        "mailbox",      "mailcap",
      "marshal",      "math",        "mimetypes",     "mmap",        "modulefinder", "multiprocessing",
      "netrc",        "nis",         "nntplib",       "numbers",     "opcode",       "operator",
      "optparse",     "os",          "ossaudiodev",   "pathlib",     "pdb",          "pickle",
      "pickletools",  "pipes",       "pkgutil",       "platform",    "plistlib",     "poplib",
      "posix",        "posixpath",   "pprint",        "profile",     "pstats",       "pty",
      "pwd",          "py_compile",  "pyclbr",        "pydoc",       "pydoc_data",   "pyexpat",
      "queue",        "quopri",      "random",        "re",          "readline",     "reprlib",
      "resource",     "rlcompleter", "runpy",         "sched",       "secrets",      "select",
      "selectors",    "shelve",      "shlex",         "shutil",      "signal",       "site",
      "smtpd",        "smtplib",     "sndhdr",        "socket",      "socketserver", "spwd",
      "sqlite3",      "sre_compile", "sre_constants", "sre_parse",   "ssl",          "stat",
      "statistics",   "string",      "stringprep",    "struct",      "subprocess",   "sunau",
      "symtable",     "sys",         "sysconfig",     "syslog",      "tabnanny",     "tarfile",
      "telnetlib",    "tempfile",    "termios",       "textwrap",    "threading",    "time",
      "timeit",       "tkinter",     "token",         "tokenize",    "tomllib",      "trace",
      "traceback",    "tracemalloc", "tty",           "turtle",      "types",        "typing",
      "unicodedata",  "unittest",    "urllib",        "uu",          "uuid",         "venv",
      "warnings",     "wave",        "weakref",       "webbrowser",  "wsgiref",      "xdrlib",
      "xml",          "xmlrpc",      "zipapp",        "zipfile",     "zipimport",    "zlib",
      "zoneinfo"};
  return names;
}

const Names& c_headers() {
  static const Names names = {
      "assert", "complex", "ctype",  "errno",  "fenv",    "float",  "inttypes", "iso646", "limits", "locale",
      "math",   "setjmp",  "signal", "stdarg", "stdbool", "stddef", "stdint",   "stdio",  "stdlib", "string",
      "tgmath", "threads", "time",   "uchar",  "wchar",   "wctype", "unistd",   "fcntl",  "pthread"};
  return names;
}

} // namespace

bool shadows_a_module(std::string_view path, const Tree& base) {
  if (constexpr std::string_view package = "/__init__.py";
      path.ends_with(package)) // a directory that is loaded by its name
    return shadows_a_module(std::string(path.substr(0, path.size() - package.size())) + ".py", base);
  const auto slash = path.rfind('/');
  const std::string directory(slash == std::string_view::npos ? "" : path.substr(0, slash + 1));
  const std::string_view name = path.substr(directory.size());
  const std::string_view stem = name.substr(0, name.find('.'));
  if (stem.size() == name.size()) return false;
  const std::string_view extension = name.substr(stem.size());
  if (frameworks().contains(stem)) return true;
  if (extension == ".h") return c_headers().contains(stem);
  if (extension != ".py" && extension != ".pyi") return false;
  return python_modules().contains(stem) && !base.contains(directory + "__init__.py");
}

} // namespace emend
