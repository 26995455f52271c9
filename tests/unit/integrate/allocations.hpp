#pragma once

namespace daedal::test {

// Of this program so far: allocations_test.cpp replaces malloc.
long num_allocations();

}  // namespace daedal::test
