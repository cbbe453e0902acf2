#!/usr/bin/env python3
"""Golden vectors for delivery signatures (interface 5, rule 3).

Written from the document alone, in another language and with another library than both sides that
are checked against it: the message is put together here byte by byte, and the HMAC is computed by
the openssl command. Python's own hmac must agree, or nothing is written.

    python3 make_signatures.py > ../../src/testing/vectors.json
"""

import base64
import hashlib
import hmac
import json
import subprocess
import sys


def by_openssl(key: bytes, message: bytes) -> bytes:
    command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:" + key.hex(), "-binary"]
    return subprocess.run(command, input=message, capture_output=True, check=True).stdout


def signature(key: str, timestamp: str, body: bytes) -> str:
    secret = key.encode("utf-8")
    message = timestamp.encode("ascii") + b"." + body
    digest = by_openssl(secret, message)
    if digest != hmac.new(secret, message, hashlib.sha256).digest():
        sys.exit("openssl and hmac disagree")
    return base64.b64encode(digest).decode("ascii")


KEYS = {
    "base64": "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    "hex": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "one letter": "k",
    "longer than a block": "0123456789abcdef" * 9,
    "exactly a block": "x" * 64,
    "unicode": "nøgle-ключ-鍵-🔑",
    "with a dot": "whk.secret.1700000000000",
    "prefixed": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
}

TIMESTAMPS = ["1700000000000", "0", "9007199254740991", "1795172502791"]

ENVELOPE = (
    '{"version":"v1","topic":"live_event.updated","occurredAt":1700000000000,'
    '"deliveryUid":"dlv_1","deliveryAt":1700000000000,"metadata":{"pageUid":"demo-page",'
    '"subscriberUid":"whk_1","eventUid":"evt_1"},"data":%s}'
)

BODIES = {
    "an envelope": ENVELOPE % '{"id":"1"}',
    "svc.test": ENVELOPE.replace("live_event.updated", "svc.test") % '{"test":true}',
    "empty": "",
    "one space": " ",
    "an empty object": "{}",
    "null": "null",
    "danish": ENVELOPE % '{"name":"Æblegrød på øen"}',
    "danish, decomposed": ENVELOPE % '{"name":"a\u030a og e\u0301"}',
    "japanese": ENVELOPE % '{"name":"ライブ配信"}',
    "arabic": ENVELOPE % '{"name":"بث مباشر"}',
    "emoji": ENVELOPE % '{"name":"🎥👩‍👩‍👧"}',
    "escaped unicode": ENVELOPE % '{"name":"\\u00c6blegr\\u00f8d \\ud83c\\udfa5"}',
    "lone surrogate, escaped": ENVELOPE % '{"name":"\\ud83c"}',
    "byte order mark": "\ufeff" + ENVELOPE % "{}",
    "line separators": ENVELOPE % '{"name":"a\u2028b\u2029c"}',
    "zero width": ENVELOPE % '{"name":"a\u200bb"}',
    "LF at the end": ENVELOPE % "{}" + "\n",
    "CRLF at the end": ENVELOPE % "{}" + "\r\n",
    "indented with LF": '{\n  "version": "v1",\n  "topic": "live_event.created"\n}',
    "indented with CRLF": '{\r\n  "version": "v1",\r\n  "topic": "live_event.created"\r\n}',
    "indented with tabs": '{\n\t"version":\t"v1"\n}',
    "spaces in front": "   {}",
    "spaces after": "{}   ",
    "spaced like Python": '{"version": "v1", "topic": "live_event.created"}',
    "spaced like Ruby": '{ "version": "v1" }',
    "keys in order": '{"a":1,"b":2,"c":3}',
    "keys in another order": '{"c":3,"b":2,"a":1}',
    "keys that are numbers": '{"10":1,"9":2,"a":3}',
    "a key twice": '{"a":1,"a":2}',
    "big integer": '{"n":9007199254740993}',
    "bigger integer": '{"n":123456789012345678901234567890}',
    "negative zero": '{"n":-0}',
    "exponents": '{"n":[1e21,1E+2,1.5e-7,1e-400]}',
    "trailing zero": '{"price":199.00}',
    "long fraction": '{"price":0.1000000000000000055511151231257827}',
    "escaped slash": '{"url":"https:\\/\\/shop.example\\/lamp"}',
    "plain slash": '{"url":"https://shop.example/lamp"}',
    "quotes and backslashes": '{"name":"a \\"quoted\\" \\\\ path"}',
    "escaped control characters": '{"name":"\\u0000\\b\\f\\n\\r\\t\\u001f"}',
    "html": '{"description":"<p>5 &lt; 6 & \'7\'</p><script>alert(1)</script>"}',
    "a dot in front": ".{}",
    "looks like a timestamp": "1700000000000.{}",
    "percent and plus": '{"q":"a%20b+c=d&e"}',
    "deeply nested": "[" * 200 + "]" * 200,
    "long": ENVELOPE % ('{"description":"' + "lorem ipsum " * 1500 + '"}'),
    "long and wide": ENVELOPE % ('{"description":"' + "høj 🎉 " * 800 + '"}'),
    "no JSON": "hello",
    "form": "a=1&b=2",
}

RAW = {
    "invalid UTF-8": b'{"name":"\xff\xfe"}',
    "latin-1": '{"name":"Æblegrød"}'.encode("latin-1"),
    "UTF-16": '{"a":1}'.encode("utf-16-le"),
    "a NUL": b'{"a":"\x00"}',
    "all bytes": bytes(range(256)),
    "gzip header": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
}


def vector(name: str, key: str, timestamp: str, body: bytes) -> dict:
    return {
        "name": name,
        "key": key,
        "timestamp": timestamp,
        "body_base64": base64.b64encode(body).decode("ascii"),
        "signature": signature(key, timestamp, body),
    }


def vectors():
    key, timestamp = KEYS["base64"], TIMESTAMPS[0]
    for name, text in BODIES.items():
        yield vector("body: " + name, key, timestamp, text.encode("utf-8"))
    for name, body in RAW.items():
        yield vector("bytes: " + name, key, timestamp, body)
    body = BODIES["an envelope"].encode("utf-8")
    for name, other in KEYS.items():
        for at in TIMESTAMPS:
            if (other, at) == (key, timestamp):
                continue  # That one is among the bodies.
            yield vector("key: %s, at %s" % (name, at), other, at, body)
    for name, other in KEYS.items():
        if other == key:
            continue
        yield vector("key: %s, empty body" % name, other, timestamp, b"")


json.dump(list(vectors()), sys.stdout, indent=1, ensure_ascii=True)
sys.stdout.write("\n")
