import { inspect } from 'node:util';
import { testStore } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { Identities } from './identities.js';
import { withoutValues } from './without-values.js';

describe('an error as it is logged', () => {
  it('says that a unique key is taken, but not which value', async () => {
    const { store, drop } = await testStore('without_values');
    new Identities(store);
    await store.migrate();
    const rows = store.db.collection('identities');
    await rows.insertOne({ handle_lower: 'hill_walks' });
    const error: unknown = await rows.insertOne({ handle_lower: 'hill_walks' }).catch((err: unknown) => err);
    await drop();
    expect(String(error)).toContain('hill_walks');
    const logged = inspect(withoutValues(error), { depth: null, showHidden: true });
    expect(logged).toContain('11000');
    expect(logged).not.toContain('hill_walks');
  });

  it('is unchanged otherwise', () => {
    const error = new Error('of the test');
    expect(withoutValues(error)).toBe(error);
  });
});
