#include "lang/load.hpp"

#include "lang/diagnostics.hpp"
#include "lang/lower.hpp"
#include "lang/parser.hpp"
#include "lang/source.hpp"

namespace daedal {
namespace lang {

model::ModelData model_from(const Source& source, const ParameterValues& parameters,
                            const ModelLimits& limits) {
  check_text(source);
  Diagnostics diagnostics(source);
  const Ast ast = parse(source.text, diagnostics);
  model::ModelData data = lower(ast, source.file, parameters, limits, diagnostics);
  diagnostics.throw_if_any();
  return data;
}

}  // namespace lang

Model load_model(const std::string& path, const ParameterValues& parameters,
                 const ModelLimits& limits) {
  return Model(lang::model_from(lang::read_source(path), parameters, limits));
}

Model parse_model(const std::string& text, const std::string& file,
                  const ParameterValues& parameters, const ModelLimits& limits) {
  return Model(lang::model_from({.file = file, .text = text}, parameters, limits));
}

}  // namespace daedal
