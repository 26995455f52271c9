// Models: named variables, parameters and equations.
//
//   daedal::Model model("Pendulum");
//   auto g = model.parameter("g", 9.81), L = model.parameter("L", 10.0);
//   auto x = model.variable("x", {.start = {10, 0}});
//   auto y = model.variable("y", {.start = {0, 1}, .fixed = {true, true}});
//   auto lambda = model.variable("lambda");
//   model.equation(der(x, 2) + x*lambda == 0);
//   model.equation(der(y, 2) + y*lambda == g);
//   model.equation("length", sqr(x) + sqr(y) == sqr(L));
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daedal/expression.hpp"
#include "daedal/location.hpp"

namespace daedal {

namespace model {
struct ModelData;
}

struct Lagrangian;

struct VariableOptions {
  // {x, x', ...}: numbers or expressions of parameters (E-MOD-009); guesses unless fixed.
  std::vector<Expression> start = {};
  // fixed[k]: the k-th start value must hold. Not longer than start (E-MOD-010).
  std::vector<bool> fixed = {};
  // Typical size of x, above 0 (E-MOD-010), a number or an expression of parameters; scales
  // tolerances and distances.
  Expression nominal = 1.0;
  // Shown in results. Units are not converted and not checked.
  std::string unit = {};
  std::string description = {};
};

struct ParameterOptions {
  std::string unit = {};
  std::string description = {};
};

struct OutputOptions {
  std::string unit = {};
  std::string description = {};
};

// What the animation of a report draws, as the solution goes.
struct Shape {
  enum class Kind {
    line,     // through the points, in their order
    polygon,  // a closed and filled line through the points
    circle,   // about each point
    trace,    // the path of each point up to the time shown
  };
  Kind kind = Kind::line;
  // Each point is {x, y} with y upwards, or {x, y, z} with z upwards: expressions of the model.
  std::vector<std::vector<Expression>> points = {};
  std::string color = {};   // as in CSS: "steelblue", "#4682b4"; empty: chosen by the report
  double width = 2.0;       // width of lines in pixels, above 0 and at most 100
  Expression radius = 0.0;  // radius of circles, in the units of the points; 0: a dot
};

// A model's own defaults for a run, which solve() takes where its options say nothing; times are in
// the model's unit of time.
struct Experiment {
  std::optional<double> start_time = {};  // default of SolveOptions::from
  std::optional<double> stop_time = {};   // default of SolveOptions::to
  std::optional<double> tolerance = {};   // default of SolveOptions::tolerance
};

// What a when clause does. `value` is computed from the values just before the event.
struct Action {
  enum class Kind { reinit, assign, terminate };
  Kind kind = Kind::reinit;
  Expression target = {};    // of reinit: a variable or a derivative of one; of assign: a discrete
                             // variable
  Expression value = {};     // the target's value just after the event
  std::string message = {};  // of terminate: why the run ends
};
// A variable or derivative, der(x) or der(x, 2), starts again from another value. Model::when
// throws E-MOD-015 for a target that is neither.
Action reinit(const Expression& target, const Expression& value);
// A discrete variable gets another value. Model::when throws E-MOD-016 for a target that is none.
Action assign(const Expression& target, const Expression& value);
// The run ends here, as planned: with Status::ok.
Action terminate(std::string message = {});

// A model while it is built, and the input of analyze(), solve() and so on, which leave the model
// as it is and keep no reference to it. A Model can be moved, not copied; its Expressions stay
// valid when it is moved. Several threads may use one Model as long as none of them changes it;
// operators on its Expressions change it, because they record into it. A Model that was moved from
// throws E-MOD-014 when it is used.
class Model {
 public:
  explicit Model(std::string name, std::string description = {});
  explicit Model(model::ModelData data);  // for the library itself
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  // A new unknown. When the model is used, names are checked: each may occur once (E-MOD-005).
  // `place`, here and below, is where messages say that the declaration stands.
  Expression variable(const std::string& name, const VariableOptions& options = {},
                      Location place = Location::current());
  // New unknowns name[1] ... name[size], all with the same options; none if size < 1.
  std::vector<Expression> variables(const std::string& name, int size,
                                    const VariableOptions& each = {},
                                    Location place = Location::current());

