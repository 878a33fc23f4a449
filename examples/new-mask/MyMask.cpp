#include "MyMask.h"
#include "attn/Dialect/Attn/Transforms/BufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mymask;

#include "MyMaskDialect.cpp.inc"
#define GET_OP_CLASSES
#include "MyMaskOps.cpp.inc"

void MyMaskDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "MyMaskOps.cpp.inc"
      >();
}

void mymask::registerMyMask(DialectRegistry &registry) {
  registry.insert<MyMaskDialect>();
  registry.addExtension(+[](MLIRContext *, MyMaskDialect *dialect) {
    attachSymbolicBufferizationModels(dialect);
  });
}

/// The predicate, of one pair or of a vector of pairs.
Value DilatedOp::emitKeep(PairBuilder &builder, const PairIndices &pair) {
  Value rate = builder.toIndex(builder.load(getRates(), {pair.head}));
  rate = builder.max(rate, builder.index(1));
  Value distance = builder.sub(pair.query, pair.key);
  Value whole = builder.mul(builder.floorDiv(distance, rate), rate);
  return builder.logicalAnd(
      builder.compare(arith::CmpIPredicate::sge, distance, builder.index(0)),
      builder.compare(arith::CmpIPredicate::eq, distance, whole));
}

/// No key behind the last query is kept, and no range is kept as a whole.
KeyIntervals DilatedOp::emitKeyIntervals(PairBuilder &builder,
                                         const QueryRange &range) {
  Value zero = builder.index(0);
  return {/*mayBegin=*/zero, /*mayEnd=*/range.queryEnd, /*sureBegin=*/zero,
          /*sureEnd=*/zero};
}

/// The only dimension of `rates` is that of the heads.
ArrayRef<unsigned> DilatedOp::getIndexedDims(OpOperand &) {
  static constexpr unsigned dims[] = {1};
  return dims;
}

FailureOr<reference::PairFunction>
mymask::evaluateDilated(Operation *op,
                        ArrayRef<reference::RuntimeValue> operands) {
  auto type = cast<ShapedType>(op->getOperand(0).getType());
  bool isForAll = type.getDimSize(0) == 1;
  reference::Tensor rates = operands[0].getTensor();
  return reference::PairFunction([=](const reference::PairIndex &pair)
                                     -> FailureOr<reference::Scalar> {
    int64_t head = isForAll ? 0 : pair.head;
    if (!rates.isInBounds({head}))
      return op->emitError("has no rate for head ") << head;
    int64_t rate = std::max<int64_t>(rates.getElement(head).getInteger(), 1);
    int64_t distance = pair.query - pair.key;
    return reference::Scalar::fromBool(distance >= 0 && distance % rate == 0);
  });
}
