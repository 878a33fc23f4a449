//===- Linalg.cpp - Ops of linalg -------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every structured op, generic or named, is its region over the iteration
/// space that its indexing maps span, so one loop executes them all.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

namespace {
/// An affine expression of the iteration indices as coefficients.
struct LinearForm {
  SmallVector<int64_t> coefficients;
  int64_t constant = 0;
};

/// How one operand is read at an iteration.
struct Access {
  AffineMap map;
  /// The place of the element as a linear form of the iteration indices, where
  /// the map has one.
  std::optional<LinearForm> place;
};

/// One execution of a structured op.
class StructuredLoop {
public:
  StructuredLoop(Evaluation &eval, linalg::LinalgOp op) : eval(eval), op(op) {}

  LogicalResult run();

private:
  const RuntimeValue &getOperand(unsigned number) const {
    return number < numInputs ? inputs[number] : outputs[number - numInputs];
  }
  LogicalResult computeRanges();
  LogicalResult prepareAccess(unsigned number);
  FailureOr<int64_t> getPlace(unsigned number);
  LogicalResult runIterations();

  Evaluation &eval;
  linalg::LinalgOp op;
  unsigned numInputs = 0;
  SmallVector<RuntimeValue> inputs;
  SmallVector<RuntimeValue> outputs;
  SmallVector<Access> accesses;
  SmallVector<int64_t> ranges;
  ArrayRef<int64_t> iteration;
};
} // namespace

/// Adds `number` to `sum`, or fails where that overflows.
static LogicalResult addChecked(int64_t &sum, int64_t number) {
  return failure(llvm::AddOverflow(sum, number, sum));
}

/// Adds `scale` times `expr` to `form`; fails on floordiv, ceildiv and mod, and
/// where a number overflows.
static LogicalResult addLinear(AffineExpr expr, int64_t scale,
                               LinearForm &form) {
  int64_t product;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    if (llvm::MulOverflow(scale, constant.getValue(), product))
      return failure();
    return addChecked(form.constant, product);
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return addChecked(form.coefficients[dim.getPosition()], scale);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return success(succeeded(addLinear(binary.getLHS(), scale, form)) &&
                   succeeded(addLinear(binary.getRHS(), scale, form)));
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && factor &&
      !llvm::MulOverflow(scale, factor.getValue(), product))
    return addLinear(binary.getLHS(), product, form);
  return failure();
}

