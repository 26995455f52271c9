# KLU of SuiteSparse, and CHOLMOD for orders of elimination (Debian: libsuitesparse-dev), as the target KLU::KLU.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
find_library(CHOLMOD_LIBRARY cholmod)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU DEFAULT_MSG KLU_LIBRARY CHOLMOD_LIBRARY KLU_INCLUDE_DIR)
if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU UNKNOWN IMPORTED)
  set_target_properties(KLU::KLU PROPERTIES IMPORTED_LOCATION "${KLU_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}"
                        INTERFACE_LINK_LIBRARIES "${CHOLMOD_LIBRARY}")
endif()
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY CHOLMOD_LIBRARY)
