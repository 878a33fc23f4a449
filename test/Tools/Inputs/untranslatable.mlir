irdl.dialect @unknown {
}
func.func @main() {
  return
}
