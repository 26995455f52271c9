#include "base/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daedal::base {
namespace {

struct Pair {
  double number = 0.0;
  std::vector<std::string> texts;
};
template <typename Archive>
void transfer(Archive& archive, Pair& pair) {
  archive(pair.number, pair.texts);
}

TEST(Archive, gives_back_every_bit) {
  const std::vector<double> numbers = {0.0,
                                       -0.0,
                                       1.0 / 3.0,
                                       std::numeric_limits<double>::denorm_min(),
                                       std::numeric_limits<double>::infinity(),
                                       std::nan("")};
  const std::vector<Pair> pairs = {{2.5, {"a", "", std::string("\0b", 2)}}, {}};
  const std::map<std::string, std::optional<int>> map = {{"x", 3}, {"y", std::nullopt}};
  const std::vector<bool> flags = {true, false, true};
  Writer writer;
  writer(numbers, pairs, map, flags, std::array<long, 2>{1, -1});
  Reader reader(writer.bytes());
  const auto again = reader.read<std::vector<double>>();
  ASSERT_EQ(again.size(), numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again[k]), std::bit_cast<std::uint64_t>(numbers[k]));
  const auto same_pairs = reader.read<std::vector<Pair>>();
  ASSERT_EQ(same_pairs.size(), 2U);
  EXPECT_EQ(same_pairs[0].texts, pairs[0].texts);
  EXPECT_EQ((reader.read<std::map<std::string, std::optional<int>>>()), map);
  EXPECT_EQ(reader.read<std::vector<bool>>(), flags);
  EXPECT_EQ((reader.read<std::array<long, 2>>()), (std::array<long, 2>{1, -1}));
  EXPECT_TRUE(reader.rest().empty());
}

TEST(Archive, that_ends_too_early_is_refused_wherever_it_ends) {
  Writer writer;
  writer(std::vector<Pair>{{1.0, {"some", "text"}}, {2.0, {}}});
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    Reader reader(std::string_view(writer.bytes()).substr(0, size));
    EXPECT_THROW(reader.read<std::vector<Pair>>(), BadArchive) << size;
  }
}

TEST(Archive, allocates_nothing_for_lengths_that_it_cannot_hold) {
  Writer writer;
  writer(std::uint64_t{1} << 60, 1.0);
  EXPECT_THROW(Reader(writer.bytes()).read<std::vector<double>>(), BadArchive);
  EXPECT_THROW(Reader(writer.bytes()).read<std::string>(), BadArchive);
  EXPECT_THROW(Reader(writer.bytes()).read<std::vector<Pair>>(), BadArchive);
}

TEST(Checksum, of_FNV_1a_is_the_published_one) {
  EXPECT_EQ(checksum_of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(checksum_of("foobar"), 0x85944171f73967e8U);  // draft-eastlake-fnv, appendix
}

}  // namespace
}  // namespace daedal::base
