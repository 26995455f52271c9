// The module's entry: object code for the processor it runs on, and a linker in memory (ORC).
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <memory>
#include <string>

#include "emit_stages.hpp"
#include "jit/compiler_interface.hpp"

namespace daedal::llvm_backend {
namespace {

struct Host {
  std::string triple, processor, features;
  unsigned vector_width = 2;  // doubles
  const llvm::Target* target = nullptr;
};

Host find_host() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  Host host;
  host.triple = llvm::sys::getProcessTriple();
  host.processor = llvm::sys::getHostCPUName().str();
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> names;
  for (const auto& feature : features)
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) host.features += (host.features.empty() ? "" : ",") + name;
  if (features.lookup("avx512f") && features.lookup("avx512vl") && features.lookup("avx512dq"))
    host.vector_width = 8;
  else if (features.lookup("avx"))
    host.vector_width = 4;
  std::string why;
  host.target = llvm::TargetRegistry::lookupTarget(host.triple, why);
  return host;
}

const Host& host() {
  static const Host found = find_host();
  return found;
}

std::unique_ptr<llvm::TargetMachine> make_machine() {
  if (host().target == nullptr) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // products are rounded before they are added
  return std::unique_ptr<llvm::TargetMachine>(host().target->createTargetMachine(
      host().triple, host().processor, host().features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Less));
}

void give(jit::daedal_receiver take, void* context, const std::string& text) {
  take(context, text.data(), text.size());
}

void describe_target(jit::daedal_receiver take, void* context) {
  give(take, context,
       "LLVM " LLVM_VERSION_STRING " " + host().triple + " " + host().processor + " " +
           host().features);
}

int compile(const jit::StageCodeView* code, std::size_t first, std::size_t last,
            jit::daedal_receiver take, jit::daedal_receiver failed, void* context) {
  const std::unique_ptr<llvm::TargetMachine> machine = make_machine();
  if (machine == nullptr) {
    give(failed, context, "LLVM has no target " + host().triple);
    return 1;
  }
  llvm::LLVMContext llvm_context;
  llvm::Module module("stages", llvm_context);
  module.setTargetTriple(host().triple);
  module.setDataLayout(machine->createDataLayout());
  for (std::size_t n = first; n < last; ++n) emit_piece(module, *code, n, host().vector_width);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    give(failed, context, "LLVM cannot write object code for " + host().triple);
    return 1;
  }
  passes.run(module);
  take(context, object.data(), object.size());
  return 0;
}

struct Image {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

llvm::Error link_into(Image& image, const jit::ObjectView* objects, std::size_t num_objects,
                      std::size_t num_pieces, void** functions) {
  llvm::orc::JITTargetMachineBuilder target{llvm::Triple(host().triple)};
  auto made = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(target)).create();
  if (!made) return made.takeError();
  image.jit = std::move(*made);
  for (std::size_t n = 0; n < num_objects; ++n) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy({objects[n].bytes, objects[n].size},
                                                       "stages_" + std::to_string(n));
    if (llvm::Error error = image.jit->addObjectFile(std::move(buffer))) return error;
  }
  for (std::size_t n = 0; n < num_pieces; ++n) {
    auto address = image.jit->lookup("piece_" + std::to_string(n));
    if (!address) return address.takeError();
    functions[n] = address->toPtr<void*>();
  }
  return llvm::Error::success();
}

int link(const jit::ObjectView* objects, std::size_t num_objects, std::size_t num_pieces,
         void** functions, void** image, jit::daedal_receiver failed, void* context) {
  static_cast<void>(host());  // the target is initialised
  auto made = std::make_unique<Image>();
  if (llvm::Error error = link_into(*made, objects, num_objects, num_pieces, functions)) {
    give(failed, context, llvm::toString(std::move(error)));
    return 1;
  }
  *image = made.release();
  return 0;
}

void release(void* image) { delete static_cast<Image*>(image); }

constexpr jit::daedal_compiler_functions functions = {jit::interface_version, describe_target,
                                                      compile, link, release};

}  // namespace
}  // namespace daedal::llvm_backend

extern "C" __attribute__((visibility("default"))) const daedal::jit::daedal_compiler_functions*
daedal_compiler() {
  return &daedal::llvm_backend::functions;
}
