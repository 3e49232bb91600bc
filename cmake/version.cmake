# Writes OUTPUT from version.cpp.in where it would change: HEED_VERSION, and behind it in parentheses the commit of the git
# checkout in SOURCE, where there is one: "1.0.0 (3f2a1bc)", with "-dirty" if its files differ from the commit's.
#
#   cmake -DHEED_VERSION=VERSION -DSOURCE=FOLDER -DOUTPUT=FILE -P cmake/version.cmake
set(commit)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)  # not the repository of another project around an unpacked archive
  execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0
      ${GIT} describe --always "--exclude=*" --abbrev=7 --dirty
    WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE described ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0)
    set(commit " (${described})")
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUTPUT} @ONLY)
