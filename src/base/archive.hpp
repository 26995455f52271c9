// Plain data as bytes and back. One function for each type serves both ways:
//
//   template <typename Archive>
//   void transfer(Archive& archive, Sample& sample) {
//     archive(sample.t, sample.values);
//   }
//
// Numbers are kept bit by bit, in the order of this machine's bytes. What is read is not trusted:
// lengths are checked against the bytes that are there before anything is allocated.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace daedal::base {

static_assert(std::endian::native == std::endian::little, "archives hold the lowest byte first");

// The bytes do not hold what they should.
struct BadArchive : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }
  // Bytes that are archived already.
  void append(std::string_view bytes) { bytes_.append(bytes); }

 private:
  void put_bytes(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  void put_size(std::size_t size) { put(static_cast<std::uint64_t>(size)); }

  template <Number T>
  void put(T value) {
    put_bytes(&value, sizeof value);
  }
  void put(const std::string& text) {
    put_size(text.size());
    put_bytes(text.data(), text.size());
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    put_size(values.size());
    if constexpr (Number<T> && !std::is_same_v<T, bool>)
      put_bytes(values.data(), values.size() * sizeof(T));
    else
      for (const auto& value : values) put(static_cast<const T&>(value));
  }
  template <typename T, std::size_t size>
  void put(const std::array<T, size>& values) {
    for (const T& value : values) put(value);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename Key, typename T>
  void put(const std::map<Key, T>& values) {
    put_size(values.size());
    for (const auto& [key, value] : values) (*this)(key, value);
  }
  template <typename T>
  requires std::is_class_v<T>
  void put(const T& value) {
    transfer(*this, const_cast<T&>(value));  // which only reads it
  }

  std::string bytes_;
};

// Throws BadArchive.
class Reader {
 public:
  // Keeps a reference.
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  template <typename T>
  T read() {
    T value{};
    get(value);
    return value;
  }
  std::string_view rest() const { return rest_; }
  // As many as an archive of its own has.
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw BadArchive("it ends too early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

 private:
  // The length of a sequence whose elements have at least so many bytes each.
  std::size_t get_size(std::size_t smallest) {
    const auto size = read<std::uint64_t>();
    if (size > rest_.size() / smallest) throw BadArchive("a length in it exceeds its size");
    return size;
  }

  template <Number T>
  void get(T& value) {
    const std::string_view bytes = take(sizeof value);
    if constexpr (std::is_same_v<T, bool>)
      value = bytes[0] != 0;
    else
      std::memcpy(&value, bytes.data(), sizeof value);
  }
  void get(std::string& text) { text = take(get_size(1)); }
  template <typename T>
  void get(std::vector<T>& values) {
    if constexpr (Number<T> && !std::is_same_v<T, bool>) {
      values.resize(get_size(sizeof(T)));
      if (values.empty()) return;
      std::memcpy(values.data(), take(values.size() * sizeof(T)).data(), values.size() * sizeof(T));
    } else {
      const std::size_t size = get_size(1);
      values.clear();
      for (std::size_t k = 0; k < size; ++k) values.push_back(read<T>());
    }
  }
  template <typename T, std::size_t size>
  void get(std::array<T, size>& values) {
    for (T& value : values) get(value);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    value.reset();
    if (read<bool>()) value = read<T>();
  }
  template <typename Key, typename T>
  void get(std::map<Key, T>& values) {
    values.clear();
    for (std::size_t left = get_size(1); left > 0; --left) {
      Key key = read<Key>();
      values[std::move(key)] = read<T>();
    }
  }
  template <typename T>
  requires std::is_class_v<T>
  void get(T& value) { transfer(*this, value); }

  std::string_view rest_;
};

// FNV-1a, 64 bits: tells damage, not intent.
class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * prime;
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t value_ = 0xcbf29ce484222325;
};

inline std::uint64_t checksum_of(std::string_view bytes) {
  Checksum checksum;
  checksum.add(bytes);
  return checksum.value();
}

}  // namespace daedal::base