  // A new parameter: a run-time input with a default, which may be an expression of earlier
  // parameters.
  Expression parameter(const std::string& name, const Expression& value,
                       const ParameterOptions& options = {}, Location place = Location::current());
  // A parameter without default: set_parameter must give its value before the model is used
  // (E-MOD-002).
  Expression parameter(const std::string& name, Location place = Location::current());
  // Changes a parameter's value. Throws E-MOD-007 for an unknown name, E-MOD-003 for NaN or
  // infinity, E-MOD-011 for a structural parameter (an array size, exponent or loop bound of a
  // model text).
  void set_parameter(const std::string& name, double value);

  // These functions change what variable() was given, also in models that were read from a text or
  // ported. `name` is a variable or a derivative of one: "x", "der(x)", "der(x, 2)". set_start
  // gives it another guess, fix_start a value that must hold at the start. They throw E-SIM-002 for
  // a name that is none of these, E-SIM-006 for NaN or infinity.
  void set_start(const std::string& name, double value);
  void fix_start(const std::string& name, double value);
  // Sets the typical size of a variable, VariableOptions::nominal. Throws E-SIM-002 for a name that
  // is no variable, a derivative's among them, E-SIM-006 for NaN or infinity.
  void set_nominal(const std::string& variable, double nominal);

  Expression time() const;  // the independent variable t

  // Adds left = right. Without a name, messages speak of "equation 3".
  void equation(const Equality& equality, Location place = Location::current());
  void equation(const std::string& name, const Equality& equality,
                Location place = Location::current());
  // An extra condition that holds only at the start.
  void initial_equation(const Equality& equality, Location place = Location::current());
  void initial_equation(const std::string& name, const Equality& equality,
                        Location place = Location::current());

  // Adds an event that happens at every instant at which the condition becomes true. Without
  // actions the event is reported, and nothing changes. Without a name, messages show the
  // condition.
  void when(const Condition& condition, const std::vector<Action>& actions = {},
            Location place = Location::current());
  void when(const std::string& name, const Condition& condition,
            const std::vector<Action>& actions = {}, Location place = Location::current());
  // A new discrete variable, which keeps its value from event to event; assign() changes it.
  // `start` may depend on parameters only (E-MOD-009).
  Expression discrete(const std::string& name, const Expression& start,
                      Location place = Location::current());

  // Adds an output: an expression that is reported wherever the variables are, computed from the
  // solution and not solved for. The expression may contain anything of the model; the output's
  // name must be free (E-MOD-005), and equations cannot refer to it. The energy of a Lagrangian is
  // an output without this call.
  void output(const std::string& name, const Expression& expression,
              const OutputOptions& options = {}, Location place = Location::current());

  // Adds a shape to the animation of the model's reports. Throws E-MOD-017 for a shape without
  // points, for points that do not all have 2 or all have 3 coordinates (those of earlier shapes
  // included), for a colour that is none, and for a width that is not above 0 and at most 100.
  void draw(const Shape& shape, Location place = Location::current());

  void set_experiment(const Experiment& experiment);
  Experiment experiment() const;

  const std::string& name() const;
  int num_variables() const;
  int num_equations() const;

  // For the library itself.
  const model::ModelData& data() const;

 private:
  friend std::vector<Expression> add_lagrangian(Model& model, const Lagrangian& lagrangian,
                                                Location place);
  model::ModelData& owned() const;
  void give_start(const std::string& name, double value, bool is_fixed);

  std::unique_ptr<model::ModelData> data_;
};

// Values of parameters by name.
using ParameterValues = std::map<std::string, double>;

// The size to which a model text may unroll: a file is not trusted to fit into memory (E-LNG-008).
struct ModelLimits {
  // Most scalars in one array, most in all declarations together, and most in all equations
  // together, above 0. Elements, terms, equations and turns of loops together may be five times as
  // many.
  long max_elements = 10'000'000;
};

// Reads a model in daedal's language (a subset of flat Modelica, docs/reference/language.md).
// `parameters` override the defaults in the text, structural ones (array sizes, exponents, loop
// bounds) included. Throws Error with every problem found, each with file:line:column.
Model load_model(const std::string& path, const ParameterValues& parameters = {},
                 const ModelLimits& limits = {});
// Reads a model from a text in place of a file; `file` is the name that messages give to the text.
Model parse_model(const std::string& text, const std::string& file = "model",
                  const ParameterValues& parameters = {}, const ModelLimits& limits = {});

}  // namespace daedal
