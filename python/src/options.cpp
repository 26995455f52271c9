// Keywords become options, by the table of the library; a value of the wrong type is a TypeError.
#include "options.hpp"

namespace daedal::python {
namespace {

// What a user should have given.
std::string kind_of(OptionType type) {
  switch (type) {
    case OptionType::flag: return "True or False";
    case OptionType::whole_number: return "an integer";
    case OptionType::number: return "a number";
    case OptionType::numbers: return "a sequence of numbers";
    case OptionType::file:
    case OptionType::choice: break;
  }
  return "a string";
}

OptionValue cast(OptionType type, const py::object& object) {
  switch (type) {
    case OptionType::flag: return py::cast<bool>(object);
    case OptionType::whole_number: return py::cast<long>(object);
    case OptionType::number: return py::cast<double>(object);
    case OptionType::numbers: return py::cast<std::vector<double>>(object);
    case OptionType::file:
    case OptionType::choice: break;
  }
  return py::cast<std::string>(object);
}

[[noreturn]] void raise_overflow(const std::string& name) {
  PyErr_SetString(PyExc_OverflowError, (name + " is out of range").c_str());
  throw py::error_already_set();
}

// `name` as it was given, which may be the short one.
OptionValue value_of(const OptionInfo& info, const std::string& name, const py::object& object) {
  const bool is_numeric = info.type == OptionType::whole_number || info.type == OptionType::number;
  try {
    return cast(info.type, object);
  } catch (const py::cast_error&) {
    if (is_numeric && PyLong_Check(object.ptr())) raise_overflow(name);
    throw py::type_error(name + " must be " + kind_of(info.type) + ", not " +
                         py::cast<std::string>(py::repr(object)));
  }
}

}  // namespace

GivenOptions options_of(const py::dict& given) {
  GivenOptions result;
  for (const auto& [key, object] : given) {
    const auto name = py::cast<std::string>(key);
    const OptionInfo& info = *find_option(name);
    const OptionValue value = value_of(info, name, py::reinterpret_borrow<py::object>(object));
    try {
      if (info.group == OptionGroup::ensemble)
        set_option(result.ensemble, name, value);
      else
        set_option(result.run, name, value);
    } catch (const Error& error) {
      if (error.problems().front().id == "E-OPT-001") raise_overflow(name);
      throw;
    }
  }
  return result;
}

}  // namespace daedal::python
