# The Python that the package heed is for, with nanobind; and its PyTorch, where no other LibTorch is named.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_folder
  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "HEED_BUILD_PYTHON needs nanobind, which ${Python_EXECUTABLE} does not have: `${Python_EXECUTABLE} -m pip install nanobind`, or name another Python with -DPython_EXECUTABLE=...")
endif()
if(NOT HEED_TORCH_ROOT AND NOT LIBTORCH AND NOT Torch_DIR)
  execute_process(COMMAND ${Python_EXECUTABLE} -c
      "import importlib.util; print(importlib.util.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE LIBTORCH OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
