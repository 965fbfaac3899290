import { beforeAll, describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { again, person } from '../test/world.js';

const URL = 'https://acme.example.com/';

describe('a website read (docs/domain/plans.md#company-context)', () => {
  const world = testWorld('context_read');
  beforeAll(() => {
    world.neighbours.pages.set(
      URL,
      '<title>Acme | Rockets</title><meta name="description" content="Rockets for founders."><p>For startup founders.</p>',
    );
  });

  it('makes a new unconfirmed version, with the labels of the segments it names', async () => {
    const who = person();
    const version = await world.value('context_read', again(who), { url: URL });
    expect(version).toMatchObject({
      version: 1,
      confirmed_at: null,
      context: { name: 'Acme', summary: 'Rockets for founders.', audience: 'Startup founders' },
    });
    expect(version.proposal).toMatch(/^[0-9a-f-]{36}$/);
    // With nothing confirmed the newest version is in force, so it is published.
    expect(await world.value('context_get', again(who), {})).toMatchObject({ version: 1, confirmed_at: null });
    expect(await world.shell.outbox.rows.countDocuments({ aggregate: who.principal.workspace })).toBe(1);
  });

  it('keeps the confirmed version in force until its proposal is confirmed', async () => {
    const who = person();
    await world.value('context_put', again(who), { name: 'Acme Inc' });
    const { proposal } = await world.value('context_read', again(who), { url: URL });
    expect(await world.value('context_get', again(who), {})).toMatchObject({
      version: 1,
      context: { name: 'Acme Inc' },
    });
    const confirmed = await world.value('context_confirm', again(who), { proposal: proposal?.toUpperCase() });
    expect(confirmed).toMatchObject({ version: 2, confirmed_at: who.now.toISOString(), context: { name: 'Acme' } });
  });

  it('has no audience when the page names none', async () => {
    const who = person();
    world.neighbours.unresolved = true;
    const version = await world.value('context_read', again(who), { url: URL });
    world.neighbours.unresolved = false;
    expect(version.context).toEqual({ name: 'Acme', summary: 'Rockets for founders.' });
  });

  it('reads the last page again when no address is sent', async () => {
    const who = person();
    expect(await world.error('context_read', again(who), {})).toMatchObject({
      code: 'unprocessable',
      details: { problems: [{ field: 'url' }] },
    });
    await world.value('context_read', again(who), { url: URL });
    expect(await world.value('context_read', again(who), {})).toMatchObject({ version: 2, context: { name: 'Acme' } });
  });

  it('keeps nothing of a page that cannot be read', async () => {
    const who = person();
    expect(await world.error('context_read', again(who), { url: 'https://nobody.example.com/' })).toMatchObject({
      code: 'unprocessable',
      details: { problems: [{ field: 'url' }] },
    });
    expect(await world.value('context_get', again(who), {})).toMatchObject({ version: 0 });
  });

  it('is confirmed by its proposal only as the newest version, and not by proposal and version at once', async () => {
    const who = person();
    const { proposal } = await world.value('context_read', again(who), { url: URL });
    if (proposal === null) throw new Error('a read makes a proposal');
    for (const input of [{}, { proposal, version: 1 }])
      expect(await world.error('context_confirm', again(who), input)).toMatchObject({ code: 'unprocessable' });
    expect(await world.error('context_confirm', again(person()), { proposal })).toMatchObject({ code: 'not_found' });
    await world.value('context_put', again(who), { name: 'Newer' });
    expect(await world.error('context_confirm', again(who), { proposal })).toMatchObject({
      code: 'conflict',
      details: { reason: 'not_newest', newest: 2 },
    });
  });

  it('is decided again when a person confirms the version before it, which then stays in force', async () => {
    const who = person();
    await world.value('context_read', again(who), { url: URL });
    const fetched = world.deps.fetchPage;
    let reads = 0;
    world.deps.fetchPage = async (...asked) => {
      reads += 1;
      if (reads === 1) await world.value('context_confirm', again(who), { version: 1 });
      return fetched(...asked);
    };
    expect(await world.value('context_read', again(who), { url: URL })).toMatchObject({
      version: 2,
      confirmed_at: null,
    });
    world.deps.fetchPage = fetched;
    expect(reads).toBe(2);
    expect(await world.value('context_get', again(who), {})).toMatchObject({ version: 1 });
    const published = await world.shell.outbox.rows.find({ aggregate: who.principal.workspace }).toArray();
    expect(published.map((row) => row.version)).toEqual([1]);
  });
});
