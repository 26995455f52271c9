"""Builds the compiled part of the Python package with CMake; the rest is in pyproject.toml.

DAEDAL_BUILD_DIR names a build folder to use, such as build/release; by default the package has one of its own.
"""
import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent
version = re.search(r"project\(daedal VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)
# Nothing of an earlier build gets into the package, and nothing is left in the source tree.
scratch = tempfile.mkdtemp(prefix="daedal-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)


class CMakeBuild(build_ext):
    """The target daedal_python and what belongs beside it, put where the package is assembled."""

    def configure(self, build):
        settings = [f"-DDAEDAL_PYTHON_EXECUTABLE={sys.executable}", "-DDAEDAL_PYTHON=ON"]
        if not (build / "CMakeCache.txt").exists():
            settings += ["-DCMAKE_BUILD_TYPE=Release", "-DDAEDAL_TESTS=OFF", "-DDAEDAL_BENCHMARKS=OFF"]
            settings += ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", root, "-B", build, *settings], check=True)

    def build_extension(self, ext):
        destination = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        build = pathlib.Path(os.environ.get("DAEDAL_BUILD_DIR", root / "build" / "python")).resolve()
        if not (build / "python" / "daedal" / pathlib.Path(self.get_ext_filename(ext.name)).name).exists():
            self.configure(build)
        subprocess.run(["cmake", "--build", build, "--target", "daedal_python", "--parallel", str(os.cpu_count())], check=True)
        subprocess.run(
            ["cmake", "--install", build, "--component", "python", "--prefix", destination, "--strip"], check=True
        )


setup(
    version=version,
    ext_modules=[Extension("daedal._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)
