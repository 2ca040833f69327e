//===- LinnetInterfaces.td - interfaces of the ops --------------*- tablegen -*-===//
#ifndef LINNET_INTERFACES_TD
#define LINNET_INTERFACES_TD

include "mlir/IR/OpBase.td"

def DimObligationOpInterface : OpInterface<"DimObligationOpInterface"> {
  let description = [{
    An op whose shapes carry claims (language 5.3). A claim that is true or false
    whatever its names stand for is left in the list; the op's verifier refuses
    only what is false with constants alone. `linnet-verify` proves the rest.
  }];
  let cppNamespace = "::linnet";
  let methods = [
    InterfaceMethod<
      "Lists the claims in a fixed order; the index of a claim names it.",
      "::llvm::SmallVector<::linnet::Claim>", "getClaims">
  ];
}

#endif // LINNET_INTERFACES_TD
