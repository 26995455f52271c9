// Source of a derivative array, compiled by the C compiler of this build and loaded.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace daedal::test {

// A folder of its own, which goes with it.
class SourceFolder {
 public:
  SourceFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "daedal-source-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~SourceFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  SourceFolder(const SourceFolder&) = delete;
  SourceFolder& operator=(const SourceFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name) << text;
    return *this / name;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(*this / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // Runs a command; throws with what it said if it fails.
  void run(const std::string& command) const {
    const std::string all = "cd '" + path_.string() + "' && (" + command + ") > said 2>&1";
    if (std::system(all.c_str()) != 0) throw std::runtime_error(command + "\n" + read("said"));
  }

 private:
  std::filesystem::path path_;
};

// Real: that of the source, double unless its text was changed.
template <typename Real>
class CompiledSourceOf {
 public:
  CompiledSourceOf(const std::string& text, const std::string& prefix, const std::string& flags) {
    folder_.write("array.c", text);
    folder_.run(DAEDAL_C_COMPILER " -shared -fPIC " + flags + " array.c -o array.so -lm");
    library_ = dlopen((folder_ / "array.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    residual = load<Residual>(prefix + "_residual");
    jacobian = load<Jacobian>(prefix + "_jacobian");
    sparsity = load<Sparsity>(prefix + "_sparsity");
    parameters = load<Parameters>(prefix + "_parameters");
  }
  ~CompiledSourceOf() {
    if (library_ != nullptr) dlclose(library_);
  }
  CompiledSourceOf(const CompiledSourceOf&) = delete;
  CompiledSourceOf& operator=(const CompiledSourceOf&) = delete;

  using Residual = void (*)(Real t, const Real* X, const Real* p, Real* G);
  using Jacobian = void (*)(Real t, const Real* X, const Real* p, Real* G, Real* J);
  using Sparsity = void (*)(int first, int* row_starts, int* columns);
  using Parameters = void (*)(Real* p);
  Residual residual = nullptr;
  Jacobian jacobian = nullptr;
  Sparsity sparsity = nullptr;
  Parameters parameters = nullptr;

  std::size_t num_bytes() const { return std::filesystem::file_size(folder_ / "array.so"); }

 private:
  template <typename Function>
  Function load(const std::string& name) {
    void* symbol = dlsym(library_, name.c_str());
    if (symbol == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<Function>(symbol);
  }

  SourceFolder folder_;
  void* library_ = nullptr;
};
using CompiledSource = CompiledSourceOf<double>;

}  // namespace daedal::test
