# daedal_add_room(name [libraries...]): the static library daedal_<name> from src/<name>/*.cpp, with the rooms above it.
#
# Rooms are declared in the order of the list in src/CMakeLists.txt; each links every room declared before it, and
# tools/check_rooms verifies that no file includes from a room below its own.
set(DAEDAL_ROOMS "" CACHE INTERNAL "rooms declared so far")

function(daedal_add_room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.cpp)
  add_library(daedal_${name} STATIC ${sources})
  target_include_directories(daedal_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(daedal_${name} PRIVATE daedal_compiling ${ARGN})
  daedal_precompile(daedal_${name} room)
  set(above ${DAEDAL_ROOMS})
  list(REVERSE above)
  foreach(room ${above})
    target_link_libraries(daedal_${name} PUBLIC daedal_${room})
  endforeach()
  set(DAEDAL_ROOMS ${DAEDAL_ROOMS} ${name} CACHE INTERNAL "rooms declared so far")
endfunction()
