# Finds LibTorch: HEED_TORCH_ROOT, else LIBTORCH or Torch_DIR (CMake variable or environment), an unpacked libtorch or a
# `torch` Python package; for a project that uses an installed heed, else the one that heed was built with.
# The libraries are linked directly: torch's own CMake files refuse a CUDA build of torch on a machine without the CUDA
# toolkit, which heed does not need.
if(TARGET torch)
  return()
endif()

set(_torch_roots)
foreach(_hint IN ITEMS "${LIBTORCH}" "$ENV{LIBTORCH}" "${Torch_DIR}/../../.." "$ENV{Torch_DIR}/../../.."
        "${HEED_BUILT_WITH_TORCH}")
  if(EXISTS "${_hint}/include/torch/csrc/api/include/torch/torch.h")
    get_filename_component(_hint "${_hint}" REALPATH)
    list(APPEND _torch_roots "${_hint}")
  endif()
endforeach()
find_path(HEED_TORCH_ROOT include/torch/csrc/api/include/torch/torch.h HINTS ${_torch_roots}
  DOC "The folder of LibTorch that has include/ and lib/")
if(NOT HEED_TORCH_ROOT AND HEED_BUILT_WITH_TORCH)
  message(FATAL_ERROR "LibTorch not found: heed was built with that in ${HEED_BUILT_WITH_TORCH}, which is not there; set LIBTORCH to the folder of one of that version (the one with include/ and lib/)")
elseif(NOT HEED_TORCH_ROOT)
  message(FATAL_ERROR "LibTorch not found: set LIBTORCH to its folder (the one with include/ and lib/), or run cmake/bootstrap.sh, which installs it")
endif()

# LibTorch's folder has headers of another fmt, without its library: the system's fmt stands before them.
find_path(HEED_FMT_INCLUDE_DIR fmt/format.h REQUIRED)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/fmt)
file(CREATE_LINK ${HEED_FMT_INCLUDE_DIR}/fmt ${CMAKE_BINARY_DIR}/generated/fmt/fmt SYMBOLIC)

add_library(torch INTERFACE IMPORTED GLOBAL)
set_target_properties(torch PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_BINARY_DIR}/generated/fmt;${HEED_TORCH_ROOT}/include;${HEED_TORCH_ROOT}/include/torch/csrc/api/include"
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${CMAKE_BINARY_DIR}/generated/fmt;${HEED_TORCH_ROOT}/include;${HEED_TORCH_ROOT}/include/torch/csrc/api/include")
foreach(_library IN ITEMS torch_cpu c10)
  find_library(HEED_TORCH_${_library} ${_library} PATHS ${HEED_TORCH_ROOT}/lib NO_DEFAULT_PATH REQUIRED)
  target_link_libraries(torch INTERFACE ${HEED_TORCH_${_library}})
endforeach()
find_library(HEED_TORCH_cuda torch_cuda PATHS ${HEED_TORCH_ROOT}/lib NO_DEFAULT_PATH)
if(HEED_TORCH_cuda)
  # No symbol of it is called by name: loading it registers the CUDA kernels.
  target_link_options(torch INTERFACE "SHELL:-Wl,--no-as-needed ${HEED_TORCH_cuda} -Wl,--as-needed")
endif()

# Another release may have another interface, which the compiler would report in many lines.
set(_tested_from 2.11)
set(_tested_to 2.13)
set(_torch_version "")
foreach(_header IN ITEMS include/torch/headeronly/version.h include/torch/csrc/api/include/torch/version.h)
  if(EXISTS "${HEED_TORCH_ROOT}/${_header}")
    file(STRINGS "${HEED_TORCH_ROOT}/${_header}" _lines REGEX "define TORCH_VERSION_M(AJOR|INOR) ")
    string(REGEX MATCHALL "[0-9]+" _numbers "${_lines}")
    list(APPEND _torch_version ${_numbers})
  endif()
endforeach()
list(JOIN _torch_version "." _torch_version)
message(STATUS "LibTorch: ${HEED_TORCH_ROOT} (${_torch_version})")
if(_torch_version VERSION_LESS _tested_from OR _torch_version VERSION_GREATER _tested_to)
  message(WARNING "LibTorch ${_torch_version} in ${HEED_TORCH_ROOT}: heed was tested with ${_tested_from} to ${_tested_to}; if it does not compile, set LIBTORCH to the folder of one of those")
endif()
