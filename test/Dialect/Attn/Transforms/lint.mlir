// RUN: attn-opt %s --attn-lint -verify-diagnostics -o /dev/null
// RUN: attn-opt %s -o %t.before
// RUN: attn-opt %s --attn-lint -o %t.after 2>/dev/null
// RUN: cmp %t.before %t.after

// Each finding with its reason and the other ops, beside graphs that are clean.
// Nothing is changed.

!x = tensor<1x2x4x8xf32>
!t = tensor<1x4x4xf32>
!narrow = tensor<1x4x2xf32>
!one = tensor<1x4x1xf32>

//===----------------------------------------------------------------------===//
// Rotations of query and key
//===----------------------------------------------------------------------===//

func.func @layouts(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the query is rotated here}}
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary interleaved %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different layouts: split_half and interleaved}}
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

func.func @same(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  %k = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

// What counts is the layout that is written.
func.func @written_alike(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  %q = attn.rotary split_half to interleaved %x, %c, %s : !x, !t, !t outs(%o : !x)
  %k = attn.rotary interleaved %x, %c, %s : !x, !t, !t outs(%o : !x)
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

func.func @written_otherwise(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the query is rotated here}}
  %q = attn.rotary split_half to interleaved %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different layouts: interleaved and split_half}}
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

func.func @directions(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the query is rotated here}}
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary split_half inverse %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different directions: only the key by the inverse}}
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

func.func @query_direction(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the query is rotated here}}
  %q = attn.rotary interleaved inverse %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary interleaved %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different directions: only the query by the inverse}}
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

func.func @ranges(%x: !x, %c: !t, %s: !t, %o: !x, %c2: !narrow, %s2: !narrow) -> !x {
  // expected-note @below {{the query is rotated here}}
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary split_half from 2 %x, %c2, %s2 : !x, !narrow, !narrow outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different ranges: [0, 8) and [2, 6)}}
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

func.func @sizes(%x: !x, %c: !t, %s: !t, %o: !x, %c2: !narrow, %s2: !narrow) -> !x {
  // expected-note @below {{the query is rotated here}}
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary split_half %x, %c2, %s2 : !x, !narrow, !narrow outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different ranges: [0, 8) and [0, 4)}}
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

