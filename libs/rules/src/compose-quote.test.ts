import type { Principal } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { presentMandate } from './compose-quote.js';

const mandate = {
  version: 1,
  terms_version: '2026-11-01',
  terms_accepted_at: '2026-11-02T00:00:00.000Z',
  terms_accepted_email: 'owner@acme.example',
};
/** What is shown to a principal that has only what the mandate is read from. */
const shown = (person?: object) =>
  presentMandate({ key: 'k', mandate, ...(person && { person }) } as unknown as Principal, 0);

describe('the mandate of a quote (docs/specification.md#mandate)', () => {
  test('shows a key its acceptance of the terms, and a person none, since the own agent key has no acceptance', () => {
    expect(shown()).toMatchObject(mandate);
    const none = { terms_version: null, terms_accepted_at: null, terms_accepted_email: null };
    expect(shown({ id: 'p1' })).toMatchObject({ version: 1, ...none });
  });
});
