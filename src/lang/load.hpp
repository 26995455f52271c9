// Text -> model: read, parse, lower. The entry of the room.
#pragma once

#include <cstddef>
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

// Throws Error E-FIL-002 (empty), E-FIL-003 (binary or not UTF-8), E-FIL-004 (larger than 64 MB).
void check_text(const Source& source);

// The bytes of a file that messages call "the `what` file"; once they are more than `most_bytes`,
// the rest is left unread. Throws Error E-FIL-001.
std::string read_bytes(const std::string& path, const char* what, std::size_t most_bytes);

// Throws Error E-FIL-003 if this is no UTF-8 text. `what` is what the user is to give instead.
void check_encoding(const Source& source, const char* what);

// Throws Error with every problem found.
model::ModelData model_from(const Source& source, const ParameterValues& parameters,
                            const ModelLimits& limits = {});

}  // namespace daedal::lang
