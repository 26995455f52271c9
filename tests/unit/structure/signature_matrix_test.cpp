#include "structure/signature_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.hpp"

namespace daedal::structure {
namespace {

using ::testing::ElementsAre;

TEST(SignatureMatrix, rows_list_unknowns_in_ascending_order_whatever_the_order_of_entries) {
  const SignatureMatrix sigma(2, 4, {{1, 3, 0}, {0, 2, 1}, {1, 0, 5}, {0, 0, 2}});
  EXPECT_EQ(sigma.num_entries(), 4);
  EXPECT_THAT(sigma.unknowns(0), ElementsAre(0, 2));
  EXPECT_THAT(sigma.orders(0), ElementsAre(2, 1));
  EXPECT_THAT(sigma.unknowns(1), ElementsAre(0, 3));
  EXPECT_THAT(sigma.orders(1), ElementsAre(5, 0));
}

TEST(SignatureMatrix, order_is_empty_where_the_unknown_does_not_occur) {
  const SignatureMatrix sigma(2, 3, {{0, 0, 2}, {0, 2, 0}});
  EXPECT_EQ(sigma.order(0, 0), 2);
  EXPECT_EQ(sigma.order(0, 1), std::nullopt);
  EXPECT_EQ(sigma.order(0, 2), 0);
  EXPECT_EQ(sigma.order(1, 0), std::nullopt);
}

TEST(SignatureMatrix, may_be_empty) {
  const SignatureMatrix sigma(0, 0, {});
  EXPECT_EQ(sigma.num_entries(), 0);
}

TEST(SignatureMatrix, rejects_two_entries_in_one_place) {
  EXPECT_THROW(SignatureMatrix(1, 1, {{0, 0, 1}, {0, 0, 2}}), base::Bug);
}

TEST(SignatureMatrix, rejects_indices_out_of_range_and_negative_orders) {
  EXPECT_THROW(SignatureMatrix(1, 1, {{1, 0, 0}}), base::Bug);
  EXPECT_THROW(SignatureMatrix(1, 1, {{-1, 0, 0}}), base::Bug);
  EXPECT_THROW(SignatureMatrix(1, 1, {{0, 1, 0}}), base::Bug);
  EXPECT_THROW(SignatureMatrix(1, 1, {{0, -1, 0}}), base::Bug);
  EXPECT_THROW(SignatureMatrix(1, 1, {{0, 0, -1}}), base::Bug);
  EXPECT_THROW(SignatureMatrix(-1, 1, {}), base::Bug);
}

}  // namespace
}  // namespace daedal::structure