// Two elements are one pair in either layout.
func.func @one_pair(%x: !x, %c: !one, %s: !one, %o: !x) -> !x {
  %q = attn.rotary split_half %x, %c, %s : !x, !one, !one outs(%o : !x)
  %k = attn.rotary interleaved %x, %c, %s : !x, !one, !one outs(%o : !x)
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

// Sizes that are not known may be the same.
func.func @unknown_size(%x: !x, %c: !t, %s: !t, %o: !x, %c2: tensor<1x4x?xf32>, %s2: tensor<1x4x?xf32>) -> !x {
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  %k = attn.rotary split_half %x, %c2, %s2 : !x, tensor<1x4x?xf32>, tensor<1x4x?xf32> outs(%o : !x)
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

func.func @unknown_size_elsewhere(%x: !x, %c: !t, %s: !t, %o: !x, %c2: tensor<1x4x?xf32>, %s2: tensor<1x4x?xf32>) -> !x {
  // expected-note @below {{the query is rotated here}}
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary split_half from 2 %x, %c2, %s2 : !x, tensor<1x4x?xf32>, tensor<1x4x?xf32> outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different ranges: [0, 8) and from 2}}
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

// Two ranges, in another order.
func.func @two_ranges(%x: !x, %o: !x, %c2: !narrow, %s2: !narrow) -> !x {
  %q1 = attn.rotary split_half %x, %c2, %s2 : !x, !narrow, !narrow outs(%o : !x)
  %q = attn.rotary split_half from 4 %q1, %c2, %s2 : !x, !narrow, !narrow outs(%o : !x)
  %k1 = attn.rotary split_half from 4 %x, %c2, %s2 : !x, !narrow, !narrow outs(%o : !x)
  %k = attn.rotary split_half %k1, %c2, %s2 : !x, !narrow, !narrow outs(%o : !x)
  %r = attn.attention query(%q : !x) key(%k : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

// Of one that is not rotated here nothing is known.
func.func @key_as_it_came(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  %q = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  %r = attn.attention query(%q : !x) key(%x : !x) value(%x : !x) outs(%o : !x)
  return %r : !x
}

// Folded rotations have no other op.
func.func @folded_layouts(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-warning @below {{query and key are rotated in different layouts: split_half and interleaved}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%x : !x)
    rotate_query(%c, %s : !t, !t) rotate_key(%c, %s : !t, !t) outs(%o : !x)
    {query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<interleaved>}
  return %r : !x
}

func.func @folded_directions(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-warning @below {{query and key are rotated in different directions: only the key by the inverse}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%x : !x)
    rotate_query(%c, %s : !t, !t) rotate_key(%c, %s : !t, !t) outs(%o : !x)
    {query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<split_half, inverse = true>}
  return %r : !x
}

func.func @folded_same(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  %r = attn.attention query(%x : !x) key(%x : !x) value(%x : !x)
    rotate_query(%c, %s : !t, !t) rotate_key(%c, %s : !t, !t) outs(%o : !x)
    {query_rotation = #attn.rotation<interleaved>, key_rotation = #attn.rotation<interleaved>}
  return %r : !x
}

// One folded, the other not.
func.func @half_folded(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the key is rotated here}}
  %k = attn.rotary interleaved %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{query and key are rotated in different layouts: split_half and interleaved}}
  %r = attn.attention query(%x : !x) key(%k : !x) value(%x : !x)
    rotate_query(%c, %s : !t, !t) outs(%o : !x) {query_rotation = #attn.rotation<split_half>}
  return %r : !x
}

// Through ops that move rows: a cache of keys, a key that is shared by heads, a
// slice, a reshape, a rounding.
func.func @moved(%q: tensor<1x2x1x8xf32>, %cache: tensor<2x3x8xf64>, %new: tensor<1x1x1x8xf32>, %v: !x,
    %c: tensor<1x1x4xf32>, %s: tensor<1x1x4xf32>, %o: tensor<1x2x1x8xf32>, %o1: tensor<1x1x1x8xf32>,
    %e: tensor<2x1x1x8xf32>, %e4: !x, %start: index) -> tensor<1x2x1x8xf32> {
  // expected-note @below {{the query is rotated here}}
  %rq = attn.rotary split_half %q, %c, %s : tensor<1x2x1x8xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o : tensor<1x2x1x8xf32>)
  // expected-note @below {{the key is rotated here}}
  %rk = attn.rotary interleaved %new, %c, %s : tensor<1x1x1x8xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o1 : tensor<1x1x1x8xf32>)
  %flat = tensor.collapse_shape %rk [[0, 1, 2], [3]] : tensor<1x1x1x8xf32> into tensor<1x8xf32>
  %row = tensor.extract_slice %flat[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> to tensor<8xf32>
  %some = tensor.cast %flat : tensor<1x8xf32> to tensor<?x8xf32>
  %again = tensor.cast %some : tensor<?x8xf32> to tensor<1x8xf32>
  %eh = tensor.empty() : tensor<2x1x8xf32>
  %heads = linalg.broadcast ins(%again : tensor<1x8xf32>) outs(%eh : tensor<2x1x8xf32>) dimensions = [0]
  %et = tensor.empty() : tensor<1x2x8xf32>
  %turned = linalg.transpose ins(%heads : tensor<2x1x8xf32>) outs(%et : tensor<1x2x8xf32>) permutation = [1, 0, 2]
  %back = linalg.transpose ins(%turned : tensor<1x2x8xf32>) outs(%eh : tensor<2x1x8xf32>) permutation = [1, 0, 2]
  %wide = arith.extf %back : tensor<2x1x8xf32> to tensor<2x1x8xf64>
  %all = tensor.concat dim(1) %cache, %wide : (tensor<2x3x8xf64>, tensor<2x1x8xf64>) -> tensor<2x4x8xf64>
  %narrow = arith.truncf %all : tensor<2x4x8xf64> to tensor<2x4x8xf32>
  %keys = tensor.expand_shape %narrow [[0, 1], [2], [3]] output_shape [1, 2, 4, 8] : tensor<2x4x8xf32> into !x
  %kept = tensor.insert_slice %keys into %e4[0, 0, 0, 0] [1, 2, 4, 8] [1, 1, 1, 1] : !x into !x
  %appended = attn.cache_append new(%q : tensor<1x2x1x8xf32>) start(%start : index) outs(%kept : !x)
  // expected-warning @below {{query and key are rotated in different layouts: split_half and interleaved}}
  %r = attn.attention query(%rq : tensor<1x2x1x8xf32>) key(%appended : !x) value(%v : !x)
    outs(%o : tensor<1x2x1x8xf32>)
  return %r : tensor<1x2x1x8xf32>
}

// Rows that are cut or joined are other rows.
func.func @other_rows(%x: tensor<1x2x4x16xf32>, %y: tensor<1x2x4x4xf32>, %q: !x, %c: !t, %s: !t, %o: !x,
    %o16: tensor<1x2x4x16xf32>, %o4: tensor<1x2x4x4xf32>, %c1: !narrow, %s1: !narrow) -> (!x, !x) {
  %rq = attn.rotary split_half %q, %c, %s : !x, !t, !t outs(%o : !x)
  %rx = attn.rotary interleaved %x, %c, %s : tensor<1x2x4x16xf32>, !t, !t outs(%o16 : tensor<1x2x4x16xf32>)
  %cut = tensor.extract_slice %rx[0, 0, 0, 8] [1, 2, 4, 8] [1, 1, 1, 1] : tensor<1x2x4x16xf32> to !x
  %r1 = attn.attention query(%rq : !x) key(%cut : !x) value(%q : !x) outs(%o : !x)
  %ry = attn.rotary interleaved %y, %c1, %s1 : tensor<1x2x4x4xf32>, !narrow, !narrow outs(%o4 : tensor<1x2x4x4xf32>)
  %joined = tensor.concat dim(3) %ry, %y : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> !x
  %r2 = attn.attention query(%rq : !x) key(%joined : !x) value(%q : !x) outs(%o : !x)
  return %r1, %r2 : !x, !x
}

// On memrefs folded rotations are known.
func.func @memrefs(%x: memref<1x2x4x8xf32>, %c: memref<1x4x4xf32>, %o: memref<1x2x4x8xf32>) {
  // expected-warning @below {{query and key are rotated in different layouts: split_half and interleaved}}
  attn.attention query(%x : memref<1x2x4x8xf32>) key(%x : memref<1x2x4x8xf32>) value(%x : memref<1x2x4x8xf32>)
    rotate_query(%c, %c : memref<1x4x4xf32>, memref<1x4x4xf32>)
    rotate_key(%c, %c : memref<1x4x4xf32>, memref<1x4x4xf32>) outs(%o : memref<1x2x4x8xf32>)
    {query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<interleaved>}
  attn.rotary split_half %x, %c, %c : memref<1x2x4x8xf32>, memref<1x4x4xf32>, memref<1x4x4xf32>
    outs(%o : memref<1x2x4x8xf32>)
  return
}

//===----------------------------------------------------------------------===//
// Rotations of the value
//===----------------------------------------------------------------------===//

func.func @value(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the value is rotated here}}
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{value is rotated, and the output is not rotated back by the inverse}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  // expected-note @below {{the output is used here}}
  return %r : !x
}

