# What is handed out runs on a plain Debian 12 or 13, and starts fast: the libraries that such a machine lacks, or has in another
# version, are linked into the program. libcurl and libpq are loaded late and stay the machine's. See docs/decisions/0038.
option(EMEND_PORTABLE "Link the libraries that a plain machine lacks into the program" OFF)

set(EMEND_FMT fmt::fmt)
if(EMEND_PORTABLE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  set(OPENSSL_USE_STATIC_LIBS ON)
  set(EMEND_FMT fmt::fmt-header-only) # Debian has no archive of it
  # Without new tags the place is searched for what the libraries there need, too.
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--disable-new-dtags)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/emend")
endif()

# After find_package: Debian has no archive of simdjson, so it comes along, and with it the runtime that it needs.
function(emend_install_companions)
  if(EMEND_PORTABLE)
    foreach(library libstdc++.so.6 libgcc_s.so.1)
      execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library} OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      file(REAL_PATH "${path}" path)
      install(PROGRAMS "${path}" DESTINATION lib/emend RENAME ${library})
    endforeach()
    install(CODE "file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/emend\" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN
                  FILES \"$<TARGET_SONAME_FILE:simdjson::simdjson>\")")
  endif()
endfunction()
