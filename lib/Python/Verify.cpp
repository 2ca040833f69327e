// `verify_obligations`: refutation records for Python.
#include "lib/Python/Verify.h"
#include "lib/Verify/Obligations.h"

#include "dialect/LinnetDialect.h"

#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"

namespace nb = nanobind;
using namespace linnet;

namespace {

/// File, start line and column, end line and column, all counted from 1.
using Place = std::tuple<std::string, unsigned, unsigned, unsigned, unsigned>;

/// Sizes by name.
using Witness = nb::typed<nb::dict, nb::str, nb::int_>;

/// A claim that was not proven, in terms of Python.
struct Record {
  std::string code;
  std::optional<int64_t> claimId;
  unsigned index;
  std::string claim;
  std::string status;
  std::optional<Witness> witness;
  std::optional<std::string> settles;
  std::vector<std::string> alternatives;
  bool isCutShort = false;
  std::optional<Place> location;
};

std::optional<Place> placeOf(mlir::Location location) {
  std::optional<Place> place;
  location->walk([&](mlir::Location inner) {
    auto range = mlir::dyn_cast<mlir::FileLineColRange>(inner);
    if (!range)
      return mlir::WalkResult::advance();
    place = {range.getFilename().str(), range.getStartLine(),
             range.getStartColumn(), range.getEndLine(), range.getEndColumn()};
    return mlir::WalkResult::interrupt();
  });
  return place;
}

/// A Python int of any size.
nb::object toPython(const dims::Integer &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return nb::steal(PyLong_FromString(text.c_str(), nullptr, 10));
}

Record toRecord(const verify::Failure &failure) {
  Record record;
  record.code = failure.code;
  if (auto id = failure.op->getAttrOfType<mlir::IntegerAttr>("linnet.claim"))
    record.claimId = id.getInt();
  record.index = failure.index;
  record.claim = dims::toString(failure.claim);
  record.status =
      failure.status == dims::Status::Refuted ? "refuted" : "unknown";
  if (!failure.witness.empty()) {
    nb::dict witness;
    for (const auto &[name, value] : failure.witness)
      witness[name.c_str()] = toPython(value);
    record.witness = Witness(witness);
  }
  if (!failure.settles.empty())
    record.settles = verify::show(failure.settles);
  for (const auto &lines : failure.alternatives)
    record.alternatives.push_back(verify::show(lines));
  record.isCutShort = failure.isCutShort;
  record.location = placeOf(failure.loc);
  return record;
}

} // namespace

void linnet::python::populateVerify(nb::module_ &module) {
  nb::class_<Record>(module, "Failure", "A claim that was not proven.")
      .def_ro("code", &Record::code, "the diagnostic's code, such as `E2203`")
      .def_ro("claim_id", &Record::claimId,
              "`linnet.claim` of the op, if it has one")
      .def_ro("index", &Record::index, "the claim's place among its op's")
      .def_ro("claim", &Record::claim, "the claim as text")
      .def_ro("status", &Record::status, "`refuted` or `unknown`")
      .def_ro("witness", &Record::witness,
              "sizes by name for which the claim is false, or None")
      .def_ro("settles", &Record::settles,
              "constraints that would settle the claim together, or None")
      .def_ro("alternatives", &Record::alternatives,
              "others that would do as well, each like `settles`, the most "
              "telling first")
      .def_ro(
          "is_cut_short", &Record::isCutShort,
          "whether an unknown claim, or what the facts say, is too large to "
          "decide")
      .def_ro("location", &Record::location,
              "file, start line, start column, end line, end column, or None")
      .def("__repr__", [](const Record &record) {
        return "Failure(" + record.code + ": " + record.claim + ")";
      });
  module.def(
      "verify_obligations",
      [](MlirModule module) {
        std::vector<Record> records;
        for (const verify::Failure &failure :
             verify::verifyObligations(unwrap(module)))
          records.push_back(toRecord(failure));
        return records;
      },
      nb::arg("module"),
      "Proves every claim of `module`; gives those that were not, in source "
      "order.");
}
