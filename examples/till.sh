#!/bin/sh
# A till that takes a payment over Tillbeacon's HTTP API, with curl alone.
# usage: TILL_TOKEN=tbt_… sh till.sh 12.50
set -eu
url=${TILL_URL:-http://127.0.0.1:4182}
currency=${TILL_CURRENCY:-DKK}
kept=till-payment.txt
may_have_begun=$([ -e "$kept" ] && echo yes || echo no)

# A field of the answer's first level, as text. A till with a JSON library uses that instead.
field() { printf '%s' "$answer" | sed -n "s/.*\"$1\":\(\"\([^\"]*\)\"\|\(-\{0,1\}[0-9]*\)\).*/\2\3/p"; }

# call METHOD PATH [KEY BODY]: the JSON of a good answer is in $answer.
call() {
  while :; do
    # The token goes through a pipe, because everybody on this computer can read arguments.
    set -- "$1" "$2" "${3-}" "${4-}"
    answer=$({
      printf 'Authorization: Bearer %s\nContent-Type: application/json\n' "$TILL_TOKEN"
      [ -z "$3" ] || printf 'Idempotency-Key: %s\n' "$3"
    } | curl -sS --noproxy '*' -m 60 -X "$1" -H @- ${4:+--data "$4"} -w '\n%{http_code}' "$url/v1$2" 2>/dev/null) || answer='
000'
    status=${answer##*
}
    answer=${answer%
*}
    case $status in
      2*) return ;;
      # Refused: what it means for the money, and what to do. Only the key of a payment that cannot
      # have begun may go.
      4*)
        [ "$may_have_begun" = yes ] || rm -f "$kept"
        echo "$(field title). $(field money) $(field action)" >&2
        exit 1
        ;;
    esac
    # No answer, or not now: the same request with the same key is never a second payment.
    may_have_begun=yes
    sleep 1
  done
}

# The key is on disk before the first request: whatever happens to this program, the next start asks
# for the same payment.
if [ "$may_have_begun" = yes ]; then
  echo 'Takes up the payment that was begun before. An amount given now does not count.'
else
  amount_minor=$(printf '%s\n' "${1-}" | awk -F. '
    /^[0-9]+(\.[0-9][0-9]?)?$/ && $1 < 1000000 { printf "%d", $1 * 100 + substr($2 "00", 1, 2) }')
  if [ "${amount_minor:-0}" -eq 0 ]; then
    echo 'usage: sh till.sh 12.50' >&2
    exit 1
  fi
  printf '%s %s\n' "$(cat /proc/sys/kernel/random/uuid)" "$amount_minor" >"$kept.new"
  sync "$kept.new"
  mv "$kept.new" "$kept"
fi
read -r key amount_minor <"$kept"

call POST /payments "$key" "{\"amountMinor\":$amount_minor,\"currency\":\"$currency\"}"
may_have_begun=yes
id=$(field paymentId)
printf '%d.%02d %s: please scan the code. Ctrl+C cancels.\n' $((amount_minor / 100)) $((amount_minor % 100)) "$currency"
trap 'call POST "/payments/$id/cancel" "$key" "{}"' INT

while [ "$(field status)" = pending ]; do call GET "/payments/$id?wait=30"; done
if [ "$(field status)" = paid ]; then
  echo "Paid. Receipt $(field receiptNumber)."
else
  echo "Not paid: $(field reason)."
fi
rm "$kept"
