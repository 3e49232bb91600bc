# `cpack` makes heed-VERSION-Linux-PROCESSOR-static.tar.gz: the static program, a unit for systemd, and the licenses of heed
# and of the libraries in it.
install(TARGETS heed-program RUNTIME DESTINATION bin)
install(FILES LICENSE apps/heed_serve/heed-serve.service DESTINATION share/doc/heed)
foreach(_package IN ITEMS libc6-dev libstdc++-12-dev libcld2-dev libcli11-dev libfmt-dev libgumbo-dev libicu-dev libmd4c-dev
    libmicrohttpd-dev libminizip-dev libpugixml-dev libsentencepiece-dev libssl-dev libtomlplusplus-dev nlohmann-json3-dev
    zlib1g-dev)
  install(FILES /usr/share/doc/${_package}/copyright DESTINATION share/doc/heed/licenses RENAME ${_package})
endforeach()

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME heed)
set(CPACK_PACKAGE_VERSION ${HEED_VERSION})
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}-static)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};heed;ALL;/")
include(CPack)
