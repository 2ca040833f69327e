# Finds MLIR and makes its targets link statically.
#
# Gives: MLIR's and LLVM's CMake functions, the tablegen tools, Python and nanobind.
# Promises: no library or program built after this depends on a shared LLVM.

set(Python_FIND_VIRTUALENV FIRST)
set(Python3_FIND_VIRTUALENV FIRST)
if(DEFINED Python_EXECUTABLE AND NOT DEFINED Python3_EXECUTABLE)
  set(Python3_EXECUTABLE "${Python_EXECUTABLE}")
elseif(NOT DEFINED Python_EXECUTABLE AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/.venv/bin/python")
  set(Python_EXECUTABLE "${CMAKE_CURRENT_SOURCE_DIR}/.venv/bin/python")
  set(Python3_EXECUTABLE "${Python_EXECUTABLE}")
endif()
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
set(Python_EXECUTABLE "${Python3_EXECUTABLE}" CACHE FILEPATH "the Python to build for")
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)

# The wheels put MLIR at <site-packages>/mlir and LLVM at <site-packages>/llvm.
foreach(_part mlir llvm)
  string(TOUPPER ${_part} _upper)
  if(NOT ${_upper}_DIR)
    execute_process(
      COMMAND "${Python3_EXECUTABLE}" -c
        "import importlib.util as u; print(list(u.find_spec('${_part}').submodule_search_locations)[0], end='')"
      OUTPUT_VARIABLE _where RESULT_VARIABLE _status ERROR_QUIET)
    if(_status EQUAL 0 AND EXISTS "${_where}/lib/cmake/${_part}")
      set(${_upper}_DIR "${_where}/lib/cmake/${_part}" CACHE PATH "CMake files of ${_upper}")
    endif()
  endif()
endforeach()

find_package(MLIR 22.1 REQUIRED CONFIG)
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} from ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
# The imported targets name the shared library `LLVM`. Two LLVMs in one process would
# be worse than one, so everything takes the static archives instead; LLVMRemarks is
# the topmost that MLIR needs and brings LLVMSupport.
set(LLVM_LINK_LLVM_DYLIB OFF)
set(MLIR_LINK_MLIR_DYLIB OFF)
set(LLVM_BUILD_LLVM_DYLIB OFF)
foreach(_target IN LISTS MLIR_EXPORTED_TARGETS)
  if(NOT TARGET ${_target})
    continue()
  endif()
  foreach(_property INTERFACE_LINK_LIBRARIES MLIR_AGGREGATE_DEP_LIBS_IMPORTED)
    get_target_property(_libraries ${_target} ${_property})
    if(_libraries)
      list(TRANSFORM _libraries REPLACE "^LLVM$" "LLVMRemarks")
      set_target_properties(${_target} PROPERTIES ${_property} "${_libraries}")
    endif()
  endforeach()
endforeach()

# Nothing of LLVM's own layout is installed, only what the package needs.
set(LLVM_INSTALL_TOOLCHAIN_ONLY ON)
set(LLVM_RUNTIME_OUTPUT_INTDIR "${CMAKE_BINARY_DIR}/bin")
set(LLVM_LIBRARY_OUTPUT_INTDIR "${CMAKE_BINARY_DIR}/lib")
set(MLIR_BINARY_DIR "${CMAKE_BINARY_DIR}")

include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
include(AddMLIRPython)
include(MLIRDetectPythonEnv)
mlir_configure_python_dev_packages()

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories("${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
separate_arguments(_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${_definitions})
