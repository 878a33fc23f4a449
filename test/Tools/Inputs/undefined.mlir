llvm.func @missing()
func.func @main() {
  llvm.call @missing() : () -> ()
  return
}
