# Compiler settings for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)  # which keeps what was compiled with precompiled headers only if it may
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

# Warnings are errors. No fast-math anywhere: results must not depend on what the compiler reassociates. Contraction of
# a*b+c into one rounding is the programmer's choice (std::fma), never the compiler's.
add_library(daedal_compiling INTERFACE)
target_compile_options(daedal_compiling INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -Werror -ffp-contract=off -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies in "text" + std::string where there are none (GCC bug 105651).
  target_compile_options(daedal_compiling INTERFACE -Wno-restrict)
endif()

set(DAEDAL_SANITIZE "" CACHE STRING "sanitizers, e.g. address,undefined")
string(REPLACE "," ";" sanitizers "${DAEDAL_SANITIZE}")
if(DAEDAL_SANITIZE)
  add_compile_options(-fsanitize=${DAEDAL_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DAEDAL_SANITIZE})
endif()

# Tests say each thing once, and the compiler reads them more often than they run: what they call is optimized, they are not, which
# halves the time of their compilation. Results do not depend on it: the floating-point operations are the same ones.
add_library(daedal_test_settings INTERFACE)
target_link_libraries(daedal_test_settings INTERFACE daedal_compiling)
if(DAEDAL_SANITIZE)
  target_compile_options(daedal_test_settings INTERFACE -O0)
else()
  target_compile_options(daedal_test_settings INTERFACE $<$<CONFIG:Release>:-Og>)
endif()
