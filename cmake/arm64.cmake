# A toolchain file that compiles for Linux on ARM64 on another processor. HEED_SYSROOT: the folder of the packages for
# ARM64, which tests/arm64/run.sh makes.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT ${HEED_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEED_SYSROOT)
# Runs programs for ARM64, such as tests.
set(CMAKE_CROSSCOMPILING_EMULATOR ${HEED_SYSROOT}/../qemu-aarch64-static -L ${HEED_SYSROOT})
