"""Hooks of the Schemathesis run: each call takes the next of fifty keys, and every other call names real objects.

CDS_SCHEMATHESIS_WORLD is a JSON file: a list of brands, each with its `keys` and the `ids` of its own objects by the
resource and the parameter of the path. Two brands more take the calls that change a whole sandbox: one moves its clock
and is given faults, the other is reset. So the others keep what they have.
"""

import itertools
import json
import os
import re

import schemathesis

with open(os.environ["CDS_SCHEMATHESIS_WORLD"], encoding="utf-8") as file:
    WORLD = json.load(file)

*STEADY, MOVED, RESET = WORLD
CALLS = itertools.count()


def brand_of(path, number):
    """Whose keys send a call."""
    if path.startswith("/api/sandbox/reset"):
        return RESET
    if re.match("/api/sandbox/(?:clock|faults)", path):
        return MOVED
    return STEADY[number % len(STEADY)]


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(CALLS)
    path = case.operation.path
    brand = brand_of(path, number)
    keys = brand["keys"]
    case.headers["Authorization"] = "Bearer " + keys[number // len(STEADY) % len(keys)]
    if number % 2 == 0 and case.path_parameters:
        for resource, name in re.findall(r"/([a-z]+)/\{(\w+)\}", path):
            value = brand["ids"].get(resource + "." + name)
            if value is not None:
                case.path_parameters[name] = value
