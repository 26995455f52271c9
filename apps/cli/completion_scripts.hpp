// The scripts of completions/, compiled in.
#pragma once

namespace daedal::cli {

extern const char* const bash_completion;
extern const char* const zsh_completion;
extern const char* const fish_completion;

}  // namespace daedal::cli
