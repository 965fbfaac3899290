import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aWorld, brand, type World } from '../test/world.js';

describe('context_set', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('context_set');
  });
  afterAll(() => world.drop());

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

  it('numbers versions without gaps when several are made at once', async () => {
    const ctx = brand();
    const { workspace } = ctx.principal;
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((name) => world.value('context_set', ctx, values(workspace, name))),
    );
    expect(answers.map((answer) => answer.version).sort()).toEqual([1, 2, 3]);
    expect((await world.deps.contexts.byWorkspace(workspace))?.versions.map((one) => one.version)).toEqual([1, 2, 3]);
  });
});
