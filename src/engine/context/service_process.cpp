#include "engine/context/service_process.hpp"

#include <atomic>

namespace emend {

namespace {

std::atomic<bool> service = false;

} // namespace

void become_service_process() { service = true; }
bool is_service_process() { return service; }

} // namespace emend
