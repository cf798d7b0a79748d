#include "base/late_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace emend {

Status LateLibrary::load() {
  const std::lock_guard lock(mutex_);
  if (handle_ == nullptr) handle_ = ::dlopen(file_, RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) return {};
  const char* why = ::dlerror();
  return fail(ErrorCode::io, std::string("cannot load ") + (why != nullptr ? why : file_),
              std::string("install the package ") + package_);
}

void* LateLibrary::function(const char* name) {
  if (const Status loaded = load(); !loaded) throw std::runtime_error(loaded.error().message);
  void* found = ::dlsym(handle_, name);
  if (found == nullptr) throw std::runtime_error(std::string(file_) + " has no function " + name);
  return found;
}

} // namespace emend
