// @night: asks Jest four times for what a change reaches; the tool changes seldom.
import { describe, expect, test } from '@jest/globals';
import { suitesAffectedBy } from '../../tools/test/rooms.js';

/** What is reached by no import: services over HTTP, pages in a browser, programs as processes. */
describe('a change runs the suites of the night that it can affect', () => {
  test.each([
    ['services/gateway/src/accounts/people/operations/sessions-end.ts', 'tests/system/replicas.test.ts'],
    ['libs/pages/views/pay.eta', 'tests/browser/public-pages.test.ts'],
    ['packages/cli/src/main.ts', 'tests/system/developers.test.ts'],
    ['tools/doctor.ts', 'tests/system/doctor.test.ts'],
  ])(
    '%s',
    (file, suite) => {
      expect(suitesAffectedBy([file], 'night').flatMap(({ suites }) => suites)).toContain(suite);
    },
    120_000,
  );
});
