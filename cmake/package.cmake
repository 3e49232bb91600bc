# `cpack` in a build tree makes heed-VERSION.deb and a tarball of the programs, their manual pages and the shells'
# completions. LibTorch, which trains and has all models, comes with them unless HEED_PACKAGE_TORCH is OFF: then the
# programs look for it where it was when they were built, and `heed` translates and scores without it.
if(HEED_PACKAGE_TORCH)
  if(HEED_TORCH_cuda)
    install(CODE "message(FATAL_ERROR \"a LibTorch for CUDA has gigabytes: configure with -DHEED_PACKAGE_TORCH=OFF\")"
      COMPONENT torch EXCLUDE_FROM_ALL)
  else()
    file(GLOB _libraries ${HEED_TORCH_ROOT}/lib/libtorch_cpu.so ${HEED_TORCH_ROOT}/lib/libc10.so
      ${HEED_TORCH_ROOT}/lib/libgomp*.so*)
    install(FILES ${_libraries} DESTINATION lib/heed COMPONENT torch EXCLUDE_FROM_ALL)
  endif()
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME heed)
set(CPACK_PACKAGE_VERSION ${HEED_VERSION})
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})  # in the name of the tarball
set(CPACK_PACKAGE_CONTACT "heed's contributors <noreply@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};heed;programs;/")
if(HEED_PACKAGE_TORCH)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};heed;torch;/")
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
string(REPLACE "-dev" "~dev" CPACK_DEBIAN_PACKAGE_VERSION ${HEED_VERSION})  # before the release
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libdnnl2 | libdnnl3")  # loaded where it is there: gemm.cpp
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${HEED_TORCH_ROOT}/lib)
include(CPack)
