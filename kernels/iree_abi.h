// The part of IREE's executable ABI that the entries need, declared here so
// that nothing of IREE is needed to build them.
//
// Field order and widths: IREE's public header
// `runtime/src/iree/hal/local/executable_library.h`, library version 0.2, as
// IREE 3.13 has it. The compiler links the objects of a dispatch into a library
// of that version, and the runtime refuses other versions.
#ifndef LINNET_KERNELS_IREE_ABI_H
#define LINNET_KERNELS_IREE_ABI_H

#include <stddef.h>
#include <stdint.h>

// Constants and CPU information; the entries read neither.
typedef struct linnet_iree_environment_t linnet_iree_environment_t;

// The same for all workgroups of a dispatch.
typedef struct {
  uint32_t workgroup_size_x;
  uint32_t workgroup_size_y;
  uint16_t workgroup_size_z;
  uint16_t push_constant_count;
  uint32_t workgroup_count_x;
  uint32_t workgroup_count_y;
  uint16_t workgroup_count_z;
  uint8_t max_concurrency;
  uint8_t binding_count;
  const uint32_t *push_constants;
  void *const *bindings;
  const size_t *binding_lengths;
} linnet_iree_dispatch_t;

// One for each workgroup.
typedef struct {
  uint32_t workgroup_id_x;
  uint32_t workgroup_id_y;
  uint16_t workgroup_id_z;
  uint16_t reserved;
  uint32_t processor_id;
  void *local_memory;
  uint32_t local_memory_size;
} linnet_iree_workgroup_t;

_Static_assert(offsetof(linnet_iree_dispatch_t, push_constants) == 24,
               "IREE's layout");
_Static_assert(offsetof(linnet_iree_workgroup_t, local_memory) == 16,
               "IREE's layout");

#endif // LINNET_KERNELS_IREE_ABI_H
