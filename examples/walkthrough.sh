#!/usr/bin/env bash
# A household's first week through the JSON interface, with curl and jq. Each answer is checked; the first that is not as it
# should be ends the walk.
#
#   walkthrough.sh                                       the house on this machine, http://127.0.0.1:8420
#   PASSPHRASE='...' walkthrough.sh http://nas:8420      one that asks for the household's passphrase
#
# It writes todos, purchases and picks into the house: try it on a data folder of its own. Every route with its fields is in
# /api/openapi.json of the house.
set -euo pipefail

house=${1:-http://127.0.0.1:8420}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

main() {
    arrive
    monday
    tuesday
    wednesday
    thursday
    friday
    saturday
    sunday
    leave
}

arrive() {
    day "The first evening"
    get /health/ready
    says '.status == "ok"' "the house reads and writes"
    get /api/household
    if ! holds '.signed_in'; then
        post /api/household/sign-in "$(jq -n --arg passphrase "${PASSPHRASE:?the house asks for its passphrase}" '{$passphrase}')"
        get /api/household
    fi
    says '.signed_in' "we are in; access is $(of .access)"
}

monday() {
    day "Monday: what is to be done"
    post /api/todos '{"title": "전기 요금 내기", "due": "2030-01-07"}'
    local bill
    bill=$(of .id)
    says '.title == "전기 요금 내기" and .due == "2030-01-07" and .done == false' "todo $bill is written down"

    # A key makes a repeated request harmless: it is done once, and its answer is given again.
    local key milk
    key=walk-$(date +%s%N)
    post /api/todos '{"title": "Milk", "note": "two bottles"}' --header "Idempotency-Key: $key"
    milk=$(of .id)
    post /api/todos '{"title": "Milk", "note": "two bottles"}' --header "Idempotency-Key: $key"
    says ".id == $milk" "asked twice, written once: todo $milk"

    put "/api/todos/$milk" '{"done": true}'
    says '.done and .done_at != null' "todo $milk is done"
    get '/api/todos?limit=500'
    says "any(.todos[]; .id == $bill and (.done | not)) and any(.todos[]; .id == $milk and .done)" "both stand in the list"

    # What is refused changes nothing, and every error has the same shape.
    refused 422 post /api/todos '{"title": ""}'
    says '.error == "INVALID_INPUT" and .fields.title' "a todo without a title is refused: $(of .fields.title)"
}

tuesday() {
    day "Tuesday: other screens hear of it"
    local heard=$work/events
    : >"$heard"
    # The stream says hello first; whoever has heard that misses nothing.
    curl --silent --no-buffer --max-time 60 --cookie "$work/cookies" "$house/api/events" >"$heard" &
    local listening=$!
    await "the stream's hello" grep --quiet '^event: *hello' "$heard"
    post /api/todos '{"title": "Water the plants"}'
    await "the change in the stream" grep --quiet '"what":"todos"' "$heard"
    kill "$listening"
    wait "$listening" 2>/dev/null || true
    done_with "live events told of the new todo"
}

wednesday() {
    day "Wednesday: the lottery, honestly"
    get /api/lotto/latest
    newest=$(of .draw_no)
    coming=$(of .next_draw.draw_no)
    says '.draw_no >= 1245 and (.numbers | length) == 6' "draw $newest is the newest that is known, $coming the next"
    get '/api/lotto/draws?limit=3'
    says '(.draws | length) == 3 and .total >= 1245' "$(of .total) draws are inside"
    get '/api/lotto/recommend?seed=7'
    local first
    first=$(of '.numbers | tostring')
    get '/api/lotto/recommend?seed=7'
    says "(.numbers | tostring) == \"$first\" and (.reasons | length) > 0" "seed 7 gives $first, every time"
}

thursday() {
    day "Thursday: games for draw $coming"
    post /api/lotto/briefing
    says ".draw_no == $coming and (.tiers | length) == 4" "the briefing: $(of .headline_en)"
    local core
    core=$(jq -c '[.tiers[0].picks[].numbers]' "$work/answer")
    post /api/lotto/purchase/bulk "{\"draw_no\": $coming, \"tier_mode\": \"core\", \"sets\": $core}"
    says '.count == 3 and .amount == 3000' "its three core games are bought: $(of .amount) won"
    post /api/lotto/purchase "{\"draw_no\": $coming, \"sets\": [[3, 11, 17, 24, 38, 44]], \"note\": \"birthdays\"}"
    own=$(of .id)
    says '.status == "waiting" and .count == 1' "our own numbers wait for the draw: purchase $own"
    get /api/today
    says ".purchases_waiting.draw_no == $coming and .purchases_waiting.games >= 4" \
        "Today counts $(of .purchases_waiting.games) games"
}

friday() {
    day "Friday: second thoughts"
    put "/api/lotto/purchase/$own" '{"note": "the family'\''s birthdays"}'
    says '.note | startswith("the family")' "the note is changed"
    post /api/lotto/purchase "{\"draw_no\": $coming, \"sets\": [[1, 2, 3, 4, 5, 6]]}"
    local mistake
    mistake=$(of .id)
    delete "/api/lotto/purchase/$mistake"
    says '.ok' "purchase $mistake was a mistake and is gone"
    refused 404 delete "/api/lotto/purchase/$mistake"
    says '.error == "NOT_FOUND"' "it is gone only once"
    refused 422 post /api/lotto/purchase "{\"draw_no\": $coming, \"sets\": [[1, 2, 3, 4, 5, 46]]}"
    says '.error == "INVALID_INPUT"' "there is no number 46"
}

saturday() {
    day "Saturday: draw night"
    post /api/lotto/sync
    local task
    task=$(of .task_id)
    await "the operator's answer" ended "$task"
    done_with "the operator was asked: $(jq -r --arg id "$task" '.jobs[] | select(.id == $id) | .status' "$work/answer")"
    get /api/lotto/latest
    says ".draw_no >= $newest" "draw $(of .draw_no) is the newest now: $(of '.numbers | join(", ")')"
    post /api/lotto/purchase "{\"draw_no\": $(of .draw_no), \"sets\": [[3, 11, 17, 24, 38, 44]]}"
    says '.status == "checked" and (.results | length) == 1' "our numbers in it: $(of ".results[0].matched | length") right, $(of .prize) won"
    get /api/lotto/purchase/stats
    says '.total_games >= 1' "$(of .total_games) games are added up, beside what chance gives"
}

sunday() {
    day "Sunday: the report, and a backup"
    post /api/lotto/report
    says '(.recommended_sets | length) > 0' "the report for draw $(of .drw_no); $(of .sentence_en)"
    post /api/system/backups
    local snapshot
    snapshot=$(of .name)
    says '.rows > 0 and (.sha256 | length) == 64' "snapshot $snapshot is made and verified: $(of .rows) rows"
    get /api/system/backups
    says "any(.backups[]; .name == \"$snapshot\")" "it is one of $(of .total) that can be gone back to"

    post /api/todos '{"title": "Written after the snapshot"}'
    local late
    late=$(of .id)
    post "/api/system/backups/$snapshot/restore"
    says ".restored == \"$snapshot\"" "the house is as the snapshot holds it"
    get '/api/todos?limit=500'
    says "all(.todos[]; .id != $late)" "what came after it is kept aside, not in the list"
}

leave() {
    day "Good night"
    get /api/household
    if holds '.access != "loopback" and .access != "open"'; then
        post /api/household/sign-out
        refused 401 get /api/todos
        says '.error == "UNAUTHORIZED"' "signed out: the door is closed"
    fi
    printf '\nThe first week is over.\n'
}

# One request. The answer lies in $work/answer; what is no success ends the walk, unless `refused` expects it.
get() { ask GET "$1"; }
delete() { ask DELETE "$1"; }
put() { ask PUT "$1" "${json[@]}" "$2"; }
post() {
    local path=$1 body=${2:-}
    shift $(($# < 2 ? $# : 2))
    ask POST "$path" ${body:+"${json[@]}" "$body"} "$@"
}

json=(--header "Content-Type: application/json" --data-binary)
expected=2..
ask() {
    local method=$1 path=$2 status
    shift 2
    status=$(curl --silent --show-error --max-time 60 --request "$method" --cookie "$work/cookies" --cookie-jar "$work/cookies" \
        --output "$work/answer" --write-out '%{http_code}' "$@" "$house$path")
    [[ $status =~ ^$expected$ ]] || fail "$method $path answered $status: $(cat "$work/answer")"
}

# The request that follows must be answered with this status.
refused() {
    local expected=$1
    shift
    "$@"
}

# What the last answer holds, by an expression of jq.
of() { jq -r "$1" "$work/answer"; }
holds() { jq -e "$1" "$work/answer" >/dev/null; }
says() {
    holds "$1" || fail "expected $1 in $(cat "$work/answer")"
    done_with "$2"
}

ended() {
    get '/api/system/jobs?limit=50'
    jq -e --arg id "$1" '.jobs[] | select(.id == $id) | .finished_at != null' "$work/answer" >/dev/null
}

# Looks until a command succeeds, at most 30 s.
await() {
    local what=$1 until=$((SECONDS + 30))
    shift
    until "$@"; do
        ((SECONDS < until)) || fail "waited 30 s for $what"
        sleep 0.1
    done
}

day() { printf '\n%s\n' "$1"; }
done_with() { printf '  %s\n' "$1"; }
fail() {
    echo "walkthrough.sh: $*" >&2
    exit 1
}

main
