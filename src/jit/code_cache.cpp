#include "jit/code_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "daedal/version.hpp"
#include "jit/compiler_interface.hpp"

namespace daedal::jit {
namespace {

namespace fs = std::filesystem;

constexpr const char* magic = "daedal code 2\n";  // the number is that of the format
constexpr const char* extension = ".code";

// FNV-1a over words of eight bytes, with a rotation so that high bits reach low ones
// (http://www.isthe.com/chongo/tech/comp/fnv/). Two of them with different beginnings are a key.
class Hash {
 public:
  explicit Hash(std::uint64_t seed) : state_(0xcbf29ce484222325u ^ seed) {}

  void add(const void* bytes, std::size_t size) {
    const char* at = static_cast<const char*>(bytes);
    for (; size >= 8; at += 8, size -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      add(word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, at, size);
    add(rest);
    add(size);
  }
  void add(std::uint64_t word) { state_ = std::rotl((state_ ^ word) * 0x100000001b3u, 29); }
  std::uint64_t value() const {
    const std::uint64_t mixed = (state_ ^ (state_ >> 32)) * 0x9e3779b97f4a7c15u;
    return mixed ^ (mixed >> 29);
  }

 private:
  std::uint64_t state_;
};

template <typename T>
void add_all(Hash& hash, const std::vector<T>& values) {
  static_assert(std::has_unique_object_representations_v<T>);  // no bytes that mean nothing
  hash.add(values.data(), values.size() * sizeof(T));
}

std::uint64_t hash_of(const StageCode& code, const std::string& target, std::uint64_t seed) {
  Hash hash(seed);
  hash.add(magic, std::strlen(magic));
  hash.add(version(), std::strlen(version()));
  hash.add(static_cast<std::uint64_t>(interface_version));
  hash.add(target.data(), target.size());
  for (const Number number :
       {code.num_lanes, code.last_stage, code.num_segments, code.num_start_steps})
    hash.add(static_cast<std::uint64_t>(number));
  add_all(hash, code.operations);
  add_all(hash, code.lists);
  add_all(hash, code.pieces);
  return hash.value();
}

std::uint64_t checksum(std::string_view bytes) {
  Hash hash(0);
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

void put(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Reads numbers and texts from a file's bytes, as long as there are any.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::optional<std::string_view> text(std::uint64_t size) {
    if (size > rest_.size()) return {};
    const std::string_view result = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return result;
  }
  std::optional<std::uint64_t> number() {
    const auto bytes = text(sizeof(std::uint64_t));
    if (!bytes) return {};
    std::uint64_t result = 0;
    std::memcpy(&result, bytes->data(), sizeof result);
    return result;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// magic, key, number of objects, each with its size, checksum of all before.
std::string file_of(const CodeKey& key, const std::vector<std::string>& objects) {
  std::string bytes = magic;
  for (const std::uint64_t part : key) put(bytes, part);
  put(bytes, objects.size());
  for (const std::string& object : objects) {
    put(bytes, object.size());
    bytes += object;
  }
  put(bytes, checksum(bytes));
  return bytes;
}

std::optional<std::vector<std::string>> objects_in(std::string_view bytes, const CodeKey& key) {
  constexpr std::size_t tail = sizeof(std::uint64_t);
  if (bytes.size() < tail) return {};
  const std::string_view body = bytes.substr(0, bytes.size() - tail);
  if (Reader(bytes.substr(body.size())).number() != checksum(body)) return {};
  Reader reader(body);
  if (reader.text(std::strlen(magic)) != magic) return {};
  for (const std::uint64_t part : key)
    if (reader.number() != part) return {};
  std::vector<std::string> objects;
  for (std::uint64_t left = reader.number().value_or(0); left > 0; --left) {
    const auto object = reader.text(reader.number().value_or(~std::uint64_t{0}));
    if (!object) return {};
    objects.emplace_back(*object);
  }
  return reader.is_at_end() ? std::optional(objects) : std::nullopt;
}

// Machine code is run: only what this user wrote is taken. What is no regular file, or larger than
// the cache may be, was not put there by it.
bool is_own(const fs::path& path, std::uintmax_t most_bytes) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && status.st_uid == geteuid() &&
         S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) <= most_bytes;
}

}  // namespace

CodeKey key_of(const StageCode& code, const std::string& target) {
  return {hash_of(code, target, 0), hash_of(code, target, 0x5851f42d4c957f2du)};
}

CodeCache::CodeCache(fs::path folder, std::uintmax_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {}

fs::path CodeCache::default_folder() {
  const char* given = std::getenv("XDG_CACHE_HOME");
  if (given != nullptr && *given == '/') return fs::path(given) / "daedal";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return fs::path(home) / ".cache" / "daedal";
  return {};
}

fs::path CodeCache::path_of(const CodeKey& key) const {
  return folder_ / fmt::format("{:016x}{:016x}{}", key[0], key[1], extension);
}

std::optional<std::vector<std::string>> CodeCache::load(const CodeKey& key) const {
  if (folder_.empty() || !is_own(path_of(key), most_bytes_)) return {};
  std::ifstream file(path_of(key), std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) return {};
  std::error_code ignored;
  fs::last_write_time(path_of(key), fs::file_time_type::clock::now(), ignored);
  return objects_in(bytes.view(), key);
}

void CodeCache::store(const CodeKey& key, const std::vector<std::string>& objects) const {
  static std::atomic<int> num_files = 0;
  if (folder_.empty()) return;
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  const fs::path temporary =
      folder_ / fmt::format("{}.{}.{}.part", path_of(key).stem().string(), getpid(), num_files++);
  const std::string bytes = file_of(key, objects);
  std::ofstream file(temporary, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) fs::rename(temporary, path_of(key), error);
  if (!file || error) fs::remove(temporary, error);
  remove_oldest();
}

// Parts that a crash has left count, too.
void CodeCache::remove_oldest() const {
  struct File {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<File> files;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const fs::path path = at->path();
    if (path.extension() != extension && path.extension() != ".part") continue;
    std::error_code gone;
    const File file{fs::last_write_time(path, gone), fs::file_size(path, gone), path};
    if (gone) continue;
    total += file.size;
    files.push_back(file);
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= most_bytes_) return;
    fs::remove(file.path, error);
    total -= file.size;
  }
}

}  // namespace daedal::jit
