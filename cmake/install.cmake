include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS heed heed_torch EXPORT heedTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY lib/heed lib/heed_torch DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT heedTargets NAMESPACE heed:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
configure_package_config_file(cmake/heedConfig.cmake.in ${PROJECT_BINARY_DIR}/heedConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heedConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heedConfig.cmake ${PROJECT_BINARY_DIR}/heedConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake ${PROJECT_SOURCE_DIR}/cmake/torch.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
if(HEED_BUILD_APPS)
  # The installed program finds LibTorch where it was built with it. CMake's own INSTALL_RPATH_USE_LINK_PATH keeps the
  # folders of other libraries, but none inside the source tree, where bootstrap.sh may have put LibTorch.
  set_target_properties(heed-program heed-serve heed-torch PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  set_property(TARGET heed-torch PROPERTY INSTALL_RPATH "$ORIGIN/../lib/heed;${HEED_TORCH_ROOT}/lib")  # a package has it there
  install(TARGETS heed-program heed-serve heed-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  install(DIRECTORY ${heed_documents}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT programs)
  install(FILES ${heed_documents}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heed
    COMPONENT programs)
  install(FILES ${heed_documents}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _heed
    COMPONENT programs)
  install(FILES ${heed_documents}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME heed.fish
    COMPONENT programs)
endif()