func.func @undone(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  %b = attn.rotary split_half inverse %r, %c, %s : !x, !t, !t outs(%o : !x)
  return %b : !x
}

// An inverse is undone by the rotation.
func.func @undone_forward(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  %v = attn.rotary split_half inverse %x, %c, %s : !x, !t, !t outs(%o : !x)
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  %b = attn.rotary split_half %r, %c, %s : !x, !t, !t outs(%o : !x)
  return %b : !x
}

// The same direction once more.
func.func @twice(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the value is rotated here}}
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{value is rotated, and the output is not rotated back by the inverse}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  // expected-note @below {{the output is used here}}
  %b = attn.rotary split_half %r, %c, %s : !x, !t, !t outs(%o : !x)
  return %b : !x
}

func.func @other_layout(%x: !x, %c: !t, %s: !t, %o: !x) -> !x {
  // expected-note @below {{the value is rotated here}}
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{value is rotated, and the output is not rotated back by the inverse}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  // expected-note @below {{the output is used here}}
  %b = attn.rotary interleaved inverse %r, %c, %s : !x, !t, !t outs(%o : !x)
  return %b : !x
}

// Tables that are given may be those of the queries.
func.func @other_tables(%x: !x, %c: !t, %s: !t, %o: !x, %c2: !t, %s2: !t) -> !x {
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  %b = attn.rotary split_half inverse %r, %c2, %s2 : !x, !t, !t outs(%o : !x)
  return %b : !x
}

