# heed_library(NAME LINKS ...) makes the library heed::NAME of all .cpp files in this folder and those below. A new file
# needs no line here: builds look for new ones.

add_library(heed_warnings INTERFACE)
target_compile_options(heed_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor
  -Wno-subobject-linkage  # several files compiled as one look like a header to it
  # Clang's -Wconversion includes signs, which GCC's does not; it does not know `#pragma GCC unroll`, and vector code puts
  # attributes on lambdas where only C++23 has a place for them.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion;-Wno-unknown-pragmas;-Wno-c++2b-extensions>
  $<$<BOOL:${HEED_WARNINGS_AS_ERRORS}>:-Werror>)

# GCC has room to put off the collection of its garbage: a tenth of the time for an eighth more memory.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=2097152>)

# For code that calls what takes the time and has no hot loops of its own: optimizing it for long gains nothing, and is a
# quarter of the time that compiling it takes.
function(heed_optimize_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# What every file with tensors includes takes some 30 s to compile; all targets share one precompiled header of it. What
# its templates leave to be done takes GCC 3 s at the end of each file, 5 s with the whole of torch/torch.h, which the
# tests have. It is for code that is optimized lightly: GCC compiles those who use it at the level that it was made with.
if(HEED_WITH_TORCH)
  add_library(heed_torch_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/torch_pch.cpp)
  target_compile_features(heed_torch_pch PUBLIC cxx_std_20)
  set_target_properties(heed_torch_pch PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(heed_torch_pch PUBLIC torch Threads::Threads)
  heed_optimize_lightly(heed_torch_pch)
  target_precompile_headers(heed_torch_pch PRIVATE <ATen/ATen.h> <torch/nn/module.h> <torch/nn/pimpl.h>
    <torch/nn/modules/container/modulelist.h> <torch/csrc/autograd/custom_function.h>)
endif()

function(heed_use_torch_pch target)
  heed_optimize_lightly(${target})
  target_precompile_headers(${target} REUSE_FROM heed_torch_pch)
endfunction()

function(heed_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:heed_warnings>)
  target_link_options(${target} PRIVATE -Wl,--as-needed)
endfunction()

# Headers of LibTorch, fmt and the standard library cost a file up to 4 s whatever it holds; those compiled together, 20
# if no number follows, cost as much as one. -DCMAKE_UNITY_BUILD=OFF compiles each by itself.
function(heed_compile_together target)
  set(files ${ARGN})
  if(NOT files)
    set(files 20)
  endif()
  if(DEFINED CMAKE_UNITY_BUILD AND NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# The same for a library of many modules: files of different modules are not compiled together, so that a program links
# only those libraries that the modules which it uses need.
function(heed_compile_modules_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  heed_compile_together(${target})
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE module)
    string(REGEX REPLACE "/.*" "" module ${module})
    list(APPEND ${module}_files ${source})
    list(LENGTH ${module}_files count)
    math(EXPR batch "(${count} - 1) / 20")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${module}_${batch})
  endforeach()
endfunction()

function(heed_library name)
  cmake_parse_arguments(LIBRARY "" "" "LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  add_library(${name} STATIC ${sources})
  add_library(heed::${name} ALIAS ${name})
  heed_target_defaults(${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${name} PRIVATE ${LIBRARY_LINKS})
  heed_compile_modules_together(${name})
endfunction()

# Tests use all of torch/torch.h.
if(HEED_BUILD_TESTS AND HEED_WITH_TORCH)
  add_library(heed_test_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/torch_pch.cpp)
  target_compile_features(heed_test_pch PUBLIC cxx_std_20)
  set_target_properties(heed_test_pch PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(heed_test_pch PRIVATE -O1)
  target_link_libraries(heed_test_pch PUBLIC torch Threads::Threads)
  target_precompile_headers(heed_test_pch PRIVATE <torch/torch.h>)
endif()

# heed_test(NAME [TORCH] [LABEL fast|slow|gpu] [TIMEOUT seconds] [COST seconds] SOURCES ... [APART ...] LINKS ...) makes one
# GoogleTest program and one ctest entry. COST: about how long it takes, so that ctest begins with the
# longest. APART: sources whose local names are those of others, so that they are compiled by themselves.
function(heed_test name)
  cmake_parse_arguments(TEST "TORCH" "LABEL;TIMEOUT;COST" "SOURCES;APART;LINKS" ${ARGN})
  set(target ${name}_test)
  add_executable(${target} ${TEST_SOURCES} ${TEST_APART})
  set_source_files_properties(${TEST_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  heed_target_defaults(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${target} PRIVATE -O1)  # tests run once: compiling them is what takes time
  target_link_libraries(${target} PRIVATE ${TEST_LINKS} GTest::gtest_main GTest::gtest)
  if(TEST_TORCH)
    target_precompile_headers(${target} REUSE_FROM heed_test_pch)
    heed_compile_together(${target} 8)
  endif()
  add_test(NAME ${name} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT TEST_LABEL)
    set(TEST_LABEL fast)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  if(NOT TEST_COST)
    set(TEST_COST 0)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize")
    math(EXPR TEST_TIMEOUT "4 * ${TEST_TIMEOUT}")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${TEST_LABEL} TIMEOUT ${TEST_TIMEOUT} COST ${TEST_COST}
    ENVIRONMENT "HEED_SOURCE_DIR=${PROJECT_SOURCE_DIR};HEED_BINARY_DIR=${PROJECT_BINARY_DIR};OMP_NUM_THREADS=1")
endfunction()

# heed_parts(NAME PART FILTER [PART FILTER]...) takes tests out of the entry NAME of heed_test() and makes entries NAME-PART of
# them, so that ctest can run them beside the others. FILTER: of GoogleTest.
function(heed_parts name)
  set(filters ${ARGN})
  get_property(environment TEST ${name} PROPERTY ENVIRONMENT)
  get_property(labels TEST ${name} PROPERTY LABELS)
  get_property(timeout TEST ${name} PROPERTY TIMEOUT)
  get_property(cost TEST ${name} PROPERTY COST)
  while(filters)
    list(POP_FRONT filters part filter)
    add_test(NAME ${name}-${part} COMMAND ${name}_test "--gtest_filter=${filter}" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name}-${part} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} COST ${cost}
      ENVIRONMENT "${environment}")
    set_property(GLOBAL APPEND PROPERTY heed_parts_of_${name} ${filter})
  endwhile()
  get_property(left_out GLOBAL PROPERTY heed_parts_of_${name})
  list(JOIN left_out ":" left_out)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "GTEST_FILTER=-${left_out}")  # the last of several counts
endfunction()

# heed_skippable(NAME PART FILTER [PART FILTER]...): likewise, for tests that not every machine can run: ctest says that they
# are skipped where they are.
function(heed_skippable name)
  heed_parts(${name} ${ARGN})
  set(filters ${ARGN})
  while(filters)
    list(POP_FRONT filters part filter)
    set_tests_properties(${name}-${part} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endwhile()
endfunction()