/// The extent of each loop is the size of a dimension that it alone indexes;
/// the verifier of linalg asks for one.
LogicalResult StructuredLoop::computeRanges() {
  ranges.assign(op.getNumLoops(), ShapedType::kDynamic);
  for (auto [number, access] : llvm::enumerate(accesses)) {
    if (!getOperand(number).isTensor())
      continue;
    ArrayRef<int64_t> shape = getOperand(number).getTensor().getShape();
    for (auto [dim, expr] : llvm::enumerate(access.map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      int64_t &range = ranges[loop.getPosition()];
      if (ShapedType::isDynamic(range))
        range = shape[dim];
      if (range != shape[dim])
        return op->emitError()
               << "expects dimension " << dim << " of operand " << number
               << " (" << shape[dim] << ") to equal the extent of loop "
               << loop.getPosition() << " (" << range << ")";
    }
  }
  return success();
}

/// Checks the bounds of a linear access over all iterations, and folds it into
/// one linear form over the elements. An access whose numbers overflow is left
/// to be computed, and checked, at each iteration.
LogicalResult StructuredLoop::prepareAccess(unsigned number) {
  if (!getOperand(number).isTensor())
    return success();
  Access &access = accesses[number];
  ArrayRef<int64_t> shape = getOperand(number).getTensor().getShape();
  LinearForm place;
  place.coefficients.assign(ranges.size(), 0);
  for (auto [dim, expr] : llvm::enumerate(access.map.getResults())) {
    LinearForm form;
    form.coefficients.assign(ranges.size(), 0);
    if (failed(addLinear(expr, 1, form)))
      return success();
    int64_t lowest = form.constant;
    int64_t highest = form.constant;
    for (auto [coefficient, range] :
         llvm::zip_equal(form.coefficients, ranges)) {
      int64_t reach;
      if (llvm::MulOverflow(coefficient, range - 1, reach) ||
          failed(addChecked(reach < 0 ? lowest : highest, reach)))
        return success();
      // A loop of one iteration moves nothing, whatever its coefficient is.
      if (range == 1)
        coefficient = 0;
    }
    if (lowest < 0 || highest >= shape[dim])
      return op->emitError()
             << "accesses dimension " << dim << " of operand " << number
             << " at index " << (lowest < 0 ? lowest : highest)
             << ", out of bounds of its size " << shape[dim];
    place.constant = place.constant * shape[dim] + form.constant;
    for (auto [sum, coefficient] :
         llvm::zip_equal(place.coefficients, form.coefficients))
      sum = sum * shape[dim] + coefficient;
  }
  access.place = place;
  return success();
}

FailureOr<int64_t> StructuredLoop::getPlace(unsigned number) {
  const Access &access = accesses[number];
  if (access.place) {
    int64_t place = access.place->constant;
    for (size_t loop = 0; loop < iteration.size(); ++loop)
      place += access.place->coefficients[loop] * iteration[loop];
    return place;
  }
  const Tensor &tensor = getOperand(number).getTensor();
  SmallVector<int64_t> indices;
  for (AffineExpr expr : access.map.getResults()) {
    FailureOr<int64_t> index = evaluateAffine(op, expr, iteration, {});
    if (failed(index))
      return failure();
    indices.push_back(*index);
  }
  if (!tensor.isInBounds(indices))
    return op->emitError() << "accesses operand " << number << " at "
                           << formatShape(indices)
                           << ", out of bounds of its shape "
                           << formatShape(tensor.getShape());
  return tensor.getLinearIndex(indices);
}

LogicalResult StructuredLoop::runIterations() {
  BlockRun body = eval.getBlock(*op.getBlock());
  unsigned numOperands = accesses.size();
  unsigned numArguments = op.getBlock()->getNumArguments();
  SmallVector<int64_t> places(numOperands, 0);
  auto iterate = [&](ArrayRef<int64_t> indices) -> LogicalResult {
    iteration = eval.getFrame().iterations.back() = indices;
    for (unsigned number = 0; number < numOperands; ++number) {
      const RuntimeValue &operand = getOperand(number);
      if (operand.isTensor()) {
        FailureOr<int64_t> place = getPlace(number);
        if (failed(place))
          return failure();
        places[number] = *place;
      }
      if (number >= numArguments)
        continue;
      if (operand.isTensor())
        body.setArgument(number,
                         operand.getTensor().getElement(places[number]));
      else
        body.setArgument(number, operand);
    }
    if (failed(body.run()))
      return failure();
    for (auto [number, output] : llvm::enumerate(outputs))
      output.getTensor().setElement(places[numInputs + number],
                                    body.getYield(number).getScalar());
    return success();
  };
  return forEachIndex(ranges, iterate);
}

LogicalResult StructuredLoop::run() {
  numInputs = op.getNumDpsInputs();
  for (unsigned i = 0; i < numInputs; ++i)
    inputs.push_back(eval.getOperand(i));
  for (unsigned i = numInputs, e = eval.getNumOperands(); i < e; ++i)
    outputs.push_back(eval.takeOperand(i));
  for (AffineMap map : op.getIndexingMapsArray())
    accesses.push_back({map, std::nullopt});
  if (failed(computeRanges()))
    return failure();

  if (!llvm::is_contained(ranges, 0)) {
    for (unsigned i = 0, e = accesses.size(); i < e; ++i)
      if (failed(prepareAccess(i)))
        return failure();
    Frame &frame = eval.getFrame();
    frame.iterations.emplace_back();
    LogicalResult status = runIterations();
    frame.iterations.pop_back();
    if (failed(status))
      return failure();
  }
  for (auto [number, output] : llvm::enumerate(outputs))
    eval.setResult(number, std::move(output));
  return success();
}

LogicalResult reference::evaluateStructuredOp(Evaluation &eval) {
  auto op = cast<linalg::LinalgOp>(eval.getOperation());
  return StructuredLoop(eval, op).run();
}

static LogicalResult evaluateIndex(Evaluation &eval) {
  int64_t dim = eval.getOp<linalg::IndexOp>().getDim();
  eval.setResult(0, Scalar(eval.getFrame().iterations.back()[dim]));
  return success();
}

static LogicalResult evaluateSoftmax(Evaluation &eval) {
  auto op = eval.getOp<linalg::SoftmaxOp>();
  const Tensor &input = eval.getTensor(0);
  if (input.getShape() != eval.getTensor(1).getShape())
    return op->emitError() << "expects an output of shape "
                           << formatShape(input.getShape()) << ", got "
                           << formatShape(eval.getTensor(1).getShape());
  // Elements of a row are `stride` apart; a row starts at every place whose
  // index along the dimension is zero.
  int64_t dim = op.getDimension();
  int64_t size = input.getDimSize(dim);
  int64_t stride = 1;
  for (int64_t inner : input.getShape().drop_front(dim + 1))
    stride *= inner;
  Tensor result = Tensor::zeros(input.getElementType(), input.getShape());
  ArrayRef<double> in = input.getFloats();
  MutableArrayRef<double> out = result.getMutableFloats();
  for (int64_t start = 0, e = in.size(); start < e; ++start) {
    if (start / stride % size != 0)
      continue;
    double maximum = -std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < size; ++i)
      maximum = std::fmax(maximum, in[start + i * stride]);
    double sum = 0;
    for (int64_t i = 0; i < size; ++i)
      sum += std::exp(in[start + i * stride] - maximum);
    for (int64_t i = 0; i < size; ++i)
      out[start + i * stride] =
          std::exp(in[start + i * stride] - maximum) / sum;
  }
  eval.setResult(0, result);
  return success();
}

void reference::registerLinalgHandlers(HandlerRegistry &registry) {
  registry.addHandler<linalg::IndexOp>(evaluateIndex);
  registry.addHandler<linalg::SoftmaxOp>(evaluateSoftmax);
}
