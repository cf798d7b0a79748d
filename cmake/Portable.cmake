# What is handed out runs on a plain Debian 12 or 13, and starts fast: the libraries that such a machine lacks, or has in another
# version, are linked into the program. libcurl and libpq are loaded late and stay the machine's. See docs/decisions/0038.
option(EMEND_PORTABLE "Link the libraries that a plain machine lacks into the program" OFF)

set(EMEND_FMT fmt::fmt)
if(EMEND_PORTABLE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  set(OPENSSL_USE_STATIC_LIBS ON)
  set(EMEND_FMT fmt::fmt-header-only) # Debian has no archive of it
  add_link_options(-static-libstdc++ -static-libgcc)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/emend")
endif()

# After find_package: Debian has no archive of this one, so it comes along.
function(emend_install_companions)
  if(EMEND_PORTABLE)
    install(CODE "file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/emend\" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN
                  FILES \"$<TARGET_SONAME_FILE:simdjson::simdjson>\")")
  endif()
endfunction()
