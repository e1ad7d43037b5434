"""The tests of the structure find what they are for: each is run on small trees with one fault."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CLANG_FORMAT = sys.argv.pop(1)

PAGE = "# bad-thing\n\n" + "what it means and what to write instead " * 5
DEF = 'GPUAD_DIAGNOSTIC(BadThing, "bad-thing", Error, "bad {0}")\n'


class StructureTest(unittest.TestCase):
    def setUp(self):
        self.tree = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.tree)
        os.makedirs(os.path.join(self.tree, "docs"))
        shutil.copy(os.path.join(ROOT, "docs/architecture.md"), os.path.join(self.tree, "docs"))

    def write(self, path, text):
        path = os.path.join(self.tree, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_script(self, script, *arguments):
        call = [sys.executable, os.path.join(HERE, script), self.tree, *arguments]
        return subprocess.run(call, capture_output=True, text=True, check=False)

    def passes(self, script, *arguments):
        result = self.run_script(script, *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def fails(self, script, text, *arguments):
        result = self.run_script(script, *arguments)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(text, result.stdout)

    def test_nothing_to_check_is_a_failure(self):
        self.fails("sizes.py", "nothing to check", CLANG_FORMAT)
        self.fails("layering.py", "nothing to check")

    def test_allowed_includes(self):
        self.write("lib/ir/A.cpp", '#include "ir/A.h"\n#include "support/B.h"\n#include <llvm/ADT/Twine.h>\n#include <map>\n'
                                   '#include "gpuad/Diagnostic.h"\n')
        self.write("lib/frontend/A.cpp", '#include "clang/AST/Decl.h"\n#include "gpuad/Options.h"\n')
        self.write("lib/ir/CMakeLists.txt", "gpuad_add_library(ir DEPENDS support)\n")
        self.passes("layering.py")

    def test_forbidden_includes(self):
        for path, included in [("lib/ir/A.h", "rules/RuleTable.h"), ("lib/emit/A.cpp", "clang/AST/Decl.h"),
                               ("lib/emit/A.cpp", "yaml-cpp/yaml.h"), ("lib/support/A.cpp", "gpuad/Translate.h"),
                               ("lib/driver/A.cpp", "llvm/IR/Module.h"), ("runtime/include/gpuad/a.cuh", "support/Ids.h"),
                               ("include/gpuad/A.h", "llvm/ADT/StringRef.h"), ("lib/emit/A.cpp", "../ir/Expr.h"),
                               ("tool/gpuad-translate/Main.cpp", "frontend/Lower.h")]:
            self.write(path, f'#include "{included}"\n')
            self.fails("layering.py", f"{path}:1")
            self.write(path, "")

    def test_parent_folders(self):
        self.write("runtime/cpu/device/A.cpp", '#include "../Abi.h"\n')
        self.passes("layering.py")
        self.write("runtime/cpu/A.cpp", '#include "../include/gpuad/runtime.cuh"\n')
        self.fails("layering.py", "runtime/cpu/A.cpp:1")

    def test_forbidden_link(self):
        self.write("lib/emit/A.cpp", "")
        self.write("lib/emit/CMakeLists.txt", "gpuad_add_library(emit DEPENDS support ir transform)\n")
        self.fails("layering.py", "lib/emit links lib/transform")
        self.write("lib/emit/CMakeLists.txt", "add_custom_command(OUTPUT a DEPENDS b)\ngpuad_add_library(emit DEPENDS ir)\n")
        self.passes("layering.py")

    def test_unlisted_folder(self):
        self.write("lib/extra/A.cpp", "#include <map>\n")
        self.fails("layering.py", "does not list")

    def test_short_files_pass(self):
        body = "  f(1);\n" * 78
        self.write("lib/ir/A.cpp", f"namespace a {{\nstruct B {{\n  int c{{1}};\n}};\nvoid f(int) {{\n{body}}}\n}} // namespace a\n")
        self.passes("sizes.py", CLANG_FORMAT)

    def test_long_function(self):
        body = "  f(1);\n" * 79
        for head in ("void f(int)", "B::B() : a{1}, b(2)", "template <class T = int> auto f(T) -> B", "auto g = [](int)"):
            end = ";" if "auto g" in head else ""
            self.write("lib/ir/A.cpp", f"namespace a {{\n{head} {{\n{body}}}{end}\n}} // namespace a\n")
            self.fails("sizes.py", "lib/ir/A.cpp:2: 81 lines", CLANG_FORMAT)

    def test_long_method_behind_an_access_specifier(self):
        body = "    f(1);\n" * 79
        self.write("lib/ir/A.h", f"class A {{\npublic:\n  void f(int) {{\n{body}  }}\n}};\n")
        self.fails("sizes.py", "lib/ir/A.h:3: 81 lines", CLANG_FORMAT)

    def test_statements_squeezed_into_one_line(self):
        self.write("lib/ir/A.cpp", "void f(int) {" + "f(1);" * 79 + "}")
        self.fails("sizes.py", "81 lines", CLANG_FORMAT)

    def test_braces_in_literals_and_comments(self):
        self.write("lib/ir/A.cpp", 'const char *a = "{"; // {\nchar b = \'{\';\nauto c = R"x({{)x";\nint d = 1\'000;\n')
        self.passes("sizes.py", CLANG_FORMAT)

    def test_macro_lines_are_no_part_of_a_function(self):
        self.write("lib/ir/A.cpp", "GPUAD_ROW(a, b)\n" * 90 + "void f() { g(); }\n")
        self.passes("sizes.py", CLANG_FORMAT)

    def test_long_file(self):
        self.write("lib/ir/A.cpp", "int a;\n" * 601)
        self.fails("sizes.py", "601 lines", CLANG_FORMAT)

    def test_words(self):
        self.write("lib/ir/A.cpp", "// plain\n")
        self.passes("wording.py")
        for text in ("/" + "home/someone/x", "10.1." + "2.3", "local" + "host", "TO" + "DO: later"):
            self.write("lib/ir/A.cpp", f"// {text}\n")
            self.fails("wording.py", "lib/ir/A.cpp:1")

    def test_diagnostics(self):
        self.write("lib/support/Diagnostics.def", DEF)
        self.fails("diagnostics.py", "bad-thing.md is missing")
        self.write("docs/diagnostics/bad-thing.md", PAGE)
        self.fails("diagnostics.py", "no case in test/diag")
        self.write("test/diag/bad_thing.cu", "// CHECK: error: bad x [gpuad-bad-thing]\n")
        self.passes("diagnostics.py")
        self.write("docs/diagnostics/gone.md", PAGE)
        self.fails("diagnostics.py", "no such diagnostic")


if __name__ == "__main__":
    unittest.main()
