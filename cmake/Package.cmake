# The Debian package: `make package`, or cpack in a build directory. What it depends on is found by dpkg-shlibdeps.
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# Where Debian looks for it.
configure_file(packaging/debian/changelog.in ${CMAKE_BINARY_DIR}/debian/changelog @ONLY)
execute_process(COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/debian/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${CMAKE_BINARY_DIR}/debian/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME emend)
set(CPACK_PACKAGE_VENDOR emend)
set(CPACK_PACKAGE_CONTACT "The emend maintainers <maintainers@emend.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "reviews code and fixes it on a branch, committing only what was checked and judged")
set(CPACK_PACKAGE_DESCRIPTION "emend takes findings about a repository, has them fixed by analyzers or
by AI agents in private copies, verifies each fix with the repository's own
checks, has it judged independently, and commits what passed to a branch.
The checkout is never touched.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The last two are loaded when they are needed, so dpkg-shlibdeps does not see them.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "git (>= 1:2.30), ca-certificates, libcurl4 | libcurl4t64, libpq5, libbrotli1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "shellcheck, cppcheck, clang-tidy, codespell, flake8")
# What is installed must be built already: packing does not build the tests, too.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
