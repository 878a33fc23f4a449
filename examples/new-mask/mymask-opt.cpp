#include "MyMask.h"
#include "attn/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::attn::registerAllAttnDialects(registry);
  mlir::attn::registerAllAttnPasses();
  mymask::registerMyMask(registry);
  mymask::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "attn-mlir with my mask\n", registry));
}
