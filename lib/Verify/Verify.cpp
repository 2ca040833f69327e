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
    linnet::verify::Effort effort;
    for (const linnet::verify::Failure &failure :
         linnet::verify::verifyObligations(getOperation(), &effort)) {
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
      if (failure.isCutShort)
        error.attachNote() << "too large to decide: a fact that says the same "
                              "settles it";
    }
    claims = effort.claims;
    proofs = effort.proofs;
  }
};

} // namespace
