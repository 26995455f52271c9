"""Builds the compiled part of the Python package with CMake; the rest is in pyproject.toml.

DAEDAL_BUILD_DIR names a build folder to use, such as build/release; by default the package has one of its own.
"""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent
version = re.search(r"project\(daedal VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    """The target daedal_python and what belongs beside it, put where the package is assembled."""

    def build_extension(self, ext):
        destination = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        build = pathlib.Path(os.environ.get("DAEDAL_BUILD_DIR", root / "build" / "python")).resolve()
        settings = [f"-DDAEDAL_PYTHON_EXECUTABLE={sys.executable}", "-DDAEDAL_PYTHON=ON"]
        if not (build / "CMakeCache.txt").exists():
            settings += ["-DCMAKE_BUILD_TYPE=Release", "-DDAEDAL_TESTS=OFF", "-DDAEDAL_BENCHMARKS=OFF"]
        subprocess.run(["cmake", "-S", root, "-B", build, *settings], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "daedal_python", "--parallel", str(os.cpu_count())], check=True)
        subprocess.run(
            ["cmake", "--install", build, "--component", "python", "--prefix", destination, "--strip"], check=True
        )


setup(version=version, ext_modules=[Extension("daedal._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
