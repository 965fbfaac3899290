export const ACCESS = {
  '"Endpoints"': {
    'idempotency.key-required': 'A write without a valid Idempotency-Key of 8 to 128 characters is 400.',
    'idempotency.same-answer': 'The same key and request get the same answer.',
    'idempotency.never-twice': 'A write never runs twice under one key.',
    'idempotency.slow-503': 'A write still running after 25 seconds is 503 with Retry-After.',
    'idempotency.slow-retry-same-key': 'Retrying a slow write with its key gets its result.',
  },
  '"Tool server"': {
    'mcp.tools-listed': 'The tool server lists the operations under the names of the summary table.',
    'mcp.same-values': 'A tool answers the value of its REST operation.',
    'mcp.same-effects': 'A write by tool has the effect and the refusals of its REST operation.',
    'mcp.hints': 'Each tool carries a title and its four hints.',
  },
  '"GET {app_url}/api/keys/usage"': {
    'usage.ranges': 'days is 7, 30 or 90, and key_id narrows the answer to one key.',
    'usage.by-day': 'With days it answers the requests of each UTC day of the whole range, ok and errors apart.',
    'usage.zero-days': 'A day without a request reads zeros.',
    'usage.totals': 'total and errors are the sums of the days.',
    'usage.log': 'Without days it pages the request log.',
  },
  '"Authentication" 1': {
    'auth.bearer': 'Every endpoint takes Authorization: Bearer and the API key.',
    'keys.made': "Keys are created in the workspace's Developers area.",
  },
  '"Authentication" 2': {
    'auth.nine-scopes': 'The nine scopes each open their operations and no other.',
  },
  '"Authentication" 3': {
    'mandate.set-by-person': 'A person sets a key its maximum, cap, channels, expiry and whether it may sign.',
    'mandate.terms-accepted': 'A person accepts the brand terms for a key.',
    'auth.write-needs': 'A write needs campaigns:write or plans:approve, a key of its own and a mandate it fits.',
  },
  '"Authentication" 4': {
    'keys.revoked': 'A revoked key is 401.',
    'errors.401-no-key': 'No key, an unknown key or a revoked key is 401.',
    'errors.403-scope': 'A missing scope is 403.',
    'errors.403-scope-challenge': 'Only a 403 about scope carries the insufficient_scope challenge.',
  },
  '"Authentication" 5': {
    'errors.mandate-refused-escalates':
      'A mandate refusal is 403 mandate_refused before any spend, with escalate true.',
  },
  '"Authentication" 6': {
    'mcp.401-challenge': 'POST {app_url}/api/mcp without a key is 401 with the sign-in challenge.',
    'mcp.sign-in': 'A client that supports OAuth signs in at /connect.',
    'mcp.sign-in-key': 'Then its person creates a key in Developers.',
  },
  '"Errors"': {
    'errors.body': 'An error body is { error: { code, message, details? } } with a code of the list.',
    'errors.statuses': 'Each code has its status.',
    'errors.400-names-field': 'A 400 names each bad parameter and what it accepts in details.problems.',
    'errors.400-unknown-body-field': 'A body field a route does not take is named in a 400.',
    'errors.404-foreign-is-absent': 'An object that is not the caller’s and an absent one are the same 404.',
    'errors.405': 'A method that a path does not take is 405.',
    'errors.409-in-progress': 'in_progress carries Retry-After.',
    'errors.409-idempotency-conflict': 'Another request under a used key is 409 idempotency_conflict.',
    'errors.422-problems': 'Every 422 carries details.problems of field and message.',
    'errors.500-retry': 'internal is retried by a write with the same key and reveals nothing about its cause.',
    'errors.503-unavailable': 'An unavailable dependency is 503 unavailable.',
  },
  '"details by code"': {
    'errors.mandate-reasons': 'mandate_refused gives one of its reasons, and the figures of its limit.',
    'errors.conflict-reasons': 'conflict gives its reason.',
  },
  '"Limits"': {
    'limits.request-rate': 'A key has 60 requests in a fixed 60-second window on every endpoint.',
    'limits.request-rate-429': 'The next request is 429 with Retry-After and RateLimit-Reset.',
    'limits.rate-headers': 'RateLimit headers describe the fixed window.',
    'limits.campaign-starts': 'A brand starts three campaigns in any rolling 24 hours.',
    'limits.campaign-starts-429': 'The fourth is 429 daily_campaign_limit with resets_at and Retry-After.',
    'limits.creator-reads': 'A key reads creators 20 times a minute, lists 60 times and opens 60 creators a day.',
    'limits.open-pause': 'After 40 creators opened within ten minutes a key pauses.',
    'limits.brand-ceiling': 'The same totals hold for all keys of a brand together, revoked ones included.',
    'limits.pool-300': 'A workspace is shown 300 different creators a day; one already seen is free.',
    'limits.pool-last-page': 'A page near the end of the pool lists only the creators that fit.',
    'limits.key-grammar': 'An Idempotency-Key has 8 to 128 characters from letters, digits and . _ : -',
    'limits.price-30-days': 'A price counts 30 days.',
  },
  '"Versioning"': {
    'version.root': 'The API root is v1; API and tool server share the version 1.25.0.',
    'version.deprecated-aliases': 'A deprecated field equals its successor while it is served.',
  },
};
