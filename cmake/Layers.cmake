# emend_library(folder [USES folder...] [LINK target...]): src/<folder>/*.cpp becomes library emend_<folder>.

function(emend_library folder)
  cmake_parse_arguments(ARG "" "" "USES;LINK" ${ARGN})
  string(REPLACE "/" "_" name emend_${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.cpp)
  if(NOT sources) # bootstrap only
    add_library(${name} INTERFACE)
    return()
  endif()
  add_library(${name} STATIC ${sources})
  emend_compile_options(${name})
  emend_precompiled_headers(${name})
  foreach(used ${ARG_USES})
    string(REPLACE "/" "_" used_name emend_${used})
    target_link_libraries(${name} PUBLIC ${used_name})
  endforeach()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()
