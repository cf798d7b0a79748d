# Warnings, sanitizers, precompiled headers and ccache, in one place.

set(EMEND_SANITIZE "" CACHE STRING "address,undefined or thread; empty for none")

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers need these two allowances, see ccache(1).
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(EMEND_SANITIZE)
  add_compile_options(-fsanitize=${EMEND_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EMEND_SANITIZE})
endif()

# libFuzzer needs clang, and every object file with its counters in it.
option(EMEND_FUZZ "Build emend_fuzz, and nothing else worth running" OFF)
if(EMEND_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "EMEND_FUZZ needs clang++ (cmake --preset fuzz)")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(emend_compile_options target)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough -Werror=return-type
                                           -Werror=switch -Wno-missing-field-initializers -fpch-preprocess)
  # Optimising, g++ 12 sees overflows inside of std::string that are none (GCC bugs 105329, 105651). Sanitizers look for real ones.
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-array-bounds)
  endif()
endfunction()

# Most of the time a small file takes goes into what its headers make of it, so files are compiled some at a time: see docs/decisions/0029.
option(EMEND_BATCHES "Compile several source files as one" ON)
find_package(Python3 COMPONENTS Interpreter REQUIRED)

# The sources of which the mutants' program has changed copies. They stand alone, so that a copy can take the place of one.
set(EMEND_MUTATIONS ${CMAKE_SOURCE_DIR}/tests/trust/mutations.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${EMEND_MUTATIONS})
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${EMEND_MUTATIONS} --check COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${EMEND_MUTATIONS} --files OUTPUT_VARIABLE EMEND_MUTATED_SOURCES
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" EMEND_MUTATED_SOURCES "${EMEND_MUTATED_SOURCES}")

# emend_batches(target): joins its sources into batches of about three thousand lines.
function(emend_batches target)
  if(NOT EMEND_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^/.*\\.cpp$")
  list(TRANSFORM EMEND_MUTATED_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/src/ OUTPUT_VARIABLE alone)
  list(REMOVE_ITEM sources ${alone})
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tools/batches.py 3000 ${sources} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line ${lines})
    string(REGEX MATCH "^(.*) ([^ ]+)$" line "${line}")
    if(NOT CMAKE_MATCH_2 STREQUAL "-")
      set_source_files_properties(${CMAKE_MATCH_1} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # it takes every joined file for a header
endfunction()

# The first library builds the precompiled header, all others reuse it.
function(emend_precompiled_headers target)
  if(target STREQUAL "emend_base")
    target_precompile_headers(${target} PRIVATE <algorithm> <cstdint> <filesystem> <functional> <map> <memory> <optional> <string>
                                                <string_view> <vector> <fmt/format.h> <nlohmann/json.hpp> <tl/expected.hpp>)
  else()
    target_precompile_headers(${target} REUSE_FROM emend_base)
  endif()
endfunction()

# Tests have one of their own, with the test library in it. They are compiled once and run for seconds: optimising them costs more than it gives.
function(emend_test_precompiled_headers target)
  target_compile_options(${target} PRIVATE -O0)
  if(target STREQUAL "emend_test_support")
    target_precompile_headers(${target} PRIVATE <algorithm> <cstdint> <filesystem> <functional> <map> <memory> <optional> <string> <string_view>
                                                <vector> <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <tl/expected.hpp>)
  else()
    target_precompile_headers(${target} REUSE_FROM emend_test_support)
  endif()
endfunction()
