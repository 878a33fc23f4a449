func.func private @attn_rt_assert_fail()
func.func @f(%c: i1) {
  cf.assert %c, "text"
  return
}
