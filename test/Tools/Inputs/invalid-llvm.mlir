// LLVM has rules that its dialect does not check.
llvm.func @token() -> !llvm.token
func.func @main() {
  return
}
