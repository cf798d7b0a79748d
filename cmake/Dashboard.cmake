# emend_dashboard(TARGET t): bundles web/ with esbuild into build/web and embeds the files as `emend::embedded::dashboard()`. Without EMEND_DASHBOARD
# there is only a page that says how to build it.

function(emend_dashboard)
  cmake_parse_arguments(ARG "" "TARGET" "" ${ARGN})
  if(NOT EMEND_DASHBOARD)
    emend_embed(TARGET ${ARG_TARGET} NAME dashboard DIRECTORY ${CMAKE_SOURCE_DIR}/packaging/no_dashboard GLOB *.html)
    return()
  endif()
  set(web ${CMAKE_SOURCE_DIR}/web)
  set(output ${CMAKE_BINARY_DIR}/embedded/dashboard.cpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*)
  # The stamp is no target of this build: without it ninja would only say that there is no rule to make it.
  if(NOT EXISTS ${web}/node_modules/.installed)
    message(FATAL_ERROR "The packages the dashboard is bundled with are missing. Run setup/web.sh (or make build), then configure again.")
  endif()
  find_program(NODE NAMES node nodejs)
  if(NOT NODE)
    message(FATAL_ERROR "The dashboard is bundled with Node.js, which is missing. Run setup/web.sh (or make build), then configure again.")
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${NODE} ${web}/bundle.mjs ${CMAKE_BINARY_DIR}/web
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=dashboard -DDIRECTORY=${CMAKE_BINARY_DIR}/web -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${sources} ${web}/bundle.mjs ${web}/package-lock.json ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Bundling the dashboard"
    VERBATIM)
  target_sources(${ARG_TARGET} PRIVATE ${output})
endfunction()