// Only one of two uses goes through the inverse.
func.func @used_twice(%x: !x, %c: !t, %s: !t, %o: !x) -> (!x, !x) {
  // expected-note @below {{the value is rotated here}}
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{value is rotated, and the output is not rotated back by the inverse}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  %b = attn.rotary split_half inverse %r, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-note @below {{the output is used here}}
  return %b, %r : !x, !x
}

// Of two ranges only one is turned back.
func.func @one_of_two(%x: !x, %c: !narrow, %s: !narrow, %o: !x) -> !x {
  %v1 = attn.rotary split_half %x, %c, %s : !x, !narrow, !narrow outs(%o : !x)
  // expected-note @below {{the value is rotated here}}
  %v = attn.rotary split_half from 4 %v1, %c, %s : !x, !narrow, !narrow outs(%o : !x)
  // expected-warning @below {{value is rotated, and the output is not rotated back by the inverse}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  %b = attn.rotary split_half inverse %r, %c, %s : !x, !narrow, !narrow outs(%o : !x)
  // expected-note @below {{the output is used here}}
  return %b : !x
}
func.func @both_of_two(%x: !x, %c: !narrow, %s: !narrow, %o: !x) -> !x {
  %v1 = attn.rotary split_half %x, %c, %s : !x, !narrow, !narrow outs(%o : !x)
  %v = attn.rotary split_half from 4 %v1, %c, %s : !x, !narrow, !narrow outs(%o : !x)
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  %b1 = attn.rotary split_half inverse %r, %c, %s : !x, !narrow, !narrow outs(%o : !x)
  %b = attn.rotary split_half inverse from 4 %b1, %c, %s : !x, !narrow, !narrow outs(%o : !x)
  return %b : !x
}

