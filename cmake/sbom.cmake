# The target `sbom`: the software bill of materials of the programs in CycloneDX's format, in build/PRESET/heed.cdx.json.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_custom_target(sbom
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/sbom.py ${PROJECT_BINARY_DIR} ${HEED_VERSION} ${HEED_TORCH_ROOT}
      ${PROJECT_BINARY_DIR}/heed.cdx.json
    COMMENT "Writing the software bill of materials" VERBATIM)
  add_dependencies(sbom heed-program heed-serve heed-torch)
endif()
