#include "MyMask.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mymask;

namespace {
/// With rates of 1 every key up to the query is kept.
struct DropUnitRates : OpRewritePattern<DilatedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DilatedOp op,
                                PatternRewriter &rewriter) const override {
    DenseIntElementsAttr rates;
    if (!matchPattern(op.getRates(), m_Constant(&rates)))
      return rewriter.notifyMatchFailure(op, "the rates are not constant");
    if (!llvm::all_of(rates, [](const APInt &rate) { return rate.isOne(); }))
      return rewriter.notifyMatchFailure(op, "a rate is not 1");
    rewriter.replaceOpWithNewOp<MaskCausalOp>(op, /*offset=*/Value());
    return success();
  }
};

struct SimplifyPass : PassWrapper<SimplifyPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SimplifyPass)

  StringRef getArgument() const override { return "mymask-simplify"; }
  StringRef getDescription() const override {
    return "Replace masks by simpler ones";
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSimplifyPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void mymask::populateSimplifyPatterns(RewritePatternSet &patterns) {
  patterns.add<DropUnitRates>(patterns.getContext());
}

void mymask::registerPasses() { PassRegistration<SimplifyPass>(); }