// Turned back by the positions of the queries, after a merge and a reshape, which
// also asks for a size. Then by frequencies of another base.
func.func @by_position(%x: !x, %y: !x, %p: tensor<1x4xi64>, %i: tensor<1x4xi64>, %t: !t, %sum: tensor<1x2x4xf32>,
    %o: !x, %zero: index) -> (tensor<2x4x8xf32>, index) {
  %c, %s = attn.rotary_table positions(%p : tensor<1x4xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%t, %t : !t, !t)
  %cq, %sq = attn.rotary_table positions(%i : tensor<1x4xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%t, %t : !t, !t)
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  %r1, %l1 = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o, %sum : !x, tensor<1x2x4xf32>)
  %r2, %l2 = attn.attention query(%x : !x) key(%y : !x) value(%v : !x) outs(%o, %sum : !x, tensor<1x2x4xf32>)
  %r, %l = attn.merge partials(%r1, %r2 : !x, !x) lses(%l1, %l2 : tensor<1x2x4xf32>, tensor<1x2x4xf32>)
    outs(%o, %sum : !x, tensor<1x2x4xf32>)
  %some = tensor.cast %r : !x to tensor<1x?x4x8xf32>
  %size = tensor.dim %some, %zero : tensor<1x?x4x8xf32>
  %known = tensor.cast %some : tensor<1x?x4x8xf32> to !x
  %b = attn.rotary split_half inverse %known, %cq, %sq : !x, !t, !t outs(%o : !x)
  %flat = tensor.collapse_shape %b [[0, 1], [2], [3]] : !x into tensor<2x4x8xf32>
  return %flat, %size : tensor<2x4x8xf32>, index
}
func.func @other_base(%x: !x, %p: tensor<1x4xi64>, %t: !t, %o: !x) -> !x {
  %c, %s = attn.rotary_table positions(%p : tensor<1x4xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%t, %t : !t, !t)
  %cq, %sq = attn.rotary_table positions(%p : tensor<1x4xi64>) rule(#attn.frequencies<default, dim = 8, base = 500000.0>)
    outs(%t, %t : !t, !t)
  // expected-note @below {{the value is rotated here}}
  %v = attn.rotary split_half %x, %c, %s : !x, !t, !t outs(%o : !x)
  // expected-warning @below {{value is rotated, and the output is not rotated back by the inverse}}
  %r = attn.attention query(%x : !x) key(%x : !x) value(%v : !x) outs(%o : !x)
  // expected-note @below {{the output is used here}}
  %b = attn.rotary split_half inverse %r, %cq, %sq : !x, !t, !t outs(%o : !x)
  return %b : !x
}

//===----------------------------------------------------------------------===//
// Rotated keys that are kept
//===----------------------------------------------------------------------===//

!new = tensor<1x2x1x8xf32>
!table = tensor<1x1x4xf32>

func.func @appended(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> !x {
  // expected-note @below {{the frequencies are of this table}}
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  // expected-warning @below {{rows are kept that are rotated by frequencies of rule 'dynamic_ntk', which change with the number of tokens; keep them unrotated and rotate what is read}}
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  // expected-note @below {{they are kept here}}
  %a = attn.cache_append new(%r : !new) start(%n : index) outs(%cache : !x)
  return %a : !x
}

func.func @longrope(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> !x {
  // expected-note @below {{the frequencies are of this table}}
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<longrope, dim = 8, base = 10000.0, short = [1.0, 1.0, 1.0, 1.0], long = [2.0, 2.0, 2.0, 2.0], original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  // expected-warning @below {{rows are kept that are rotated by frequencies of rule 'longrope', which change with the number of tokens; keep them unrotated and rotate what is read}}
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  // expected-note @below {{they are kept here}}
  %a = attn.cache_append new(%r : !new) start(%n : index) outs(%cache : !x)
  return %a : !x
}

// These frequencies stay.
func.func @fixed(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> !x {
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%t, %t : !table, !table)
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  %a = attn.cache_append new(%r : !new) start(%n : index) outs(%cache : !x)
  return %a : !x
}

// The cache is of keys as they came; what is rotated is not kept.
func.func @unrotated(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> (!x, !new) {
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  %a = attn.cache_append new(%k : !new) start(%n : index) outs(%cache : !x)
  return %a, %r : !x, !new
}

func.func @joined(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> tensor<1x2x5x8xf32> {
  // expected-note @below {{the frequencies are of this table}}
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  // expected-warning @below {{rows are kept that are rotated by frequencies of rule 'dynamic_ntk', which change with the number of tokens; keep them unrotated and rotate what is read}}
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  // expected-note @below {{they are kept here}}
  %a = tensor.concat dim(2) %cache, %r : (!x, !new) -> tensor<1x2x5x8xf32>
  return %a : tensor<1x2x5x8xf32>
}

// Read and forgotten.
func.func @joined_and_read(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> !new {
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  %a = tensor.concat dim(2) %cache, %r : (!x, !new) -> tensor<1x2x5x8xf32>
  %v = tensor.empty() : tensor<1x2x5x8xf32>
  %q = attn.attention query(%r : !new) key(%a : tensor<1x2x5x8xf32>) value(%v : tensor<1x2x5x8xf32>)
    outs(%o : !new)
  return %q : !new
}

func.func @inserted(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> !x {
  // expected-note @below {{the frequencies are of this table}}
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  // expected-warning @below {{rows are kept that are rotated by frequencies of rule 'dynamic_ntk', which change with the number of tokens; keep them unrotated and rotate what is read}}
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  // expected-note @below {{they are kept here}}
  %a = tensor.insert_slice %r into %cache[0, 0, %n, 0] [1, 2, 1, 8] [1, 1, 1, 1] : !new into !x
  return %a : !x
}

// There is nothing beside them.
func.func @inserted_into_nothing(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> !x {
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  %e = tensor.empty() : !x
  %a = tensor.insert_slice %r into %e[0, 0, %n, 0] [1, 2, 1, 8] [1, 1, 1, 1] : !new into !x
  return %a : !x
}

// Elements of one row, not rows.
func.func @joined_features(%k: !new, %cache: !x, %p: tensor<1x1xi64>, %n: index, %t: !table, %o: !new) -> tensor<1x2x1x16xf32> {
  %c, %s = attn.rotary_table positions(%p : tensor<1x1xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>) length(%n)
    outs(%t, %t : !table, !table)
  %r = attn.rotary split_half %k, %c, %s : !new, !table, !table outs(%o : !new)
  %a = tensor.concat dim(3) %r, %k : (!new, !new) -> tensor<1x2x1x16xf32>
  return %a : tensor<1x2x1x16xf32>
}

//===----------------------------------------------------------------------===//
// Causal masks
//===----------------------------------------------------------------------===//

!y = tensor<1x2x7x8xf32>

func.func @causal(%q: !x, %k: !y, %o: !x, %n: index) -> !x {
  // expected-note @below {{with an offset of 3 the last query meets the last key}}
  %m = attn.mask.causal
  // expected-warning @below {{causal mask without an offset between 4 queries and 7 keys: the first query meets the first key}}
  %r = attn.attention query(%q : !x) key(%k : !y) value(%k : !y) mask(%m) outs(%o : !x)
  return %r : !x
}

func.func @fewer_keys(%q: !y, %k: !x, %o: !y, %n: index) -> !y {
  // expected-note @below {{with an offset of -3 the last query meets the last key}}
  %m = attn.mask.causal
  // expected-warning @below {{causal mask without an offset between 7 queries and 4 keys: the first query meets the first key}}
  %r = attn.attention query(%q : !y) key(%k : !x) value(%k : !x) mask(%m) outs(%o : !y)
  return %r : !y
}

// A window that ends at the query, as a part of the mask.
func.func @window(%q: !x, %k: !y, %o: !x, %n: index) -> !x {
  // expected-note @below {{with an offset of 3 the last query meets the last key}}
  %w = attn.mask.window left 2 right 0
  %g = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %t = arith.constant true
    attn.yield %t : i1
  }
  %m = attn.mask.and %w, %g
  // expected-warning @below {{causal mask without an offset between 4 queries and 7 keys: the first query meets the first key}}
  %r = attn.attention query(%q : !x) key(%k : !y) value(%k : !y) mask(%m) outs(%o : !x)
  return %r : !x
}

func.func @offset(%q: !x, %k: !y, %o: !x, %n: index) -> !x {
  %m = attn.mask.causal offset(%n : index)
  %r = attn.attention query(%q : !x) key(%k : !y) value(%k : !y) mask(%m) outs(%o : !x)
  return %r : !x
}

func.func @both_sides(%q: !x, %k: !y, %o: !x, %n: index) -> !x {
  %m = attn.mask.window left 2 right 1
  %r = attn.attention query(%q : !x) key(%k : !y) value(%k : !y) mask(%m) outs(%o : !x)
  return %r : !x
}

func.func @square(%q: !x, %k: !x, %o: !x, %n: index) -> !x {
  %m = attn.mask.causal
  %r = attn.attention query(%q : !x) key(%k : !x) value(%k : !x) mask(%m) outs(%o : !x)
  return %r : !x
}

func.func @unknown(%q: tensor<1x2x?x8xf32>, %k: !y, %o: tensor<1x2x?x8xf32>, %n: index) -> tensor<1x2x?x8xf32> {
  %m = attn.mask.causal
  %r = attn.attention query(%q : tensor<1x2x?x8xf32>) key(%k : !y) value(%k : !y) mask(%m) outs(%o : tensor<1x2x?x8xf32>)
  return %r : tensor<1x2x?x8xf32>
}

// The first tokens of a cache with room for more.
func.func @first_tokens(%q: !x, %cache: !y, %o: !x) -> !x {
  %zero = arith.constant 0 : index
  %k = attn.cache_append new(%q : !x) start(%zero : index) outs(%cache : !y)
  %m = attn.mask.causal
  %r = attn.attention query(%q : !x) key(%k : !y) value(%k : !y) mask(%m) outs(%o : !x)
  return %r : !x
}

// A single query: its decoder gives the offset, or there is none to give.
func.func @one_query(%q: tensor<1x2x1x8xf32>, %k: !y, %o: tensor<1x2x1x8xf32>) -> tensor<1x2x1x8xf32> {
  %m = attn.mask.causal
  %r = attn.attention query(%q : tensor<1x2x1x8xf32>) key(%k : !y) value(%k : !y) mask(%m)
    outs(%o : tensor<1x2x1x8xf32>)
  return %r : tensor<1x2x1x8xf32>
}
