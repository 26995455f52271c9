// The compiler, if there is one: a module that is loaded when it is first asked for.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "jit/compiler_interface.hpp"
#include "taylor/compiled_stages.hpp"

namespace daedal::jit {

struct CompilerFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Compiler {
 public:
  // The module of this installation, loaded once. Throws CompilerFailure if there is none. The
  // environment variable DAEDAL_COMPILER names another file, or none if it is empty.
  static const Compiler& of_installation();
  // Throws CompilerFailure.
  explicit Compiler(const std::string& module_path);

  // What object code depends on besides the stages.
  const std::string& target() const { return target_; }
  // The object code of pieces first to last - 1. Throws CompilerFailure.
  std::string compile(const StageCode& code, std::size_t first, std::size_t last) const;
  // Throws CompilerFailure, also if the objects do not have all pieces.
  std::shared_ptr<const taylor::CompiledStages> link(const StageCode& code,
                                                     std::span<const std::string> objects) const;

 private:
  const daedal_compiler_functions* functions_;
  std::string target_;
};

}  // namespace daedal::jit
