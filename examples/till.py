"""A till that takes a payment over Tillbeacon's HTTP API, in Python without packages.

usage: TILL_TOKEN=tbt_… python3 till.py 12.50
"""

import http.client
import json
import os
import re
import signal
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("TILL_URL", "http://127.0.0.1:4182")
TOKEN = os.environ["TILL_TOKEN"]
CURRENCY = os.environ.get("TILL_CURRENCY", "DKK")
KEPT = "till-payment.json"

# Calls to this computer do not go through a proxy.
http_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
may_have_begun = os.path.exists(KEPT)


def send(method, path, key, body):
    """The status and the JSON of the answer; (0, None) when there is none."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{URL}/v1{path}", data, headers, method=method)
    try:
        with http_open(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as refusal:
        try:
            return refusal.code, json.load(refusal)
        except ValueError:
            return 0, None
    except (OSError, http.client.HTTPException, ValueError):
        return 0, None


def call(method, path, key=None, body=None):
    global may_have_begun
    while True:
        status, answer = send(method, path, key, body)
        if 200 <= status < 300:
            return answer
        # Refused: what it means for the money, and what to do. Only the key of a payment that
        # cannot have begun may go.
        if 400 <= status < 500:
            if not may_have_begun:
                os.remove(KEPT)
            sys.exit(f"{answer['title']}. {answer['money']} {answer['action']}")
        # No answer, or not now: the same request with the same key is never a second payment.
        may_have_begun = True
        time.sleep(1)


def amount_minor(text):
    """12.50 as 1250, and nothing that is not an amount."""
    match = re.fullmatch(r"(\d{1,6})(?:\.(\d{1,2}))?", text, re.ASCII)
    minor = int(match[1] + (match[2] or "").ljust(2, "0")) if match else 0
    if minor == 0:
        sys.exit("usage: python3 till.py 12.50")
    return minor


# The key is on disk before the first request: whatever happens to this program, the next start asks
# for the same payment.
if may_have_begun:
    print("Takes up the payment that was begun before. An amount given now does not count.", flush=True)
else:
    payment = {"key": str(uuid.uuid4()), "amountMinor": amount_minor((sys.argv + [""])[1])}
    with open(KEPT, "w") as file:
        json.dump(payment, file)
        file.flush()
        os.fsync(file.fileno())
with open(KEPT) as file:
    kept = json.load(file)

payment = call("POST", "/payments", kept["key"], {"amountMinor": kept["amountMinor"], "currency": CURRENCY})
may_have_begun = True
path = f"/payments/{payment['paymentId']}"
signal.signal(signal.SIGINT, lambda *_: call("POST", f"{path}/cancel", kept["key"], {}))
print(f"{payment['amountMinor'] / 100:.2f} {payment['currency']}: please scan the code. Ctrl+C cancels.", flush=True)

while payment["status"] == "pending":
    payment = call("GET", f"{path}?wait=30")
if payment["status"] == "paid":
    print(f"Paid. Receipt {payment['receiptNumber']}.")
else:
    print(f"Not paid: {payment['reason']}.")
os.remove(KEPT)
