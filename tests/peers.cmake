# Tests against other libraries, in Python: skipped where it lacks them. `tests/run.sh --with-peers` brings one that has all
# of tests/requirements.txt.
find_package(Python3 COMPONENTS Interpreter)
set(HEED_PEERS_PYTHON "${Python3_EXECUTABLE}" CACHE FILEPATH "Python with the packages of tests/requirements.txt, for tests")

# heed_peer_test(NAME SCRIPT [ARGUMENT...])
function(heed_peer_test name script)
  if(HEED_PEERS_PYTHON)
    add_test(NAME ${name} COMMAND ${HEED_PEERS_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS slow TIMEOUT 1800 COST 50 SKIP_RETURN_CODE 77
      ENVIRONMENT "HEED_SOURCE_DIR=${PROJECT_SOURCE_DIR};HEED_BINARY_DIR=${PROJECT_BINARY_DIR};OMP_NUM_THREADS=1")
  endif()
endfunction()
