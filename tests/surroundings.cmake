# ctest reads this before it runs tests.
#
# Tests write many small files and wait until each is on the disk. In memory that takes no time. Where /dev/shm is too small for
# them, or runs no programs (as in containers), their files are in the usual folder. TMPDIR names another one.
if(NOT DEFINED ENV{TMPDIR})
  execute_process(
    COMMAND sh -c "test -w /dev/shm && ! grep -q '^[^ ]* /dev/shm .*noexec' /proc/mounts && df -Pm /dev/shm | awk 'NR == 2 {print $4}'"
    OUTPUT_VARIABLE megabytes ERROR_QUIET)
  if(megabytes GREATER 2000)
    set(ENV{TMPDIR} /dev/shm)
  endif()
endif()

# Threads of OpenMP wait as those of the programs do (apps/heed/other_programs.cpp), not busily for milliseconds.
if(NOT DEFINED ENV{OMP_WAIT_POLICY} AND NOT DEFINED ENV{GOMP_SPINCOUNT})
  set(ENV{GOMP_SPINCOUNT} 10000)
endif()
