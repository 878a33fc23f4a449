//===- AttentionMatch.h - What an attention in a graph is -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of recognising attention, each on expressions: the softmax, the
/// terms of the scores, the roles of the indices. Every step that fails says
/// why.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_ATTENTIONMATCH_H
#define ATTN_LIB_RAISE_ATTENTIONMATCH_H

#include "ExpressionQueries.h"
#include "attn/Analysis/ElementExpression.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Raise/RaiseMask.h"

namespace mlir::attn {

/// The first thing that did not match; set by whatever fails.
using Reason = std::string;

/// The lowest finite number of a float type.
double getLowest(Type type);

/// Whether there is a constant of at least that size in `expr`.
bool hasNumberFrom(double large, Expr expr);

/// Where `expr`, a sum of terms of which none is +inf or NaN, is -inf.
Expr isMinusInfinity(ExpressionContext &context, Expr expr);

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

struct SoftmaxMatch {
  /// The scores of a row, over the key variable.
  Expr scores = nullptr;
  /// One more logit of the row, that has no value; null if there is none.
  Expr sink = nullptr;
  /// If the row is replaced by zeros where this boolean (over the key variable)
  /// holds for every key; else null.
  Expr zeroIfAll = nullptr;
  /// Rows whose scores are all -inf give zero, whatever the guard.
  bool emptyIsZero = false;
};

/// Whether `expr` has the sum of exponentials of a softmax in it, so that a
/// failed match is worth a remark.
bool looksLikeSoftmax(Expr expr);

/// Matches `exp(s - max s) / sum exp(s - max s)` over the variable `key`, where
/// maximum and sum may include a sink.
FailureOr<SoftmaxMatch> matchSoftmax(ElementExpression &elements, Expr expr,
                                     Expr key, Reason &reason);

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// Pairs that a fill value takes out of the softmax.
struct RemovedPairs {
  /// True where a pair is kept.
  Expr keep = nullptr;
  /// The value that removed scores get: -inf or far below all scores; and the
  /// type in which they do.
  double fill = 0.0;
  Type type;
  /// The fill was added to the score rather than put in its place.
  bool added = false;
  /// A removed score is the fill whatever it was before: it was replaced, or is
  /// lost in the rounding of the sum.
  bool uniform = false;
  /// Only a number says what the graph does, even in rows that keep a key.
  bool isNumber = false;
  /// The 16-bit type to which the sum is rounded, if any; and whether nothing
  /// but conversions comes after that.
  Type roundedTo;
  bool isLast = false;
};

/// `scores = softcap(scale * product) + biases`, less the removed pairs.
struct ScoreTerms {
  /// The element of the contraction of queries and keys.
  Expr product = nullptr;
  double scale = 1.0;
  std::optional<double> softcap;
  /// A constant is added to all scores, which changes nothing but the weight of
  /// a sink.
  bool addsConstant = false;
  /// The 16-bit type to which scores are rounded last, if a bias is so large
  /// that little of them is left.
  Type softmaxType;
  SmallVector<RemovedPairs> removed;
  /// Bias terms with factors.
  SmallVector<std::pair<Expr, double>> biases;
};

/// Takes scores apart from outside in, down to the contraction of a tensor that
/// does not depend on `key` with one that does. With `exactMasks` a number is a
/// mask only if logits of any size below 1e20 give the same.
FailureOr<ScoreTerms> matchScores(ElementExpression &elements, Expr scores,
                                  Expr key, bool exactMasks, Reason &reason);

/// Two analyses over one context. Both take counts (reductions of integers) as
/// data, unless they count nothing. To the second a tensor of floats that is
/// not the same expression everywhere is a leaf as well, so that the operands
/// of attention end at tensors that are put together of parts.
class AttentionAnalyses {
  bool isLeaf(Value value);
  ElementExpressionOptions getOptions(unsigned maxFloatPieces);
  /// Sees through everything.
  ElementExpression whole;

public:
  explicit AttentionAnalyses(ExpressionContext &context);
  AttentionAnalyses(const AttentionAnalyses &) = delete;
  AttentionAnalyses &operator=(const AttentionAnalyses &) = delete;

  ElementExpression elements, operands;
};

/// The operands of the contraction `product`, the query first, with the summed
/// variable replaced by `feature`, whose extent is that of the contraction.
struct ProductOperands {
  Value query, key;
  SmallVector<Expr> queryIndices, keyIndices;
  Expr feature = nullptr;
  Expr init = nullptr;
};
std::optional<ProductOperands> getProductOperands(ElementExpression &elements,
                                                  Expr product, Expr key);

/// What the scores of a row amount to: the mask, the biases and the policy for
/// rows that keep no key. A sink must not be so low that such a row tells.
struct RowPolicy {
  Expr keep = nullptr;
  SmallVector<Expr> biases;
  /// The last of the biases that are masks, as numbers that are added.
  size_t numMasksInBiases = 0;
  EmptyRow emptyRow = EmptyRow::Zero;
  /// The type to which the sum with masks in the biases is rounded, if not that
  /// of the accumulators.
  Type softmaxType;
};
FailureOr<RowPolicy> decideRowPolicy(ExpressionContext &context,
                                     const ScoreTerms &terms,
                                     const SoftmaxMatch &softmax,
                                     const PairVariables &pair, bool exactMasks,
                                     Reason &reason);

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// A contraction of probabilities and values that was recognised. All
/// expressions are over the variables of `pair`, `feature` and `valueFeature`.
struct AttentionMatch {
  Value result;
  PairVariables pair;
  Expr feature = nullptr, valueFeature = nullptr;
  /// The key as an index of the values: that of `pair`, unless the numbers of
  /// keys and of values are two unknowns.
  Expr valueKey = nullptr;
  /// The index of each dimension of `result`, as factors from the slowest: a
  /// dimension that is batch and head at once has two, one of size 1 none.
  SmallVector<SmallVector<Expr, 2>> resultFactors;
  /// Where the head is spread over two factors of the result: key/value head
  /// and head in the group; else null.
  Expr groupHead = nullptr, memberHead = nullptr;
  ScoreTerms terms;
  RowPolicy policy;
  /// The logit of the sink of a head; null if there is none.
  Expr sink = nullptr;
  Value probabilities, queryValue, keyValue, valueValue;
  /// Elements of the operands at (batch, head, query or key, feature).
  Expr query = nullptr, key = nullptr, value = nullptr;
};

/// Matches `result`, the result of a contraction. If it is no candidate at all,
/// fails with an empty reason.
FailureOr<AttentionMatch> matchAttention(AttentionAnalyses &analyses,
                                         Value result, bool exactMasks,
                                         Reason &reason);

/// A value on the way that leads to `start`, the one nearest to it, whose
/// element at `variables` is `element`; or one without the dimensions of size
/// one, to which they are added. Null if there is none.
Value findTensor(ElementExpression &elements, Value start, Expr element,
                 ArrayRef<Expr> variables, OpBuilder &builder, Location loc);

/// The operands of the op: tensors `[B, H, S, D]`.
struct AttentionOperands {
  Value query, key, value;
  double scale = 1.0;
};

/// Finds the operands among the values of the graph, or computes them. The
/// element type is that of the result, or f32 if the graph computes wider.
FailureOr<AttentionOperands> makeOperands(ElementExpression &elements,
                                          const AttentionMatch &match,
                                          OpBuilder &builder, Reason &reason);

/// The result of the op as a value of the type of `match.result`.
Value restoreResult(const AttentionMatch &match, Value attention,
                    OpBuilder &builder, Location loc);

} // namespace mlir::attn

#endif // ATTN_LIB_RAISE_ATTENTIONMATCH_H
