#include "jit/compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace daedal::jit {
namespace {

namespace fs = std::filesystem;

constexpr const char* module_name = "libdaedal_llvm.so";

// The folder of the library or program that this function is part of.
std::optional<fs::path> folder_of_this_library() {
  Dl_info info = {};
  if (dladdr(module_entry, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path path = fs::canonical(info.dli_fname, error);
  return error ? std::nullopt : std::optional(path.parent_path());
}

std::optional<fs::path> folder_of_program() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? std::nullopt : std::optional(path.parent_path());
}

// Beside the library; for a program that has the library inside, where libraries are installed; for
// one that was not installed, in the build tree.
std::vector<fs::path> module_places() {
  if (const char* given = std::getenv("DAEDAL_COMPILER"); given != nullptr) return {given};
  std::vector<fs::path> places;
  for (const auto& folder : {folder_of_this_library(), folder_of_program()}) {
    if (!folder) continue;
    for (const char* way : {".", "../" DAEDAL_LIBRARY_FOLDER, "../src", "../../src"})
      places.push_back((*folder / way / module_name).lexically_normal());
  }
  return places;
}

fs::path find_module() {
  std::error_code error;
  for (const fs::path& place : module_places())
    if (fs::is_regular_file(place, error)) return place;
  throw CompilerFailure(fmt::format("there is no compiler: {} was not found", module_name));
}

void take_text(void* text, const char* bytes, std::size_t size) {
  static_cast<std::string*>(text)->assign(bytes, size);
}

}  // namespace

const Compiler& Compiler::of_installation() {
  static const Compiler compiler(find_module().string());
  return compiler;
}

Compiler::Compiler(const std::string& module_path) {
  // Never closed: machine code and its memory belong to the module.
  void* module = dlopen(module_path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (module == nullptr)
    throw CompilerFailure(fmt::format("the compiler cannot be loaded: {}", dlerror()));
  using Entry = const daedal_compiler_functions* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(module, module_entry));
  if (entry == nullptr || entry()->version != interface_version)
    throw CompilerFailure(fmt::format("{} does not belong to this version of daedal", module_path));
  functions_ = entry();
  functions_->describe_target(take_text, &target_);
}

std::string Compiler::compile(const StageCode& code, std::size_t first, std::size_t last) const {
  const StageCodeView view{code.num_lanes, code.last_stage, code.operations.data(),
                           code.lists.data(), code.pieces.data()};
  std::string text;  // the object, or what went wrong
  if (functions_->compile(&view, first, last, take_text, take_text, &text) != 0)
    throw CompilerFailure(text);
  return text;
}

std::shared_ptr<const taylor::CompiledStages> Compiler::link(
    const StageCode& code, std::span<const std::string> objects) const {
  auto result = std::make_shared<taylor::CompiledStages>();
  result->segments.resize(static_cast<std::size_t>(code.num_segments));
  result->start.resize(static_cast<std::size_t>(code.num_start_steps), nullptr);
  result->solves.resize(static_cast<std::size_t>(code.num_blocks), nullptr);
  if (code.pieces.empty()) return result;
  std::vector<ObjectView> views;
  for (const std::string& object : objects) views.push_back({object.data(), object.size()});
  std::vector<void*> found(code.pieces.size(), nullptr);
  void* image = nullptr;
  std::string text;
  if (functions_->link(views.data(), views.size(), found.size(), found.data(), &image, take_text,
                       &text) != 0)
    throw CompilerFailure(text);
  result->images.emplace_back(image, functions_->release);
  for (std::size_t n = 0; n < found.size(); ++n) {
    const auto function = reinterpret_cast<taylor::StageFunction>(found[n]);
    const auto number = static_cast<std::size_t>(code.pieces[n].number);
    if (code.pieces[n].stage == solve_of_block)
      result->solves[number] = reinterpret_cast<linear::CompiledSolve>(found[n]);
    else if (code.pieces[n].stage == any_stage_above_0)
      result->segments[number].push_back(function);
    else
      result->start[number] = function;
  }
  return result;
}

}  // namespace daedal::jit
