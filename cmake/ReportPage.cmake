# The page of HTML reports: src/report/page/ (TypeScript) bundled into one file and compiled into daedal_report.
#
# npm installs what package-lock.json names into the build folder, once for each lock file, when CMake configures. Without npm
# or the network the page is empty and everything else is built; configuring again tries again.
option(DAEDAL_REPORT_PAGE "bundle the page of HTML reports (needs npm; the network once)" ON)

set(DAEDAL_REPORT_PAGE_SOURCE ${PROJECT_SOURCE_DIR}/src/report/page)
set(DAEDAL_REPORT_PAGE_WORK ${PROJECT_BINARY_DIR}/report_page CACHE INTERNAL "where the report page is bundled")
set(DAEDAL_REPORT_PAGE_FOUND FALSE CACHE INTERNAL "whether it can be")

# daedal_install_page_tools(problem): node_modules in the work folder; what went wrong, or "".
function(daedal_install_page_tools problem)
  set(${problem} "" PARENT_SCOPE)
  file(SHA256 ${DAEDAL_REPORT_PAGE_SOURCE}/package-lock.json lock)
  set(stamp ${DAEDAL_REPORT_PAGE_WORK}/node_modules/.daedal_lock)
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
    if(installed STREQUAL lock)
      return()
    endif()
  endif()
  file(COPY ${DAEDAL_REPORT_PAGE_SOURCE}/package.json ${DAEDAL_REPORT_PAGE_SOURCE}/package-lock.json
            ${DAEDAL_REPORT_PAGE_SOURCE}/.npmrc DESTINATION ${DAEDAL_REPORT_PAGE_WORK})
  message(STATUS "Report page: npm ci in ${DAEDAL_REPORT_PAGE_WORK}")
  execute_process(
    COMMAND ${DAEDAL_NPM} ci --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY ${DAEDAL_REPORT_PAGE_WORK}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT result EQUAL 0)
    set(${problem} "npm ci failed (${result}):\n${output}" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${stamp} ${lock})
endfunction()

if(DAEDAL_REPORT_PAGE)
  find_program(DAEDAL_NPM npm)
  find_program(DAEDAL_NODE NAMES node nodejs)
  if(NOT DAEDAL_NPM OR NOT DAEDAL_NODE)
    set(problem "npm was not found")
  else()
    daedal_install_page_tools(problem)
  endif()
  if(problem STREQUAL "")
    set(DAEDAL_REPORT_PAGE_FOUND TRUE CACHE INTERNAL "whether it can be")
  else()
    message(WARNING "The page of HTML reports is left out of this build, so --report will refuse: ${problem}\n"
                    "Install npm, connect to the network and configure again, or set DAEDAL_REPORT_PAGE=OFF to silence this.")
  endif()
endif()

set(report_page ${DAEDAL_REPORT_PAGE_WORK}/report_page.html)
if(DAEDAL_REPORT_PAGE_FOUND)
  file(GLOB_RECURSE report_page_sources CONFIGURE_DEPENDS
       ${DAEDAL_REPORT_PAGE_SOURCE}/src/*.ts ${DAEDAL_REPORT_PAGE_SOURCE}/src/*.css)
  set(report_page_project build.mjs index.html tsconfig.json package.json)
  list(TRANSFORM report_page_project PREPEND ${DAEDAL_REPORT_PAGE_SOURCE}/)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${DAEDAL_REPORT_PAGE_SOURCE}/package-lock.json)
  # Sources are copied beside node_modules, where esbuild and tsc look for packages.
  add_custom_command(
    OUTPUT ${report_page}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${DAEDAL_REPORT_PAGE_WORK}/src
    COMMAND ${CMAKE_COMMAND} -E copy ${report_page_project} ${DAEDAL_REPORT_PAGE_WORK}
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${DAEDAL_REPORT_PAGE_SOURCE}/src ${DAEDAL_REPORT_PAGE_WORK}/src
    COMMAND ${DAEDAL_NODE} ${DAEDAL_REPORT_PAGE_WORK}/build.mjs ${report_page}
    DEPENDS ${report_page_sources} ${report_page_project} ${DAEDAL_REPORT_PAGE_SOURCE}/package-lock.json
    COMMENT "Bundling the report page"
    VERBATIM)
  add_custom_target(report_page DEPENDS ${report_page})  # the page alone
else()
  file(WRITE ${report_page} "")
endif()

set(report_page_cpp ${CMAKE_CURRENT_BINARY_DIR}/embedded_report_page.cpp)
add_custom_command(
  OUTPUT ${report_page_cpp}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${report_page} -DOUTPUT=${report_page_cpp}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_report_page.cmake
  DEPENDS ${report_page} ${PROJECT_SOURCE_DIR}/cmake/embed_report_page.cmake
  VERBATIM)
target_sources(daedal_report PRIVATE ${report_page_cpp})
if(TARGET report_page)  # one of the two bundles, never both at once
  add_dependencies(daedal_report report_page)
endif()
