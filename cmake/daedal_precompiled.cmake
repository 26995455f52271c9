# daedal_precompile(target room|test): parses once, for all targets of a kind, what nearly every file of theirs includes.
#
# It shortens every build and hides a forgotten #include: `make lint` reads every file without it, and so does a build
# with DAEDAL_PRECOMPILE=OFF.
option(DAEDAL_PRECOMPILE "parse the headers that most files include once" ON)
if(DAEDAL_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # From a precompiled <string> GCC 12 warns, as if it were ours, of endless copies that are not there (GCC bug 105651).
  target_compile_options(daedal_compiling INTERFACE -Wno-stringop-overflow -Wno-array-bounds)
endif()

set(DAEDAL_ROOM_HEADERS <algorithm> <array> <cmath> <functional> <limits> <map> <memory> <optional> <span> <string>
                        <unordered_map> <vector> <fmt/format.h> <Eigen/Dense> <Eigen/Sparse>)
set(DAEDAL_TEST_HEADERS ${DAEDAL_ROOM_HEADERS} <random> <gmock/gmock.h> <gtest/gtest.h>)

# The target whose parsed headers the others use. A test is a program, which is compiled in another way than a library.
function(daedal_add_precompiled kind)
  set(source ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  if(kind STREQUAL "test")
    add_executable(daedal_precompiled_${kind} ${source})
    target_link_libraries(daedal_precompiled_${kind} PRIVATE daedal_test_settings GTest::gtest GTest::gmock)
  else()
    add_library(daedal_precompiled_${kind} OBJECT ${source})
    target_link_libraries(daedal_precompiled_${kind} PRIVATE daedal_compiling)
  endif()
  target_link_libraries(daedal_precompiled_${kind} PRIVATE fmt::fmt Eigen3::Eigen)
  string(TOUPPER ${kind} KIND)
  target_precompile_headers(daedal_precompiled_${kind} PRIVATE ${DAEDAL_${KIND}_HEADERS})
endfunction()

function(daedal_precompile target kind)
  if(NOT DAEDAL_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET daedal_precompiled_${kind})
    daedal_add_precompiled(${kind})
  endif()
  target_precompile_headers(${target} REUSE_FROM daedal_precompiled_${kind})
endfunction()
