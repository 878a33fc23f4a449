"""lit configuration of the attn-mlir tests."""

import os

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "attn"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["CMakeLists.txt", "lit.cfg.py", "Inputs", "lib"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.attn_obj_root, "test")

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.use_default_substitutions()
config.substitutions.append(
    ("%attn_plugin", os.path.join(config.attn_lib_dir, "AttnPlugin.so"))
)
config.substitutions.append(("%attn_src", config.attn_src_root))
config.substitutions.append(("%attn_obj", config.attn_obj_root))
config.substitutions.append(("%llvm_lib_dir", config.llvm_shlib_dir))
config.substitutions.append(("%cc", config.host_cc))
config.substitutions.append(("%cxx", config.host_cxx))

llvm_config.add_tool_substitutions(
    [
        "attn-opt",
        "attn-test-opt",
        "attn-compile",
        "attn-gen",
        "attn-lsp-server",
        "attn-reduce",
        "attn-run",
        "attn-bench",
        "attn-reference-test",
        ToolSubst("mlir-opt", unresolved="ignore"),
    ],
    [config.attn_tools_dir, config.llvm_tools_dir],
)

# Tests that limit memory or load code into programs without the runtime of the
# sanitizers say UNSUPPORTED: sanitizer.
if config.sanitizer:
    config.available_features.add("sanitizer")
    options = {
        # The allocators of LLVM poison what they have not given out, and only the
        # half of them that is inlined into this project would know of it. What an
        # allocation returns is checked, and a size that is too large refused.
        "ASAN_OPTIONS": "allow_user_poisoning=0:detect_stack_use_after_return=1"
        ":allocator_may_return_null=1",
        "LSAN_OPTIONS": "print_suppressions=0:suppressions="
        + os.path.join(config.attn_src_root, "utils", "sanitizer-leaks.txt"),
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    for name, value in options.items():
        llvm_config.with_environment(name, value)
