# Sourced by `tests/run` and `tests/prove`: steps with their logs, times and the summary, and what they need installed.
#
# The script that sources it defines `main`, `all_steps` and `longest`, and calls `begin "$@"`.
source tests/packages.sh

export CARGO_TERM_COLOR=never NO_COLOR=1 npm_config_update_notifier=false
target=${CARGO_TARGET_DIR:-target}
logs=$target/tests
report=()
failures=0
failed_steps=' '

begin() {
    mkdir -p "$logs"
    # A step runs in a process of its own, so that it can be ended.
    if [[ ${1:-} == do ]]; then
        "${@:2}"
        return
    fi
    rm -f "$logs"/*.log "$logs"/*.txt "$logs"/*.first "$logs/passed"
    wanted=" ${*:-$all_steps} "
    for name in "$@"; do
        [[ " $all_steps " == *" $name "* ]] || { echo "There is no step $name; there are: $all_steps" && exit 2; }
    done
    main
}

is_everything() {
    [[ $wanted == " $all_steps " ]]
}

# Runs a step where it is wanted, as long as there is time.
step() {
    local name=$1 start=$SECONDS outcome=ok code=0
    shift
    [[ $name == tools || $wanted == *" $name "* ]] || return 0
    printf '\n== %s\n' "$name"
    timeout --kill-after=30 $((longest > SECONDS ? longest - SECONDS : 1)) "$0" do "$@" 2>&1 | tee "$logs/$name.log" || code=$?
    case $code in
        0) ;;
        77) outcome=$(grep -a '^SKIPPED' "$logs/$name.log") ;;
        124 | 137) outcome="FAILED (no time left)" ;;
        *) outcome=FAILED ;;
    esac
    [[ $outcome != FAILED* ]] || note_failure "$name"
    report+=("$(printf '%-10s %4d s  %s' "$name" $((SECONDS - start)) "$outcome")")
    [[ $name != tools || $outcome == ok ]] || summary
}

note_failure() {
    failures=$((failures + 1))
    failed_steps+="$1 "
}

failed() {
    [[ $failed_steps == *" $1 "* ]]
}

# Leaves out steps that mean nothing any more.
skip() {
    local why=$1 name
    shift
    for name in "$@"; do
        [[ $wanted == *" $name "* ]] || continue
        report+=("$(printf '%-10s    -    not run: %s' "$name" "$why")")
        wanted=${wanted/ $name / }
    done
}

# The steps, what passed only when it was tried again, then the lines in which nextest, cargo test, vitest and node's runner
# give their counts.
summary() {
    printf '\n== summary\n'
    printf '%s\n' "${report[@]}"
    sed 's/\x1b\[[0-9;]*m//g' "$logs"/*.log | grep -aE '^ *(FLAKY|TRY 1 FAIL)|\(retry x[0-9]+\)' | sort -u || true
    local counts
    counts=$(cat "$logs"/*.log | sed 's/\x1b\[[0-9;]*m//g' |
        grep -aE '^( *Summary \[|test result:| *Tests  +[0-9]|ℹ (pass|fail) [0-9])' || true)
    printf '%s\n' "$counts"
    printf '%s\n' "$counts" | awk -v steps="$failures" '
        { line = $0
          while (match(line, /[0-9]+ (passed|failed)|(pass|fail) [0-9]+/)) {
              found = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
              number = found; gsub(/[^0-9]/, "", number)
              if (found ~ /pass/) passed += number; else failed += number
          } }
        END { if (steps > 0 && failed == 0) failed = steps; printf "%d passed, %d failed\n", passed, failed }'
    exit $((failures > 0))
}

# From here on the compiler is clippy's driver, which compiles what it looks at; a warning is an error.
with_lints() {
    local driver
    driver=$(rustc --print sysroot)/bin/clippy-driver
    [[ -x $driver ]] || { echo "clippy is missing: rustup component add clippy" && return 1; }
    export RUSTC_WORKSPACE_WRAPPER=$driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__
}

need_toolchains() {
    local tool
    for tool in cargo node npm; do
        command -v "$tool" >/dev/null || {
            echo "$tool is missing: the tests need a Rust toolchain (https://rustup.rs) and Node.js 20.19 or newer."
            return 1
        }
    done
}

# Installs a folder's npm packages when they are missing or older than the lock file.
packages() {
    [[ $1/node_modules/.package-lock.json -nt $1/package-lock.json ]] || npm --prefix "$1" ci --no-audit --no-fund
}

browser() {
    command -v chromium chromium-browser google-chrome >/dev/null && return
    [[ -d tests/browser/node_modules/@sparticuz/chromium ]] && return
    system_packages chromium || npm --prefix tests/browser install --no-save --no-audit --no-fund @sparticuz/chromium@153
}

korean_font() {
    fc-list :lang=ko 2>/dev/null | grep -q . || system_packages fonts-nanum ||
        echo "No Korean font is installed: screenshots will show boxes instead of Hangul."
}
