// The numbers of DETEST C5, for both forms of it.
#pragma once

#include <array>
#include <string>

namespace daedal::problems::planets {

inline constexpr int num_planets = 5;

inline constexpr std::array<double, num_planets> masses = {0.000954786104043, 0.000285583733151,
                                                           0.0000437273164546, 0.0000517759138449,
                                                           0.00000277777777778};

// {position, velocity} of each coordinate of each planet
inline constexpr double start[num_planets][3][2] = {{{3.42947415189, -0.557160570446},
                                                     {3.35386959711, 0.505696783289},
                                                     {1.35494901715, 0.230578543901}},
                                                    {{6.64145542550, -0.415570776342},
                                                     {5.97156957878, 0.365682722812},
                                                     {2.18231499728, 0.169143213293}},
                                                    {{11.2630437207, -0.325325669158},
                                                     {14.6952576794, 0.189706021964},
                                                     {6.27960525067, 0.0877265322780}},
                                                    {{-30.1552268759, -0.0240476254170},
                                                     {1.65699966404, -0.287659532608},
                                                     {1.43785752721, -0.117219543175}},
                                                    {{-21.1238353380, -0.176860753121},
                                                     {28.4465098142, -0.216393453025},
                                                     {15.3882659679, -0.0148647893090}}};

inline std::string element(const std::string& name, int j, int i) {
  return name + "[" + std::to_string(j + 1) + "," + std::to_string(i + 1) + "]";
}

}  // namespace daedal::problems::planets
