// An open file that closes itself; what the operating system refuses is an exception.
#pragma once

#include <sys/stat.h>

#include <string>
#include <utility>

namespace daedal::base {

// Why a file cannot be used, in the system's words: "No such file or directory".
struct FileFailure {
  std::string why;
  std::string todo = {};  // "" if it follows from what the file was wanted for
};

// Another process has locked it.
struct FileInUse : FileFailure {};

// Throws FileFailure with the words for errno.
[[noreturn]] void fail_with_errno();

// Every function throws FileFailure.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const std::string& path, int flags, mode_t mode = 0);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  struct stat status() const;
  void synchronise() const;
  void close();

 private:
  int number_ = -1;
};

// A regular file is locked until it is closed, so that no two processes write it. Throws FileInUse
// for one that another process has locked. Devices and pipes are only opened.
Descriptor open_locked(const std::string& path, int flags, mode_t mode = 0);

}  // namespace daedal::base
