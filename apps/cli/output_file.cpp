#include "cli/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "daedal/error.hpp"

namespace daedal::cli {
namespace {

constexpr mode_t readable_by_all = 0666;  // less what the user's umask takes away

[[noreturn]] void refuse_file(const std::string& path, const base::FileFailure& failure) {
  throw Error(Problem{.id = "E-FIL-005",
                      .what = "the output file cannot be written",
                      .where = path,
                      .why = failure.why,
                      .todo = failure.todo.empty()
                                  ? "check the name, the folder, its permissions and the room on it"
                                  : failure.todo});
}

[[noreturn]] void refuse_file(const std::string& path, int reason) {
  refuse_file(path, base::FileFailure{std::strerror(reason)});
}

[[noreturn]] void refuse_standard_output(int reason) {
  throw Error(Problem{.id = "E-CLI-007",
                      .what = "the output could not be written",
                      .where = "-o -",
                      .why = std::string("standard output refused it: ") + std::strerror(reason),
                      .todo = "make room, or send the output elsewhere"});
}

[[noreturn]] void refuse_rows(const std::string& path, const std::string& why) {
  throw Error(Problem{.id = "E-CHK-007",
                      .what = "the rows until the checkpoint are not in the output file",
                      .where = path,
                      .why = why,
                      .todo = "put the file back as the run left it, or begin the run anew; it was "
                              "left as it is"});
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (is_standard_output()) return;
  std::error_code ignored;
  is_new_ = !std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
  try {
    file_ = base::open_locked(path, O_WRONLY | O_CREAT, readable_by_all);
  } catch (const base::FileFailure& failure) {
    refuse_file(path, failure);
  }
}

OutputFile::OutputFile(const std::string& path, std::uint64_t size, std::uint64_t checksum)
    : path_(path) {
  try {
    file_ = base::open_locked(path, O_RDWR | O_NONBLOCK);
  } catch (const base::FileInUse& failure) {
    refuse_file(path, failure);
  } catch (const base::FileFailure& failure) {
    refuse_rows(path, failure.why);
  }
  read_first(size);
  if (size_ != size)
    refuse_rows(path, fmt::format("it has {} bytes, and {} belong to the checkpoint", size_, size));
  if (this->checksum() != checksum)
    refuse_rows(path, fmt::format("its first {} bytes are not those that were written", size));
}

void OutputFile::read_first(std::uint64_t size) {
  std::string buffer(std::size_t{1} << 20, '\0');
  while (size_ < size) {
    const auto wanted = std::min<std::uint64_t>(buffer.size(), size - size_);
    const ssize_t count = ::read(descriptor(), buffer.data(), wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_file(path_, errno);
    if (count == 0) return;
    note_written(std::string_view(buffer).substr(0, static_cast<std::size_t>(count)));
  }
}

void OutputFile::note_written(std::string_view text) {
  size_ += text.size();
  checksum_.add(text);
}

void OutputFile::synchronise() const {
  if (fsync(descriptor()) != 0 && errno != EINVAL && errno != EROFS) refuse_file(path_, errno);
}

// Removed before it is closed, which gives the lock away.
OutputFile::~OutputFile() {
  if (is_new_ && !is_written_) unlink(path_.c_str());
}

int OutputFile::descriptor() const { return is_standard_output() ? STDOUT_FILENO : file_.number(); }

// Devices and pipes have nothing to empty, which is no error.
void OutputFile::empty_old_content() {
  if (!is_standard_output() && ftruncate(descriptor(), static_cast<off_t>(size_)) != 0 &&
      errno != EINVAL)
    refuse_file(path_, errno);
}

void OutputFile::write(std::string_view text) {
  if (!is_written_) empty_old_content();
  is_written_ = true;
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::write(descriptor(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) give_up(text.substr(0, size), errno);
    size += static_cast<std::size_t>(count);
  }
  note_written(text);
}

// Half a line that a full disk has taken goes again, where it can.
void OutputFile::give_up(std::string_view taken, int reason) {
  if (is_standard_output()) refuse_standard_output(reason);
  note_written(taken.substr(0, taken.rfind('\n') + 1));  // nothing if there is no line end
  if (ftruncate(file_.number(), static_cast<off_t>(size_)) == 0)
    lseek(file_.number(), static_cast<off_t>(size_), SEEK_SET);
  refuse_file(path_, reason);
}

}  // namespace daedal::cli
