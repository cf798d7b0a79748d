// The steps that touch files.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "tests/trust/fake_agent/player.hpp"

namespace emend::fake_agent {

namespace fs = std::filesystem;

namespace {

void check(int result, const std::string& what) {
  if (result != 0) throw std::system_error(errno, std::generic_category(), what);
}

void put_file(const std::string& path, const std::string& bytes, std::ios::openmode mode) {
  if (const fs::path parent = fs::path(path).parent_path(); !parent.empty()) fs::create_directories(parent);
  std::ofstream file(path, std::ios::binary | mode);
  file << bytes;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

// The time of another file, or seconds since 1970.
timespec time_named(const std::string& name) {
  if (struct stat info{}; ::stat(name.c_str(), &info) == 0) return info.st_mtim;
  return {std::stol(name), 0};
}

} // namespace

void Player::write(const Step& step) {
  record_added(call_, read_text(step.args.at(0)), step.args.at(1));
  put_file(step.args[0], step.args[1], std::ios::trunc);
}

void Player::bytes(const Step& step) {
  put_file(step.args.at(0), from_hex(step.args.at(1)), std::ios::trunc);
}

void Player::append(const Step& step) {
  const std::string before = read_text(step.args.at(0));
  record_added(call_, before, before + step.args.at(1));
  put_file(step.args[0], step.args[1], std::ios::app);
}

// Every occurrence, in place: the file keeps its inode.
void Player::replace(const Step& step) {
  const std::string path = step.args.at(0), from = step.args.at(1), to = step.args.at(2);
  std::string text = read_text(path);
  if (text.find(from) == std::string::npos) throw std::runtime_error("not found in " + path + ": " + from);
  const std::string before = text;
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  record_added(call_, before, text);
  put_file(path, text, std::ios::trunc);
}

void Player::remove(const Step& step) {
  if (fs::remove_all(step.args.at(0)) == 0) throw std::runtime_error("nothing to delete: " + step.args[0]);
}

void Player::symlink(const Step& step) {
  check(::symlink(step.args.at(1).c_str(), step.args[0].c_str()), step.args[0]);
}
void Player::hardlink(const Step& step) {
  check(::link(step.args.at(1).c_str(), step.args[0].c_str()), step.args[0]);
}
void Player::chmod(const Step& step) {
  check(::chmod(step.args.at(1).c_str(), static_cast<mode_t>(std::stoul(step.args[0], nullptr, 8))),
        step.args[1]);
}
void Player::mkdir(const Step& step) { fs::create_directories(step.args.at(0)); }
void Player::fifo(const Step& step) { check(::mkfifo(step.args.at(0).c_str(), 0644), step.args[0]); }

void Player::touch(const Step& step) {
  const timespec time = time_named(step.args.at(1));
  const timespec times[2] = {time, time};
  check(::utimensat(AT_FDCWD, step.args[0].c_str(), times, 0), step.args[0]);
}

void Player::fill(const Step& step) {
  const std::string megabyte(1 << 20, 'x');
  for (int i = 0; i < std::stoi(step.args.at(0)); ++i)
    put_file(step.args.size() > 1 ? step.args[1] : "filled.bin", megabyte, std::ios::app);
}

} // namespace emend::fake_agent
