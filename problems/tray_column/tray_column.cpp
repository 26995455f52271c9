#include <string>
#include <vector>

#include "problems/problems.hpp"

namespace daedal::problems {
namespace {

std::string element(const std::string& name, int i) { return name + "[" + std::to_string(i) + "]"; }

// One for each of `count` trays, with start values by tray.
template <typename Start>
std::vector<Expression> row(Model& model, const std::string& name, int count, bool fixed,
                            Start start, double nominal = 1.0) {
  std::vector<Expression> all;
  for (int k = 1; k <= count; ++k)
    all.push_back(model.variable(element(name, k),
                                 {.start = {start(k)},
                                  .fixed = fixed ? std::vector<bool>{true} : std::vector<bool>{},
                                  .nominal = nominal}));
  return all;
}

}  // namespace

Model tray_column(int num_trays) {
  Model model("TrayColumn", "absorption column with vapour dynamics");
  const int N = num_trays;
  const auto R = model.parameter("R", 0.08314);
  const auto Lin = model.parameter("Lin", 2.0), xin = model.parameter("xin", 0.001),
             Tin = model.parameter("Tin", 300.0);
  const auto Vin = model.parameter("Vin", 1.0), yin = model.parameter("yin", 0.1),
             Tgas = model.parameter("Tgas", 310.0);
  const auto Ptop = model.parameter("Ptop", 1.0), Msump = model.parameter("Msump", 5.0);
  const auto Vt = model.parameter("Vt", 5.0), vl = model.parameter("vl", 0.05);
  const auto kw = model.parameter("kw", 0.125), kv = model.parameter("kv", 5.0);
  const auto H0 = model.parameter("H0", 0.8), B = model.parameter("B", 2500.0),
             T0 = model.parameter("T0", 300.0);
  const auto cl = model.parameter("cl", 0.08), cv = model.parameter("cv", 0.03),
             dH = model.parameter("dH", 25.0);
  const auto profile = [N](int k) { return 0.001 + 0.05 * k * (1.0 / N); };
  const auto same = [](double value) { return [value](int) { return value; }; };
  const auto M_free = row(model, "M", N - 1, true, same(3.8));
  const auto x_free = row(model, "x", N, true, profile);
  const auto G = row(model, "G", N, false, same(0.2));
  const auto y_free = row(model, "y", N, false, profile);
  const auto T_free = row(model, "T", N, true, same(302), 100);
  const auto P_free = row(model, "P", N - 1, true, [](int k) { return 1 + 0.08 * k; });
  const auto L_free = row(model, "L", N, false, same(2));
  const auto V_free = row(model, "V", N, false, same(1));
  const auto A = row(model, "A", N, false, same(0.02));
  const auto K = row(model, "K", N, false, same(0.8));

  // Trays count from 0 here; what enters is tray -1 of the liquid and tray N of the gas.
  const auto M = [&](int i) { return i < N - 1 ? M_free[i] : Msump; };
  const auto P = [&](int i) { return i > 0 ? P_free[i - 1] : Ptop; };
  const auto L = [&](int i) { return i >= 0 ? L_free[i] : Lin; };
  const auto x = [&](int i) { return i >= 0 ? x_free[i] : xin; };
  const auto T_above = [&](int i) { return i > 0 ? T_free[i - 1] : Tin; };
  const auto V = [&](int i) { return i < N ? V_free[i] : Vin; };
  const auto y = [&](int i) { return i < N ? y_free[i] : yin; };
  const auto T_below = [&](int i) { return i < N - 1 ? T_free[i + 1] : Tgas; };
  // Equations of one kind, from tray `first` on; those of the first and the last tray have names of
  // their own.
  const auto name = [N](const std::string& kind, int i, bool has_top) {
    if (i == 0 && has_top) return kind + "_top";
    return i == N - 1 ? kind + "_bottom" : element(kind, i + 1);
  };

  for (int i = 0; i < N; ++i)
    model.equation(name("liquid", i, true), der(M(i)) == L(i - 1) - L(i) + A[i]);
  for (int i = 0; i < N; ++i)
    model.equation(name("solute", i, true),
                   der(M(i) * x(i)) == L(i - 1) * x(i - 1) - L(i) * x(i) + A[i]);
  for (int i = 0; i < N; ++i)
    model.equation(name("vapour", i, false), der(G[i]) == V(i + 1) - V(i) - A[i]);
  for (int i = 0; i < N; ++i)
    model.equation(name("gas_solute", i, false),
                   der(G[i] * y(i)) == V(i + 1) * y(i + 1) - V(i) * y(i) - A[i]);
  for (int i = 0; i < N; ++i)
    model.equation(name("heat", i, true), (cl * M(i) + cv * G[i]) * der(T_free[i]) ==
                                              cl * L(i - 1) * (T_above(i) - T_free[i]) +
                                                  cv * V(i + 1) * (T_below(i) - T_free[i]) +
                                                  dH * A[i]);
  for (int i = 0; i < N; ++i)
    model.equation(i == 0 ? "equilibrium_top" : element("equilibrium", i + 1),
                   y(i) * P(i) == K[i] * x(i));
  for (int i = 0; i < N; ++i)
    model.equation(name("gas", i, true), P(i) * (Vt - vl * M(i)) == G[i] * R * T_free[i]);
  for (int i = 0; i < N - 1; ++i) model.equation(element("weir", i + 1), L(i) == kw * sqr(M(i)));
  for (int i = 1; i < N; ++i)
    model.equation(i == 1 ? "resistance_top" : element("resistance", i + 1),
                   V(i) == kv * (sqr(P(i)) - sqr(P(i - 1))));
  for (int i = 0; i < N; ++i)
    model.equation(element("solubility", i + 1), K[i] == H0 * exp(B * (1 / T0 - 1 / T_free[i])));
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems
