import { ERROR_CODE_NAMES, REASON_GUIDE } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { testFiles } from './spec/citations.js';

/** Every code, and every reason as `code/reason`: each has a public page. */
const DOCUMENTED = ERROR_CODE_NAMES.flatMap((code) => [
  code,
  ...Object.keys(REASON_GUIDE[code] ?? {}).map((reason) => `${code}/${reason}`),
]);

describe('every documented error', () => {
  it('is compared with in a test of the service that answers it', async () => {
    const suites = (await testFiles()).filter(({ path }) => path.startsWith('services/'));
    const compared = new Set(
      suites.flatMap(({ text }) =>
        [...text.matchAll(/(?<!not\.to\w+\()(['"`])(?:\w+ )?(\w+)\1/g)].map(([, , word]) => word),
      ),
    );
    expect(DOCUMENTED.filter((error) => !compared.has(error.split('/').at(-1)))).toEqual([]);
  });
});
