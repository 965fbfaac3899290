/** A set of checks that fail, and why that is right. */
type KnownFailures = { because: string; checks: Record<string, readonly string[]> };

export type Baseline = Record<string, readonly KnownFailures[]>;

const VERSION_NOT_IN_META: KnownFailures = {
  because:
    'A 2026-07-28 header without the version in _meta is answered -32020, as any other difference of header and body.',
  checks: {
    'server-stateless': [
      'sep-2575-request-meta-invalid-missing-meta',
      'sep-2575-request-meta-invalid-missing-protocol-version',
    ],
  },
};

const SESSION_NOT_GIVEN: KnownFailures = {
  because: 'The scenario warns that it tries several streams only in a session.',
  checks: { 'server-sse-multiple-streams': ['server-sse-multiple-streams-session'] },
};

const FIXTURES_ONLY: readonly KnownFailures[] = [
  {
    because: 'The server has no resource and no prompt of the suite.',
    checks: {
      'prompts-get-embedded-resource': ['prompts-get-embedded-resource'],
      'prompts-get-simple': ['prompts-get-simple'],
      'prompts-get-with-args': ['prompts-get-with-args'],
      'prompts-get-with-image': ['prompts-get-with-image'],
      'resources-read-binary': ['resources-read-binary'],
      'resources-read-text': ['resources-read-text'],
      'resources-templates-read': ['resources-templates-read'],
    },
  },
  {
    because: 'The scenario calls a fixture tool of the suite.',
    checks: {
      'tools-call-audio': ['tools-call-audio'],
      'tools-call-embedded-resource': ['tools-call-embedded-resource'],
      'tools-call-error': ['tools-call-error'],
      'tools-call-image': ['tools-call-image'],
      'tools-call-mixed-content': ['tools-call-mixed-content'],
      'tools-call-simple-text': ['tools-call-simple-text'],
    },
  },
];

/**
 * The checks that fail on the suite's fixtures (`conformance-fixtures.ts`). Like the other, the list only becomes
 * shorter.
 */
export const FIXTURES_BASELINE: Baseline = {
  '2025-11-25': [
    {
      because: "The endpoint keeps no sessions, so a client's answer would not find the server that asked.",
      checks: {
        'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
        'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
        'tools-call-elicitation': ['tools-call-elicitation'],
        'tools-call-sampling': ['tools-call-sampling'],
      },
    },
    SESSION_NOT_GIVEN,
  ],
  '2026-07-28': [VERSION_NOT_IN_META],
};

/**
 * The checks of the protocol's conformance suite that fail on the real tools, by revision and scenario. The test fails
 * for a check that fails beyond them, and for one here that passes, and `conformance-baseline.test.ts` for a longer
 * list.
 */
export const BASELINE: Baseline = {
  '2025-11-25': [
    SESSION_NOT_GIVEN,
    {
      because: 'The server offers no completion, logging, progress or subscriptions, and asks its clients nothing.',
      checks: {
        'completion-complete': ['completion-complete'],
        'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
        'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
        'logging-set-level': ['logging-set-level'],
        'resources-subscribe': ['resources-subscribe'],
        'resources-unsubscribe': ['resources-unsubscribe'],
        'tools-call-elicitation': ['tools-call-elicitation'],
        'tools-call-sampling': ['tools-call-sampling'],
        'tools-call-with-logging': ['tools-call-with-logging'],
        'tools-call-with-progress': ['tools-call-with-progress'],
      },
    },
    ...FIXTURES_ONLY,
  ],
  '2026-07-28': [
    {
      because: 'The server offers no completion, logging, progress or subscriptions, and asks its clients nothing.',
      checks: {
        'completion-complete': ['completion-complete'],
        'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
        'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
        'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
        'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
        'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
        'input-required-result-missing-input-response': ['sep-2322-missing-response-rerequests'],
        'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
        'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
        'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
        'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
        'input-required-result-result-type': ['sep-2322-result-type-included'],
        'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
        'tools-call-with-progress': ['tools-call-with-progress'],
      },
    },
    ...FIXTURES_ONLY,
    VERSION_NOT_IN_META,
    {
      because: 'The check calls a diagnostic tool of the suite.',
      checks: {
        'server-stateless': [
          'sep-2575-http-server-no-independent-requests-on-stream',
          'sep-2575-missing-capability-http-400',
          'sep-2575-server-no-log-without-loglevel',
          'sep-2575-server-rejects-undeclared-capability',
        ],
      },
    },
  ],
};

/**
 * The same of the suite's two scenarios for an authorization server, on ours: its metadata, and a sign-in by code.
 * Those that it calls `auth/…` are for clients alone.
 */
export const AUTHORIZATION_BASELINE: Baseline = { '2025-11-25': [], '2026-07-28': [] };

/** What a baseline expects to fail, as the suite reports it. */
export const expectedOf = (baseline: Baseline, revision: string): Record<string, string[]> => {
  const failed: Record<string, string[]> = {};
  for (const { checks } of baseline[revision] ?? [])
    for (const [scenario, ids] of Object.entries(checks))
      failed[scenario] = [...(failed[scenario] ?? []), ...ids].sort();
  return failed;
};
