# Two functions that declare everything under dialect/ and lib/.

# linnet_add_library(NAME [DEPENDS target...] [LINK_LIBS library...])
#
# A library of all .cpp files of the current folder (with ops/ below it). It is linked
# into `linnet-opt` and, whole, into the native part of the Python package.
function(linnet_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  file(GLOB _sources CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/ops/*.cpp")
  list(APPEND _sources ${ARG_UNPARSED_ARGUMENTS})
  if(NOT _sources) # a library of headers alone
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ARG_LINK_LIBS})
    return()
  endif()
  add_mlir_library(${name} ${_sources}
    DISABLE_INSTALL EXCLUDE_FROM_LIBMLIR ENABLE_AGGREGATION PARTIAL_SOURCES_INTENDED
    DEPENDS ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY LINNET_LIBRARIES ${name})
endfunction()

# linnet_add_pass(NAME [LINK_LIBS library...])
#
# The pass of the current folder: NAME.td, NAME.h and all .cpp files. Generates
# NAME.h.inc beside the object files and registers the pass with every tool.
function(linnet_add_pass name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS "${name}.td")
  mlir_tablegen(${name}.h.inc -gen-pass-decls -name ${name})
  add_public_tablegen_target(Linnet${name}IncGen)
  linnet_add_library(Linnet${name}
    DEPENDS Linnet${name}IncGen LinnetDialectIncGen
    LINK_LIBS LinnetDialect MLIRPass ${ARG_LINK_LIBS})

  file(RELATIVE_PATH _folder "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  set_property(GLOBAL APPEND PROPERTY LINNET_PASSES ${name})
  set_property(GLOBAL APPEND PROPERTY LINNET_PASS_HEADERS "${_folder}/${name}.h")
endfunction()
