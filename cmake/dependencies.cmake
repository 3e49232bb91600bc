# Everything heed stands on. The bootstrap script (cmake/bootstrap.sh) installs what is missing; configuring downloads nothing.
if(HEED_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(OPENSSL_USE_STATIC_LIBS ON)
endif()
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n data)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
if(HEED_STATIC)
  find_library(HEED_FMT_LIBRARY fmt REQUIRED)
  add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
  target_link_libraries(fmt::fmt INTERFACE ${HEED_FMT_LIBRARY})
  add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED GLOBAL)  # its headers are enough
  # Libraries of images and audio, which heed-torch reads: only their headers.
  foreach(_library IN ITEMS PNG::PNG SampleRate::samplerate SndFile::sndfile)
    add_library(${_library} INTERFACE IMPORTED GLOBAL)
  endforeach()
  set_property(TARGET ICU::i18n APPEND PROPERTY INTERFACE_LINK_LIBRARIES ICU::uc)
  set_property(TARGET ICU::uc APPEND PROPERTY INTERFACE_LINK_LIBRARIES ICU::data)
else()
  find_package(fmt REQUIRED)
  find_package(tomlplusplus REQUIRED)
  find_package(PNG REQUIRED)
endif()
find_package(pugixml REQUIRED)

if(NOT TARGET sentencepiece)
  find_path(SENTENCEPIECE_INCLUDE_DIR sentencepiece_processor.h REQUIRED)
  find_library(SENTENCEPIECE_LIBRARY sentencepiece REQUIRED)
  find_library(SENTENCEPIECE_TRAIN_LIBRARY sentencepiece_train REQUIRED)
  add_library(sentencepiece INTERFACE IMPORTED GLOBAL)
  set_target_properties(sentencepiece PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SENTENCEPIECE_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${SENTENCEPIECE_TRAIN_LIBRARY};${SENTENCEPIECE_LIBRARY}")
endif()

# Some have CMake files of their own where they were built by CMake, which Debian's were not.
foreach(_library IN ITEMS Gumbo::gumbo MD4C::md4c MicroHttpd::microhttpd MiniZip::minizip SampleRate::samplerate
    SndFile::sndfile)
  if(NOT TARGET ${_library})
    string(REGEX REPLACE ".*::" "" _name ${_library})
    string(TOUPPER ${_name} _variable)
    find_path(${_variable}_INCLUDE_DIR NAMES ${_name}.h ${_name}/unzip.h REQUIRED)
    find_library(${_variable}_LIBRARY ${_name} REQUIRED)
    add_library(${_library} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${_library} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${${_variable}_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${${_variable}_LIBRARY}")
  endif()
endforeach()

# Without it `heed serve` detects no languages.
find_path(CLD2_INCLUDE_DIR cld2/public/compact_lang_det.h)
find_library(CLD2_LIBRARY cld2)
if(CLD2_INCLUDE_DIR AND CLD2_LIBRARY AND NOT TARGET Cld2::cld2)
  add_library(Cld2::cld2 INTERFACE IMPORTED GLOBAL)
  set_target_properties(Cld2::cld2 PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${CLD2_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${CLD2_LIBRARY}")
endif()

if(NOT DEFINED HEED_WITH_TORCH OR HEED_WITH_TORCH)  # an installed heed has it
  include(${CMAKE_CURRENT_LIST_DIR}/torch.cmake)
endif()
