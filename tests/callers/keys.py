"""An exception to what the callers expect, as narrow as it can be, and how they send a file.

The same Idempotency-Key with the same body gives the first answer again, also when what it created has been removed
since: that is what it is for, and the callers take the answer for a new resource. So in their stories of several
steps each good key is one of its own, as it is for every honest caller. Bad keys stay as they are, and single
requests go on repeating keys; tests/api/doors.rs repeats them on purpose.
"""

import itertools
import re

import schemathesis

steps = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    key = (case.headers or {}).get("Idempotency-Key")
    is_in_a_story = case.meta is not None and case.meta.phase.name == "stateful"
    if is_in_a_story and isinstance(key, str) and re.fullmatch("[!-~]{1,200}", key):
        case.headers["Idempotency-Key"] = f"{key[:180]}-{next(steps)}"


@schemathesis.serializer("application/gzip", "application/offset+octet-stream", "application/zip")
def file(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
