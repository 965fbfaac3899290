import { beforeEach, describe, expect, it } from '@jest/globals';
import { storeSuite } from '../testing/suite.js';
import { Jobs } from './jobs.js';

/** What operators see of sweeps (docs/domain/operators.md#jobs). */
describe('the jobs of a service', () => {
  let writes = 0;
  const test = storeSuite('jobs', (store) => {
    store.onCommand(({ commandName }) => {
      if (commandName === 'update') writes += 1;
    });
    return { jobs: new Jobs('billing', store) };
  });
  beforeEach(async () => {
    for (const name of ['jobs', 'put_off', 'leases']) await test.store.db.collection(name).deleteMany({});
    writes = 0;
  });

  const sweep = { name: 'recovery', everyMs: 1_000 };

  it('show the last run, when the next is due at the latest, and what waits', async () => {
    const jobs = new Jobs('billing', test.store);
    await jobs.ended(sweep);
    await test.store.db
      .collection<{ _id: string; sweep: string }>('put_off')
      .insertOne({ _id: 'a', sweep: 'recovery' });
    const { jobs: shown } = await jobs.report();
    expect(shown).toEqual([
      {
        service: 'billing',
        name: 'recovery',
        every_ms: 1_000,
        last_run_at: expect.any(String),
        next_run_at: expect.any(String),
        failures: 0,
        last_failed_at: null,
        last_error: null,
        put_off: 1,
      },
    ]);
    const [only] = shown;
    expect(Date.parse(only?.next_run_at ?? '') - Date.parse(only?.last_run_at ?? '')).toBe(11_000);
  });

  it('count failures until a run succeeds, and show no text of an error', async () => {
    const jobs = new Jobs('billing', test.store);
    for (const _again of [1, 2]) await jobs.ended(sweep, new TypeError('@somebody is no such creator'));
    const failing = (await jobs.report()).jobs[0];
    expect([failing?.failures, failing?.last_error, failing?.last_run_at]).toEqual([
      2,
      'TypeError',
      failing?.last_failed_at,
    ]);
    await jobs.ended(sweep);
    expect((await jobs.report()).jobs[0]).toMatchObject({ failures: 0, last_error: null });
  });

  it('are stored once in ten seconds while they succeed', async () => {
    const jobs = new Jobs('billing', test.store);
    for (let run = 0; run < 50; run += 1) await jobs.ended(sweep);
    expect(writes).toBe(1);
  });

  it('keep a failure that came after a success, when another replica stores the success later', async () => {
    const [one, other] = [new Jobs('billing', test.store), new Jobs('billing', test.store)];
    await one.ended(sweep);
    await one.ended(sweep);
    await other.ended(sweep, new TypeError('later'));
    await one.flush();
    expect((await other.report()).jobs[0]).toMatchObject({ failures: 1, last_error: 'TypeError' });
    await other.ended(sweep);
    expect((await other.report()).jobs[0]).toMatchObject({ failures: 0, last_error: null });
  });

  it('show who holds a lease by its time', async () => {
    const leases = test.store.db.collection<{ _id: string; until: Date; fence: number }>('leases');
    await leases.insertOne({ _id: 'relay', until: new Date('2099-01-01T00:00:00Z'), fence: 3 });
    await leases.insertOne({ _id: 'audit', until: new Date(0), fence: 1 });
    expect(
      (await new Jobs('billing', test.store).report()).leases.map(({ name, held, fence }) => [name, held, fence]),
    ).toEqual([
      ['audit', false, 1],
      ['relay', true, 3],
    ]);
  });
});
