"""Prints what CMake must know of this Python: folder of its headers, ending of modules, folder of pybind11's headers."""
import importlib.util
import sys
import sysconfig

if importlib.util.find_spec("numpy") is None:
    sys.exit("this Python has no NumPy")
pybind11_include = "none"
if importlib.util.find_spec("pybind11") is not None:
    import pybind11

    pybind11_include = pybind11.get_include()
print(sysconfig.get_path("include"), sysconfig.get_config_var("EXT_SUFFIX"), pybind11_include, sep=";")
