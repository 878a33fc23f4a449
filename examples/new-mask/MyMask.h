#ifndef MYMASK_H
#define MYMASK_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Reference/Interpreter.h"

#include "MyMaskDialect.h.inc"
#define GET_OP_CLASSES
#include "MyMaskOps.h.inc"

namespace mymask {

/// Registers the dialect, with all that it needs to be compiled.
void registerMyMask(mlir::DialectRegistry &registry);

/// The patterns of mymask-simplify.
void populateSimplifyPatterns(mlir::RewritePatternSet &patterns);

/// Registers mymask-simplify.
void registerPasses();

/// What `mymask.dilated` means, for the reference interpreter.
mlir::FailureOr<mlir::attn::reference::PairFunction>
evaluateDilated(mlir::Operation *op,
                mlir::ArrayRef<mlir::attn::reference::RuntimeValue> operands);

} // namespace mymask

#endif // MYMASK_H
