// `daedal completion SHELL`, and `daedal complete`, which the scripts call with what was typed.
//
// A line of the answer is a candidate, followed by a tab and a few words about it if there are any;
// or ":files .mo" where the shell should complete names of files, with that ending if there is one.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/printable.hpp"
#include "cli/command_line.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/style.hpp"
#include "model/model_data.hpp"

namespace daedal::cli {
namespace {

struct Candidate {
  std::string text;
  std::string about = {};
};
using Candidates = std::vector<Candidate>;

const char* const any_file = ":files";

// What has been typed after the verb, sorted.
struct Typed {
  std::string verb;
  std::string last;                      // to be completed
  const Word* option = nullptr;          // whose value it is
  std::vector<std::string> places = {};  // before the last
  bool are_options_over = false;         // after --
};

const Word* find_option(const std::vector<Word>& options, const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const Word& option) {
    return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
  });
  return found == options.end() ? nullptr : &*found;
}

// What every verb takes besides its own words.
std::vector<Word> with_common_options(std::vector<Word> options) {
  options.push_back({.names = {"--color"}, .takes = "WHEN", .choices = color_choices()});
  options.push_back({.names = {"-h", "--help"}});
  return options;
}

Typed sort_words(const std::vector<std::string>& words, const std::vector<Word>& options) {
  Typed typed = {.verb = words.front(), .last = words.back()};
  for (std::size_t k = 1; k + 1 < words.size(); ++k) {
    const std::string& word = words[k];
    if (typed.are_options_over || !word.starts_with('-') || word == "-") {
      if (typed.option == nullptr) typed.places.push_back(word);
      typed.option = nullptr;
      continue;
    }
    typed.are_options_over = word == "--";
    const Word* option = find_option(options, word);
    typed.option = option != nullptr && !option->takes.empty() ? option : nullptr;
  }
  return typed;
}

// The model on the line, if it can be read as it stands.
std::optional<Model> model_of(const Typed& typed) {
  if (typed.places.empty()) return {};
  std::string path = typed.places.front();
  const char* home = std::getenv("HOME");
  if (path.starts_with("~/") && home != nullptr) path.replace(0, 1, home);
  try {
    return load_model(path, {});
  } catch (const Error&) {
    return {};
  }
}

Candidates parameters_of(const Typed& typed) {
  Candidates candidates;
  if (const auto model = model_of(typed))
    for (const model::Parameter& parameter : model->data().parameters)
      if (!parameter.is_discrete)
        candidates.push_back({parameter.name + "=", parameter.description});
  return candidates;
}

Candidates columns_of(const Typed& typed) {
  Candidates candidates;
  if (const auto model = model_of(typed))
    for (const model::Variable& variable : model->data().variables)
      for (const int order : {0, 1})
        candidates.push_back(
            {model::derivative_name(variable.name, order) + "=", variable.description});
  return candidates;
}

// A list, or a pair, goes on after its last comma or colon.
Candidates plots_of(const Typed& typed, const std::string& given) {
  Candidates candidates;
  const std::size_t end = given.find_last_of(",:");
  const std::string before = end == std::string::npos ? "" : given.substr(0, end + 1);
  if (const auto model = model_of(typed)) {
    for (const model::Variable& variable : model->data().variables)
      candidates.push_back({before + variable.name, variable.description});
    for (const model::Output& reported : model::reported_of(model->data()))
      candidates.push_back({before + reported.name, reported.description});
  }
  return candidates;
}

Candidates plain(const std::vector<std::string>& texts) {
  Candidates candidates;
  for (const std::string& text : texts) candidates.push_back({text});
  return candidates;
}

Candidates values_of(const Typed& typed, const Word& option, const std::string& given) {
  if (!option.choices.empty()) return plain(option.choices);
  if (option.takes == "FILE") return {{any_file}};
  if (option.takes == "name=value") return parameters_of(typed);
  if (option.takes == "column=value") return columns_of(typed);
  return option.takes == "[NAMES]" ? plots_of(typed, given) : Candidates();
}

