# emend_embed(TARGET t NAME n DIRECTORY d GLOB g): text files become `emend::embedded::<n>()`, a list of {file name, content}.

function(emend_embed)
  cmake_parse_arguments(ARG "" "TARGET;NAME;DIRECTORY;GLOB" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${ARG_DIRECTORY}/${ARG_GLOB})
  set(output ${CMAKE_BINARY_DIR}/embedded/${ARG_NAME}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${ARG_NAME} "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  target_sources(${ARG_TARGET} PRIVATE ${output})
endfunction()
