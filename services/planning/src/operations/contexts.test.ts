import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { again, brand, person } from '../test/world.js';

const world = testWorld('contexts');

describe('the company context as people write it (docs/domain/plans.md#company-context)', () => {
  const published = async (ws: string) =>
    (await world.shell.outbox.rows.find({ aggregate: ws }).sort({ 'payload.version': 1 }).toArray()).map(
      (event) => event.payload,
    );

  it('gets a new version with each write, confirmed at once; a text left out is absent', async () => {
    const who = person();
    const { workspace } = who.principal;
    await world.value('context_put', again(who), { name: 'Acme', summary: 'Rockets', audience: 'Founders' });
    const view = await world.value('context_put', again(who), { name: 'Acme Inc', summary: '' });
    expect(view).toMatchObject({
      version: 2,
      confirmed_at: who.now.toISOString(),
      context: { name: 'Acme Inc' },
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect(view.context).toEqual({ name: 'Acme Inc' });
    expect(await world.value('context_get', again(who), {})).toEqual(view);
    expect(await world.value('context_version', again(who), { version: 1 })).toMatchObject({
      version: 1,
      context: { name: 'Acme', summary: 'Rockets', audience: 'Founders' },
    });
    expect(await published(workspace)).toEqual([
      { aggregate: workspace, version: 1, workspace, name: 'Acme', audience: 'Founders' },
      { aggregate: workspace, version: 2, workspace, name: 'Acme Inc', audience: null },
    ]);
  });

  it('is version 0 before the first write, and has no other version', async () => {
    const who = person();
    expect(await world.value('context_get', who, {})).toEqual({
      version: 0,
      confirmed_at: null,
      context: {},
      versions: [],
    });
    expect(await world.error('context_version', who, { version: 1 })).toMatchObject({ code: 'not_found' });
    expect(await world.error('context_confirm', who, { version: 1 })).toMatchObject({ code: 'not_found' });
  });

  it('numbers versions without gaps when several people write at once', async () => {
    const who = person();
    await Promise.all(['A', 'B', 'C'].map((name) => world.value('context_put', again(who), { name })));
    const view = await world.value('context_get', again(who), {});
    expect(view.versions.map((one) => one.version)).toEqual([3, 2, 1]);
    expect(
      (await published(who.principal.workspace))
        .map((one) => (one as { version: number }).version)
        .sort((one, other) => one - other),
    ).toEqual([1, 2, 3]);
  });

  describe('with an unconfirmed version', () => {
    const withUnconfirmed = async () => {
      const who = person();
      const { workspace } = who.principal;
      await world.value('context_put', again(who), { name: 'Acme' });
      const read = {
        version: 2,
        name: 'ACME, Inc.',
        summary: null,
        audience: 'Developers',
        created_at: who.now,
        confirmed_at: null,
        read: null,
      };
      await world.deps.contexts.rows.updateOne({ _id: workspace }, { $set: { version: 2 }, $push: { versions: read } });
      return { who, workspace };
    };

    it('keeps the confirmed one in force until the newest is confirmed, which is published once', async () => {
      const { who, workspace } = await withUnconfirmed();
      expect(await world.value('context_get', again(who), {})).toMatchObject({ version: 1 });
      const view = await world.value('context_confirm', again(who), { version: 2 });
      expect(view).toMatchObject({ version: 2, confirmed_at: who.now.toISOString(), context: { name: 'ACME, Inc.' } });
      expect(await world.value('context_confirm', again(who), { version: 2 })).toEqual(view);
      expect(await world.value('brain_get', again(who), { section: 'audience' })).toMatchObject({
        value: 'Developers',
      });
      expect((await published(workspace)).map((one) => (one as { version: number }).version)).toEqual([1, 2]);
    });

    it('confirms only the newest version, even when a newer one is written at the same time', async () => {
      const { who } = await withUnconfirmed();
      expect(await world.error('context_confirm', again(who), { version: 1 })).toMatchObject({
        code: 'conflict',
        details: { reason: 'not_newest', newest: 2 },
      });
      const [confirmed] = await Promise.all([
        world.call('context_confirm', again(who), { version: 2 }),
        world.value('context_put', again(who), { name: 'Newest' }),
      ]);
      if (!confirmed.ok) expect(confirmed.error).toMatchObject({ details: { reason: 'not_newest' } });
      expect(await world.value('context_get', again(who), {})).toMatchObject({
        version: 3,
        context: { name: 'Newest' },
      });
    });
  });
});

describe('context_set', () => {
  const values = (workspace: string, name: string | null) => ({
    workspace,
    workspace_name: 'Acme',
    name,
    summary: ' ',
    audience: 'Founders',
  });

  it('makes a confirmed version and publishes it; the same values again change nothing', async () => {
    const ctx = brand();
    const { workspace } = ctx.principal;
    expect(await world.value('context_set', ctx, values(workspace, 'Acme'))).toEqual({ version: 1 });
    expect(await world.value('context_set', ctx, values(workspace, ' Acme '))).toEqual({ version: 1 });
    const events = await world.shell.outbox.rows.find({ aggregate: workspace }).toArray();
    expect(events.map((event) => event.payload)).toEqual([
      { aggregate: workspace, version: 1, workspace, name: 'Acme', audience: 'Founders' },
    ]);
    expect(await world.deps.contexts.byWorkspace(workspace)).toMatchObject({
      version: 1,
      versions: [{ summary: null, confirmed_at: ctx.now }],
    });
  });
});

describe('brain_get', () => {
  it('shows the context in force with versions newest first, or one section', async () => {
    proves('brain.full', 'brain.section');
    const ctx = brand();
    const workspace = ctx.principal.workspace;
    for (const name of ['First', 'Second'])
      await world.value('context_set', ctx, {
        workspace,
        workspace_name: 'Acme',
        name,
        summary: null,
        audience: 'Founders',
      });
    const at = ctx.now.toISOString();
    expect(await world.value('brain_get', again(ctx), {})).toEqual({
      version: 2,
      confirmed_at: at,
      context: { name: 'Second', audience: 'Founders' },
      versions: [
        { version: 2, created_at: at },
        { version: 1, created_at: at },
      ],
    });
    expect(await world.value('brain_get', again(ctx), { section: 'name' })).toEqual({
      version: 2,
      confirmed_at: at,
      section: 'name',
      value: 'Second',
    });
    expect(await world.value('brain_get', again(ctx), { section: 'summary' })).toMatchObject({ value: null });
  });
});
