#include "exec/options.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace emend::exec {

using exec_protocol::RecordHeader;
using exec_protocol::Tag;

namespace {

bool read_all(int fd, std::string& bytes) {
  char buffer[65536];
  while (true) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes.append(buffer, static_cast<std::size_t>(n));
  }
}

template <typename Number>
bool parse_int(const std::string& text, Number& number) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

template <typename Choice>
bool parse_choice(const std::string& text, Choice& choice) {
  int number = 0;
  if (!parse_int(text, number)) return false;
  choice = static_cast<Choice>(number);
  return true;
}

bool store(Options& options, Tag tag, std::string value) {
  switch (tag) {
    case Tag::engine_pid: return parse_int(value, options.engine_pid);
    case Tag::isolation: return parse_choice(value, options.isolation);
    case Tag::sandbox: return parse_choice(value, options.sandbox);
    case Tag::network: return parse_choice(value, options.network);
    case Tag::limit_memory: return parse_int(value, options.limits.memory);
    case Tag::limit_processes: return parse_int(value, options.limits.processes);
    case Tag::limit_file: return parse_int(value, options.limits.file);
    case Tag::limit_cpu: return parse_int(value, options.limits.cpu);
    case Tag::limit_free_disk: return parse_int(value, options.limits.free_disk);
    case Tag::program: options.program = std::move(value); return true;
    case Tag::argument: options.arguments.push_back(std::move(value)); return true;
    case Tag::variable: options.variables.push_back(std::move(value)); return true;
    case Tag::cwd: options.cwd = std::move(value); return true;
    case Tag::overlay_lower: options.overlay_lower = std::move(value); return true;
    case Tag::overlay_above: options.overlay_above.push_back(std::move(value)); return true;
    case Tag::overlay_upper: options.overlay_upper = std::move(value); return true;
    case Tag::overlay_work: options.overlay_work = std::move(value); return true;
    case Tag::overlay_target: options.overlay_target = std::move(value); return true;
    case Tag::hidden: options.hidden.push_back(std::move(value)); return true;
    case Tag::read_only: options.read_only.push_back(std::move(value)); return true;
    case Tag::masked: options.masked = std::move(value); return true;
    case Tag::own: options.own = std::move(value); return true;
    case Tag::layer: options.layers.push_back({std::move(value), {}, {}, {}}); return true;
    case Tag::layer_upper:
      return !options.layers.empty() && (options.layers.back().upper = std::move(value), true);
    case Tag::layer_work:
      return !options.layers.empty() && (options.layers.back().work = std::move(value), true);
    case Tag::layer_below:
      return !options.layers.empty() && (options.layers.back().below.push_back(std::move(value)), true);
    case Tag::tree_source: options.tree_source = std::move(value); return true;
    case Tag::apart: options.apart = true; return true;
    case Tag::alias_from: options.aliases.push_back({std::move(value), {}}); return true;
    case Tag::alias_to:
      return !options.aliases.empty() && (options.aliases.back().to = std::move(value), true);
    case Tag::hosts: options.hosts = std::move(value); return true;
    case Tag::host_name: options.host_name = std::move(value); return true;
    case Tag::first_process: return parse_int(value, options.first_process);
    case Tag::home: options.home = std::move(value); return true;
    case Tag::shown: options.shown.push_back(std::move(value)); return true;
    case Tag::writable: options.writable.push_back(std::move(value)); return true;
  }
  return false; // an engine of another version
}

} // namespace

bool read_options(int fd, Options& options) {
  std::string bytes;
  if (!read_all(fd, bytes)) return false;
  std::size_t at = 0;
  while (at < bytes.size()) {
    RecordHeader header;
    if (bytes.size() - at < sizeof header) return false;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    at += sizeof header;
    if (bytes.size() - at < header.length || !store(options, header.tag, bytes.substr(at, header.length)))
      return false;
    at += header.length;
  }
  return options.engine_pid > 0 && !options.program.empty() && !options.arguments.empty();
}

} // namespace emend::exec
