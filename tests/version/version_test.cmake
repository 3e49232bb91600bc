set(source ${WORK}/source)
set(output ${WORK}/version.cpp)

function(expect version)  # expect(VERSION): is what version.cmake makes of 1.2.3 and the files in ${source}
  execute_process(COMMAND ${CMAKE_COMMAND} -DHEED_VERSION=1.2.3 -DSOURCE=${source} -DOUTPUT=${output} -P ${SCRIPT}
    COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${output} text)
  string(FIND "${text}" "kVersion = \"${version}\";" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "`${version}` is not in:\n${text}")
  endif()
endfunction()

function(git folder)  # sets `printed`
  execute_process(COMMAND git -C ${folder} -c user.name=A -c user.email=a@example.org
      -c commit.gpgsign=false -c tag.gpgsign=false ${ARGN}
    COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE printed OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(printed "${printed}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${source}/file "first")
expect("1.2.3")

find_program(GIT git)
if(GIT)
  git(${WORK} init --quiet)  # of another project, around an unpacked archive
  git(${WORK} commit --quiet --allow-empty --message=other)
  expect("1.2.3")

  git(${source} init --quiet)
  expect("1.2.3")  # no commit yet
  git(${source} add file)
  git(${source} commit --quiet --message=first)
  git(${source} rev-parse --short=7 HEAD)
  set(first ${printed})
  expect("1.2.3 (${first})")
  file(TIMESTAMP ${output} written "%s")
  execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
  expect("1.2.3 (${first})")
  file(TIMESTAMP ${output} now "%s")
  if(NOT now EQUAL written)
    message(FATAL_ERROR "the file was written again with the same version, so that it would be compiled again")
  endif()

  file(WRITE ${source}/file "second")
  expect("1.2.3 (${first}-dirty)")
  git(${source} commit --quiet --all --message=second)
  git(${source} rev-parse --short=7 HEAD)
  set(second ${printed})
  git(${source} tag --annotate --message=tag v1.2.3)
  expect("1.2.3 (${second})")
endif()
file(REMOVE_RECURSE ${WORK})
