#include "base/descriptor.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace daedal::base {
namespace {

[[noreturn]] void fail_in_use() {
  throw FileInUse{
      {"another process is writing it", "wait until that one has ended, or choose another name"}};
}

// File systems without locks have none to respect.
void lock(const Descriptor& file) {
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) fail_in_use();
}

// False if the file was renamed or removed since it was opened.
bool has_name(const Descriptor& file, const std::string& path) {
  const struct stat opened = file.status();
  struct stat named = {};
  return stat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

}  // namespace

void fail_with_errno() { throw FileFailure{std::strerror(errno)}; }

Descriptor::Descriptor(const std::string& path, int flags, mode_t mode)
    : number_(open(path.c_str(), flags | O_CLOEXEC, mode)) {
  if (number_ < 0) fail_with_errno();
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

struct stat Descriptor::status() const {
  struct stat result = {};
  if (fstat(number_, &result) != 0) fail_with_errno();
  return result;
}

void Descriptor::synchronise() const {
  if (fsync(number_) != 0) fail_with_errno();
}

void Descriptor::close() {
  if (::close(std::exchange(number_, -1)) != 0) fail_with_errno();
}

// Whoever held the lock between our opening and our locking may have given the name to another
// file, or to none; each time it does, it has ended its work.
Descriptor open_locked(const std::string& path, int flags, mode_t mode) {
  constexpr int most_attempts = 100;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    Descriptor file(path, flags, mode);
    if (!S_ISREG(file.status().st_mode)) return file;
    lock(file);
    if (has_name(file, path)) return file;
  }
  fail_in_use();
}

}  // namespace daedal::base
