#include "frontend/LaunchBrackets.h"

#include <gtest/gtest.h>

using gpuad::frontend::joinLaunchBrackets;

TEST(LaunchBrackets, AreJoinedInPlace) {
  EXPECT_EQ(joinLaunchBrackets("f<< <1, 32>> >(x);"), "f<<< 1, 32>>> (x);");
  EXPECT_EQ(joinLaunchBrackets("f <<  <dim3(n << 1), g(1, 2) >>  >\n  (x);"),
            "f <<<  dim3(n << 1), g(1, 2) >>>  \n  (x);");
  EXPECT_EQ(joinLaunchBrackets("f<<<1, 32>> >(x); g<< <1, 2>>>(y);"), "f<<<1, 32>>> (x); g<<< 1, 2>>>(y);");
}

TEST(LaunchBrackets, OtherTextStays) {
  EXPECT_EQ(joinLaunchBrackets("f<<<1, 32>>>(x);"), std::nullopt);
  EXPECT_EQ(joinLaunchBrackets("vector<vector<int> > v; a << b; std::cout << x >> y;"), std::nullopt);
  EXPECT_EQ(joinLaunchBrackets("std::operator<< <char>(a, b); c >> >(d);"), std::nullopt);
  EXPECT_EQ(joinLaunchBrackets("f<< <1, 32; g>> >(x);"), std::nullopt);
}
