# Two commands do everything on a bare Debian 12 machine:
#   make demo    installs what is missing, builds the program, analyses a pendulum, solves it and writes a report
#   make test    installs what is missing, builds, runs every test (release, then the sanitizers of addresses and undefined behaviour with
#                a minute of fuzzing, then that of threads)
# and one what changes from hour to hour:
#   make check   builds, and runs the tests of the release build but the longest; at its end it says what it leaves out
# and one the Python package:
#   make python  builds and installs it, without network; PYTHON=... chooses another Python than python3
.PHONY: demo test check build program python dependencies program_dependencies fuzz lint format approve benchmark reliability seeds gallery clean

demo: program
	@echo; echo "daedal analyze problems/pendulum/pendulum.mo"; echo
	@build/release/apps/cli/daedal analyze problems/pendulum/pendulum.mo
	@echo; echo "daedal run problems/pendulum/pendulum.mo --to 10 --tol 1e-12 --report build/pendulum.html"; echo
	@build/release/apps/cli/daedal run problems/pendulum/pendulum.mo --to 10 --tol 1e-12 --report build/pendulum.html

test: build
	ctest --preset release
	cmake --preset sanitize
	cmake --build --preset sanitize
	ctest --preset sanitize
	cmake --preset thread
	cmake --build --preset thread
	ctest --preset thread

check: build
	ctest --preset check
	@echo; echo "make check leaves out, and make test runs:"
	@ctest --preset release -N --label-regex '^slow$$' | sed -n 's/^ *Test *#[0-9]*: \(.*\)/  \1: ctest --preset release -R "^\1$$"/p'
	@for preset in "sanitize:addresses, undefined behaviour and a minute of fuzzing" "thread:threads"; do \
	   echo "  $${preset#*:}: cmake --preset $${preset%%:*} && cmake --build --preset $${preset%%:*} && ctest --preset $${preset%%:*}"; done
	@echo "Neither of them runs make lint, make fuzz, make reliability, make seeds and make benchmark."

# Ten minutes for each target, or FUZZ_SECONDS=...; what it finds is kept in build/fuzz/corpus and goes on from there.
fuzz: dependencies
	cmake --preset sanitize
	cmake --build --preset sanitize --target fuzzers
	tests/fuzz/run

build: dependencies
	cmake --preset release
	cmake --build --preset release

program: program_dependencies
	cmake --preset program
	cmake --build build/release --target program

python: program_dependencies
	cmake --preset program
	cmake --build build/release --target daedal_python
	@python/install

dependencies:
	@tools/install_dependencies

program_dependencies:
	@tools/install_dependencies --without-tests

lint: dependencies
	cmake --preset clang
	tools/run_clang_tidy build/clang

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

approve: build
	python3 tests/approval/approval.py --approve --program build/release/apps/cli/daedal
	DAEDAL_APPROVE=1 build/release/tests/unit_settings --gtest_brief=1 --gtest_filter='OptionPage.*'

benchmark: build
	cmake --build --preset release --target benchmarks
	build/release/benchmarks/structure_benchmark
	build/release/benchmarks/sparse_steps
	build/release/benchmarks/growth
	build/release/benchmarks/crumpling
	build/release/benchmarks/lagrangian
	build/release/benchmarks/hybrid
	build/release/benchmarks/formulation
	build/release/benchmarks/sweeps
	@for program in work_precision speed; do \
	   if [ -x build/release/benchmarks/$$program ]; then build/release/benchmarks/$$program || exit 1; \
	   else echo "$$program was not built: install libsundials-dev"; fi; done
	@if [ -x build/release/benchmarks/derivative_arrays ]; then build/release/benchmarks/derivative_arrays; \
	 else echo "derivative_arrays was not built: install libadolc-dev"; fi
	@if command -v valgrind > /dev/null; then benchmarks/instructions; \
	 else echo "instructions are not counted: install valgrind"; fi

# Thousands of random problems and the like: several minutes (docs/reliability.md).
reliability: build
	@tools/reliability

# Every command of docs/seeds.md, those that take long included, with what the page says that they print.
seeds: build
	cmake --build --preset release --target benchmarks
	python3 tests/docs/seeds_test.py --program build/release/apps/cli/daedal --build-folder build/release --all

gallery: program
	tools/make_gallery

clean:
	rm -rf build
