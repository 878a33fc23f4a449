//===- Mutator.cpp - Damaged programs ---------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Generate/Mutator.h"

#include "Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static void editBytes(std::string &text, Random &random) {
  if (text.empty())
    return;
  size_t at = random.below(text.size());
  size_t length = std::min<size_t>(1 + random.below(8), text.size() - at);
  switch (random.below(7)) {
  case 0:
    text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
    return;
  case 1:
    text[at] = static_cast<char>(random.below(256));
    return;
  case 2:
    text[at] = random.choose({'\0', '\xff', '\x80', '\x01', '\x7f'});
    return;
  case 3:
    text.erase(at, length);
    return;
  case 4:
    text.insert(at, text.substr(random.below(text.size()), length));
    return;
  case 5:
    text.insert(at, length, static_cast<char>(random.below(256)));
    return;
  default:
    // Rarely: what is left of most programs is one error.
    if (random.chance(20))
      text.resize(at);
    else
      std::swap(text[at], text[random.below(text.size())]);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

using Tokens = llvm::SmallVector<std::string, 0>;

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

static bool isWord(StringRef token) { return isWordChar(token.back()); }

static bool isNumber(StringRef token) { return llvm::isDigit(token.front()); }

static bool isSpace(StringRef token) { return llvm::isSpace(token.front()); }

/// Words (with their %, ! or #), runs of spaces, and single characters. Joined,
/// they are the text.
static Tokens split(StringRef text) {
  Tokens tokens;
  while (!text.empty()) {
    size_t start = llvm::StringRef("%!#@^").contains(text[0]) ? 1 : 0;
    size_t length = start;
    if (llvm::isSpace(text[0]))
      while (length < text.size() && llvm::isSpace(text[length]))
        ++length;
    else
      while (length < text.size() && isWordChar(text[length]))
        ++length;
    length = std::max<size_t>(length, 1);
    tokens.push_back(text.take_front(length).str());
    text = text.drop_front(length);
  }
  return tokens;
}

static constexpr StringRef extremes[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "255",
                                         "65536",
                                         "2147483647",
                                         "-2147483648",
                                         "4294967296",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "18446744073709551616",
                                         "1.0",
                                         "0.0",
                                         "-0.0",
                                         "1.0e308",
                                         "1.0e-320",
                                         "0x7FF0000000000000",
                                         "0xFFF8000000000000",
                                         "?",
                                         "-1.0e400"};

static constexpr StringRef types[] = {
    "f32",
    "f64",
    "f16",
    "bf16",
    "f128",
    "tf32",
    "f8E4M3FN",
    "i1",
    "i8",
    "i32",
    "i64",
    "i128",
    "si32",
    "ui8",
    "index",
    "none",
    "complex<f32>",
    "vector<4xf32>",
    "tensor<*xf32>",
    "tensor<f32>",
    "tensor<0xf32>",
    "tensor<1x2x3x4xf32>",
    "memref<1x2x3x4xf32>",
    "memref<?x?xf32,strided<[?,?]>>",
    "!attn.mask",
    "!attn.bias",
    "tuple<>",
    "() -> ()",
    "tensor<4xf32,#attn.plan<query_block=1,key_block=1,rows=1>>"};

static constexpr StringRef words[] = {
    "attn.attention",
    "attn.mask.causal",
    "attn.mask.and",
    "attn.bias.add",
    "attn.yield",
    "outs",
    "mask",
    "bias",
    "offset",
    "rule",
    "frequencies",
    "interleaved",
    "split_half",
    "inverse",
    "from",
    "to",
    "left",
    "right",
    "keep",
    "block",
    "linear",
    "yarn",
    "llama3",
    "default",
    "score",
    "query",
    "keys",
    "lengths",
    "scale",
    "softcap",
    "unit",
    "true",
    "dense<1>",
    "dense<>",
    "array<i64>",
    "{}",
    "[]",
    "<",
    ">",
    "(",
    ")",
    "\"",
    "%arg0",
    "%0",
    "affine_map<(d0) -> (d0)>",
    "#attn.rotation<split_half, first = -1>",
    "#attn.plan<query_block = 0, key_block = 1, rows = 1>",
    "#attn.frequencies<default, dim = 2, base = 0.0>"};

/// A token for which `wanted` holds, or nothing after some tries.
static std::string *findToken(Tokens &tokens, Random &random,
                              llvm::function_ref<bool(StringRef)> wanted) {
  for (int i = 0; i < 60; ++i) {
    std::string &token = tokens[random.below(tokens.size())];
    if (!token.empty() && wanted(token))
      return &token;
  }
  return nullptr;
}

static bool isAny(StringRef token) { return !isSpace(token); }

/// Copies, moves or drops the lines that a token stands in.
static void editLine(Tokens &tokens, Random &random) {
  auto isBreak = [](StringRef token) { return token.contains('\n'); };
  size_t begin = random.below(tokens.size()), end = begin;
  while (begin > 0 && !isBreak(tokens[begin - 1]))
    --begin;
  while (end < tokens.size() && !isBreak(tokens[end]))
    ++end;
  end = std::min(end + 1, tokens.size());
  Tokens line(tokens.begin() + begin, tokens.begin() + end);
  if (random.chance(60))
    tokens.erase(tokens.begin() + begin, tokens.begin() + end);
  if (!tokens.empty() && random.chance(60))
    tokens.insert(tokens.begin() + random.below(tokens.size()), line.begin(),
                  line.end());
}

/// Whether a word ends with a type: `x64xf32` is one word to `split`, so its
/// sizes and its element change together.
static bool endsWithType(StringRef token) {
  return token.ends_with("f32") || token.ends_with("f64") ||
         token.ends_with("f16") || token.ends_with("i64") ||
         token.ends_with("i32") || token == "index" || token == "i1";
}

static bool isShape(StringRef token) {
  return isNumber(token) && token.contains('x');
}

/// Puts another size first in a shape.
static void editSize(Tokens &tokens, Random &random) {
  std::string *token = findToken(tokens, random, isShape);
  if (!token)
    return;
  auto [size, rest] = StringRef(*token).split('x');
  std::string changed =
      random.choose(llvm::ArrayRef<StringRef>(extremes)).str();
  if (random.chance(70))
    changed = std::to_string(random.below(9));
  *token = changed + "x" + rest.str();
}

/// Changes one size or element type wherever it stands in a type, which leaves
/// more programs valid than a change in one place.
static void editTypes(Tokens &tokens, Random &random) {
  auto isType = [](StringRef token) {
    return token.contains('x') && endsWithType(token) && token != "index";
  };
  std::string *token = findToken(tokens, random, isType);
  if (!token)
    return;
  llvm::SmallVector<StringRef> parts;
  StringRef(*token).split(parts, 'x', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::string changed = parts[random.below(parts.size())].str();
  std::string replacement = random.choose({"f32", "f64", "f16", "bf16"});
  if (isNumber(changed))
    replacement = std::to_string(random.below(9));
  else if (changed.front() == 'i')
    replacement = random.choose({"i1", "i8", "i32", "i64"});
  for (std::string &other : tokens) {
    // An element type stands alone, too.
    if (!isType(other) && (isNumber(changed) || other != changed))
      continue;
    parts.clear();
    StringRef(other).split(parts, 'x');
    llvm::replace(parts, StringRef(changed), StringRef(replacement));
    other = llvm::join(parts, "x");
  }
}

/// Puts a copy of a value, or of a number, in place of another of its kind.
static void copyAlike(Tokens &tokens, Random &random) {
  std::string *token = findToken(tokens, random, [](StringRef token) {
    return token.starts_with("%") || (isNumber(token) && !isShape(token));
  });
  if (!token)
    return;
  auto isAlike = [&](StringRef other) {
    return other != *token && isNumber(other) == isNumber(*token) &&
           !isShape(other) &&
           other.contains('.') == StringRef(*token).contains('.') &&
           other.starts_with("%") == StringRef(*token).starts_with("%");
  };
  if (std::string *other = findToken(tokens, random, isAlike))
    *token = *other;
}

/// Exchanges two words.
static void swapWords(Tokens &tokens, Random &random) {
  if (std::string *token = findToken(tokens, random, isWord))
    if (std::string *other = findToken(tokens, random, isWord))
      std::swap(*token, *other);
}

/// Puts a copy of one token in place of another.
static void copyToken(Tokens &tokens, Random &random) {
  if (std::string *token = findToken(tokens, random, isAny))
    if (std::string *other = findToken(tokens, random, isAny))
      *token = *other;
}

static void editTokens(std::string &text, Random &random) {
  Tokens tokens = split(text);
  if (tokens.empty())
    return;
  auto replace = [&](llvm::function_ref<bool(StringRef)> wanted,
                     llvm::ArrayRef<StringRef> replacements) {
    if (std::string *token = findToken(tokens, random, wanted))
      *token = random.choose(replacements).str();
  };
  switch (random.below(16)) {
  case 0:
  case 1:
    replace(isNumber, extremes);
    break;
  case 2:
    replace(endsWithType, types);
    break;
  case 3:
    replace(isAny, words);
    break;
  case 4:
    if (std::string *token = findToken(tokens, random, isAny))
      token->clear();
    break;
  case 5:
    swapWords(tokens, random);
    break;
  case 6:
    copyToken(tokens, random);
    break;
  case 7:
    editSize(tokens, random);
    break;
  case 8:
  case 9:
  case 10:
  case 11:
  case 12:
    editTypes(tokens, random);
    break;
  case 13:
  case 14:
    copyAlike(tokens, random);
    break;
  default:
    editLine(tokens, random);
    break;
  }
  text = llvm::join(tokens, "");
}

std::string attn::mutateProgram(StringRef program, uint64_t seed) {
  Random random(seed);
  std::string text = program.str();
  bool isBytecode = program.starts_with("ML\xefR");
  // Mostly one: two are seldom told apart by what reads them.
  unsigned edits = random.chance(70) ? 1 : 2 + random.below(2);
  for (unsigned i = 0; i < edits; ++i) {
    if (isBytecode || random.chance(15))
      editBytes(text, random);
    else
      editTokens(text, random);
  }
  return text;
}
