// linnet-verify: one error for each claim that is not proven.
#include "lib/Verify/Verify.h"
#include "lib/Verify/Obligations.h"

#include "llvm/Support/raw_ostream.h"

namespace linnet {
#define GEN_PASS_DEF_VERIFY
#include "lib/Verify/Verify.h.inc"
} // namespace linnet

using namespace mlir;

namespace {

struct Verify : linnet::impl::VerifyBase<Verify> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    for (const linnet::verify::Failure &failure :
         linnet::verify::verifyObligations(getOperation())) {
      signalPassFailure();
      InFlightDiagnostic error = emitError(failure.loc)
                                 << "[" << failure.code << "] cannot prove `"
                                 << linnet::dims::toString(failure.claim)
                                 << "`";
      if (!failure.witness.empty())
        error.attachNote() << "witness: "
                           << linnet::verify::show(failure.witness);
      if (!failure.settles.empty())
        error.attachNote() << "settles: "
                           << linnet::verify::show(failure.settles);
    }
  }
};

} // namespace
