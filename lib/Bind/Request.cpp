// Reading of the options of `linnet-bind`.
#include "lib/Bind/Request.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace linnet::bind;

/// The pieces of `text` between the commas that stand outside brackets,
/// trimmed; empty ones are left out.
static SmallVector<StringRef> splitList(StringRef text) {
  SmallVector<StringRef> pieces;
  int depth = 0;
  size_t start = 0;
  auto add = [&](size_t end) {
    StringRef piece = text.slice(start, end).trim();
    if (!piece.empty())
      pieces.push_back(piece);
    start = end + 1;
  };
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '[')
      ++depth;
    else if (c == ']')
      --depth;
    else if (c == ',' && depth == 0)
      add(at);
  }
  add(text.size());
  return pieces;
}

std::optional<StringRef> Request::find(StringRef name, StringRef entry) const {
  auto found = generics.find((entry + "." + name).str());
  if (entry.empty() || found == generics.end())
    found = generics.find(name);
  if (found == generics.end())
    return std::nullopt;
  return StringRef(found->second);
}

std::optional<Request>
linnet::bind::parseRequest(StringRef root, StringRef entries,
                           StringRef generics, StringRef optionals,
                           StringRef keep, std::string &error) {
  Request request;
  keep = keep.trim();
  if (keep == "calls" || keep == "ops") {
    request.keep = keep == "ops" ? Keep::Ops : Keep::Calls;
  } else if (!keep.empty()) {
    error = ("`keep` is `calls` or `ops`, not `" + keep + "`").str();
    return std::nullopt;
  }
  request.root = root.trim().str();
  for (StringRef entry : splitList(entries))
    request.entries.push_back(entry.str());

  for (StringRef piece : splitList(generics)) {
    auto [name, value] = piece.split('=');
    name = name.trim();
    value = value.trim();
    if (name.empty() || value.empty()) {
      error = ("`" + piece + "` is no generic; write NAME=VALUE").str();
      return std::nullopt;
    }
    auto [_, isNew] = request.generics.try_emplace(name, value.str());
    if (!isNew) {
      error = ("the generic `" + name + "` is given twice").str();
      return std::nullopt;
    }
    request.genericNames.push_back(name.str());
  }

  optionals = optionals.trim();
  if (optionals == "present") {
    request.presence.kind = Presence::Present;
  } else if (!optionals.empty() && optionals != "absent") {
    request.presence.kind = Presence::Listed;
    for (StringRef path : splitList(optionals))
      request.presence.paths.insert(path);
  }
  return request;
}

std::optional<SmallVector<int64_t>> linnet::bind::parseShape(StringRef text) {
  text = text.trim();
  SmallVector<int64_t> sizes;
  bool isBracketed = text.consume_front("[");
  if (isBracketed && !text.consume_back("]"))
    return std::nullopt;
  text = text.trim();
  if (text.empty())
    return isBracketed ? std::optional(sizes) : std::nullopt;
  for (StringRef piece : split(text, isBracketed ? ',' : 'x')) {
    int64_t size;
    if (piece.trim().getAsInteger(10, size) || size < 0)
      return std::nullopt;
    sizes.push_back(size);
  }
  return sizes;
}