Candidates all_verbs() {
  Candidates candidates;
  for (const std::string& verb : verbs())
    candidates.push_back({verb, summary(help_text(""), verb)});
  return candidates;
}

// "# E-STR-001: what happened"
Candidates all_errors() {
  Candidates candidates = {{"list", "all ids with their short meanings"}};
  for (const std::string& id : error_ids()) {
    const std::string page = error_page(id);
    const std::size_t about = page.find(": ") + 2;
    candidates.push_back({id, page.substr(about, page.find('\n') - about)});
  }
  return candidates;
}

Candidates options_of(const Typed& typed, const std::vector<Word>& options) {
  Candidates candidates;
  for (const Word& option : options)
    for (const std::string& name : option.names) {
      const std::string own = summary(help_text(typed.verb), name);
      candidates.push_back({name, own.empty() ? summary(help_text(""), name) : own});
    }
  return candidates;
}

Candidates places_of(const Typed& typed, const VerbWords& words) {
  if (typed.places.size() >= words.places.size()) return {};
  const Word& place = words.places[typed.places.size()];
  const std::string& name = place.names.front();
  if (name == "VERB") return all_verbs();
  if (name == "ERROR-ID") return all_errors();
  if (name == "MODEL") return {{":files .mo"}};
  return name == "MEMBERS.csv" ? Candidates{{":files .csv"}} : plain(place.choices);
}

Candidates candidates_of_verb(const std::vector<std::string>& words) {
  const VerbWords known = words_of(words.front());
  const std::vector<Word> options = with_common_options(known.options);
  const Typed typed = sort_words(words, options);
  const bool begins_option = typed.last.starts_with('-') && !typed.are_options_over;
  if (typed.option != nullptr && !(typed.option->is_value_optional && begins_option))
    return values_of(typed, *typed.option, typed.last);
  if (!begins_option) return places_of(typed, known);
  const std::size_t equals = typed.last.find('=');
  const Word* option = find_option(options, typed.last.substr(0, equals));
  if (equals == std::string::npos || option == nullptr) return options_of(typed, options);
  Candidates candidates = values_of(typed, *option, typed.last.substr(equals + 1));
  for (Candidate& candidate : candidates)
    if (candidate.text != any_file) candidate.text.insert(0, typed.last, 0, equals + 1);
  return candidates;
}

Candidates candidates_of(const std::vector<std::string>& words) {
  if (words.size() > 1) return candidates_of_verb(words);
  Candidates candidates = all_verbs();
  for (const char* option : {"--help", "--version", "--color"})
    candidates.push_back({option, summary(help_text(""), option)});
  return candidates;
}

// Scripts hand candidates to shells as they are: names that a shell would take for more than a word
// are left out.
bool is_plain_word(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char ch) {
    const auto byte = static_cast<unsigned char>(ch);
    return byte >= 0x80 || std::isalnum(byte) != 0 ||
           std::string_view("_-+=.,:/[]()' ").find(ch) != std::string_view::npos;
  });
}

// A model's descriptions may have several lines, of which the first is told.
std::string line_of(const Candidate& candidate) {
  const std::string about = base::printable(
      std::string_view(candidate.about).substr(0, candidate.about.find_first_of("\n\r\t")));
  return candidate.text + (about.empty() ? "" : "\t" + about);
}

}  // namespace

int complete_words(const std::vector<std::string>& given) {
  std::vector<std::string> words = given;
  if (words.empty()) words = {""};
  while (words.size() > 2 && words[0] == "--color") words.erase(words.begin(), words.begin() + 2);
  if (words.size() == 2 && words[0] == "--color") words = {"help", "--color", words[1]};
  for (const Candidate& candidate : candidates_of(words)) {
    if (!candidate.text.starts_with(words.back()) && !candidate.text.starts_with(any_file))
      continue;
    if (is_plain_word(candidate.text)) fmt::print("{}\n", line_of(candidate));
  }
  return exit_done;
}

int completion(const std::string& shell) {
  fmt::print("{}", shell == "bash"  ? bash_completion
                   : shell == "zsh" ? zsh_completion
                                    : fish_completion);
  return exit_done;
}

}  // namespace daedal::cli
