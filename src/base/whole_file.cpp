#include "base/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace daedal::base {
namespace {

[[noreturn]] void fail() { throw FileFailure{std::strerror(errno)}; }

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0)
      : number_(open(path.c_str(), flags | O_CLOEXEC, mode)) {
    if (number_ < 0) fail();
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  void synchronise() const {
    if (fsync(number_) != 0) fail();
  }
  void close() {
    if (::close(std::exchange(number_, -1)) != 0) fail();
  }

 private:
  int number_;
};

void write_all(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// Symbolic links stay what they are; the file behind them is replaced.
std::string target_of(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  return target.empty() ? path : target.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string read_whole(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  struct stat status = {};
  if (fstat(file.number(), &status) != 0) fail();
  if (!S_ISREG(status.st_mode)) throw FileFailure{"it is no regular file"};
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t count = ::read(file.number(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

void replace_whole(const std::string& path, std::string_view bytes) {
  constexpr mode_t readable_by_all = 0666;  // less what the user's umask takes away
  const std::string target = target_of(path);
  const std::string temporary = target + ".part";
  try {
    Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC, readable_by_all);
    write_all(file, bytes);
    file.synchronise();
    file.close();
    if (std::rename(temporary.c_str(), target.c_str()) != 0) fail();
  } catch (const FileFailure&) {
    unlink(temporary.c_str());
    throw;
  }
  Descriptor(folder_of(target), O_RDONLY | O_DIRECTORY).synchronise();
}

}  // namespace daedal::base
