// Text -> model: read, parse, lower. The entry of the room.
#pragma once

#include <string>

#include "daedal/model.hpp"
#include "model/model_data.hpp"

namespace daedal::lang {

struct Source {
  std::string file;  // as messages name it
  std::string text;
};

// Reads a file; throws Error E-FIL-001 (missing or unreadable), E-FIL-002 (empty), E-FIL-003
// (binary or not UTF-8), E-FIL-004 (larger than 64 MB).
Source read_source(const std::string& path);

// Throws Error with every problem found.
model::ModelData model_from(const Source& source, const ParameterValues& parameters,
                            const ModelLimits& limits = {});

}  // namespace daedal::lang
