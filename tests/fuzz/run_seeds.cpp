// Runs a fuzz target on files and on all files of folders, without libFuzzer: what the fuzzers
// found once stays found, whichever the compiler.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

namespace fs = std::filesystem;

void run(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::fprintf(stderr, "%s\n", file.c_str());  // the last line names the one that failed
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

int run_all(const fs::path& path) {
  if (fs::is_regular_file(path)) {
    run(path);
    return 1;
  }
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) {
      run(entry.path());
      ++count;
    }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  for (int k = 1; k < argc; ++k) count += run_all(argv[k]);
  std::printf("%d inputs\n", count);
  return count > 0 ? 0 : 1;
}
