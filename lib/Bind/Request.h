// What the caller of `linnet-bind` asks for: entries, generics, what is
// present.
#ifndef LINNET_LIB_BIND_REQUEST_H
#define LINNET_LIB_BIND_REQUEST_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <string>

namespace linnet::bind {

/// Which optional members and inputs have a value [WGT-5].
struct Presence {
  enum Kind { Absent, Present, Listed } kind = Absent;
  /// The present paths, where they are listed.
  llvm::StringSet<> paths;

  /// Whether `path` itself is said to be present.
  bool has(llvm::StringRef path) const {
    return kind == Present || (kind == Listed && paths.contains(path));
  }
};

/// Which calls stay together as scopes.
enum class Keep : uint8_t { None, Ops, Calls };

struct Request {
  std::string root;
  llvm::SmallVector<std::string> entries;
  /// The values by name, `H` or `forward.S`.
  llvm::StringMap<std::string> generics;
  /// The names in the order given.
  llvm::SmallVector<std::string> genericNames;
  Presence presence;
  Keep keep = Keep::None;

  /// The text given for a generic: the one for this entry alone, else the one
  /// for all.
  std::optional<llvm::StringRef> find(llvm::StringRef name,
                                      llvm::StringRef entry) const;
};

/// Reads the options of the pass. On failure gives nothing and says why, as the
/// text of a `[usage]` error, in `error`.
std::optional<Request> parseRequest(llvm::StringRef root,
                                    llvm::StringRef entries,
                                    llvm::StringRef generics,
                                    llvm::StringRef optionals,
                                    llvm::StringRef keep, std::string &error);

/// The numbers of `[2, 3]`, `2x3` or `[]`.
std::optional<llvm::SmallVector<int64_t>> parseShape(llvm::StringRef text);

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_REQUEST_H
