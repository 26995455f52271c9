// The drawing of a model: annotation(__daedal(draw = {line(...), circle(...)})).
#include "lang/recursive_descent.hpp"

namespace daedal::lang {

void Parser::parse_drawing() {
  take();
  const Token& opening = take();
  if (!peek().is_identifier("draw")) fail_unexpected("'draw', as in __daedal(draw = {...})");
  take();
  expect("=", "a drawing is: draw = {line(...), circle(...)}");
  if (!at("{")) fail_unexpected("'{', as in draw = {line(...), circle(...)}");
  const Token& brace = take();
  do parse_shape();
  while (accept(","));
  expect_closing("}", brace);
  expect_closing(")", opening);
}

// kind(points {, name = value})
void Parser::parse_shape() {
  if (!at_kind(TokenKind::identifier) || !peek(1).is("("))
    fail_unexpected("a shape such as line({{0, 0}, {x, y}})");
  const Token& kind = take();
  const Token& opening = take();
  ShapeEntry shape{std::string(kind.text), kind.position, parse_expression(), {}};
  while (accept(",")) {
    const Token& name = peek();
    if (name.kind != TokenKind::identifier) fail_unexpected("a setting such as color");
    take();
    expect("=", "settings are: name = value");
    shape.settings.push_back({std::string(name.text), name.position, parse_expression()});
  }
  expect_closing(")", opening);
  ast_.drawing.push_back(std::move(shape));
}

}  // namespace daedal::lang
