#include "base/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace daedal::base {
namespace {

constexpr std::string_view part_ending = ".part";

void write_all(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno();
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// From the file's place; at most so many bytes.
std::string read_up_to(const Descriptor& file, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t count = ::read(file.number(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno();
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

// Symbolic links stay what they are; the file that they lead to is replaced.
std::string target_of(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  return target.empty() ? path : target.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// The temporary file beside a target. Ours alone while it is locked; it goes with this object
// unless it has become the target.
class PartFile {
 public:
  PartFile(std::string target, std::string_view beginning)
      : target_(std::move(target)), path_(target_ + std::string(part_ending)) {
    constexpr mode_t readable_by_all = 0666;  // less what the user's umask takes away
    if (target_.ends_with(part_ending))
      throw FileFailure{"names that end with .part are those of temporary files",
                        "choose another name"};
    struct stat status = {};
    if (lstat(path_.c_str(), &status) == 0) require_plain(status);
    file_ = open_locked(path_, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, readable_by_all);
    require_plain(file_.status());
    if (!beginning.starts_with(read_up_to(file_, beginning.size())))
      refuse("it does not begin as such files do");
    is_ours_ = true;
    keep_permissions();
  }
  ~PartFile() {
    if (is_ours_) unlink(path_.c_str());
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  void become_target(std::string_view bytes) {
    if (ftruncate(file_.number(), 0) != 0 || lseek(file_.number(), 0, SEEK_SET) != 0)
      fail_with_errno();
    write_all(file_, bytes);
    file_.synchronise();
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail_with_errno();
    is_ours_ = false;
    file_.close();
  }

 private:
  [[noreturn]] void refuse(const char* why) const {
    throw FileFailure{
        fmt::format("'{}', which is written first, is not ours to replace: {}", path_, why),
        "move that file away, or choose another name"};
  }

  // Links, folders, pipes and files with a second name belong to someone.
  void require_plain(const struct stat& status) const {
    if (!S_ISREG(status.st_mode)) refuse("it is no regular file");
    if (status.st_nlink > 1) refuse("it has other names, too");
  }

  // Those of the old file; its owner can always replace it. A file system that has no permissions
  // has none to keep.
  void keep_permissions() const {
    constexpr mode_t permissions = 07777, owner = S_IRUSR | S_IWUSR;
    struct stat old = {};
    if (stat(target_.c_str(), &old) == 0)
      fchmod(file_.number(), (old.st_mode & permissions) | owner);
  }

  std::string target_;
  std::string path_;
  Descriptor file_;
  bool is_ours_ = false;
};

}  // namespace

std::string read_whole(const std::string& path) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);  // which does not wait for a pipe's other end
  const struct stat status = file.status();
  if (!S_ISREG(status.st_mode)) throw FileFailure{"it is no regular file"};
  return read_up_to(file, static_cast<std::size_t>(status.st_size));
}

void replace_whole(const std::string& path, std::string_view bytes, std::string_view beginning) {
  const std::string target = target_of(path);
  PartFile(target, beginning).become_target(bytes);
  Descriptor(folder_of(target), O_RDONLY | O_DIRECTORY).synchronise();
}

void require_replaceable(const std::string& path, std::string_view beginning) {
  const PartFile made_and_removed(target_of(path), beginning);
}

std::string part_file_of(const std::string& path) {
  return target_of(path) + std::string(part_ending);
}

}  // namespace daedal::base
