import os

import lit.formats

config.name = "mymask"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_exec_root = os.path.join(lit_config.params["tools"], "test")
config.environment["PATH"] = os.pathsep.join(
    [lit_config.params["tools"], lit_config.params["llvm"], os.environ["PATH"]]
)
