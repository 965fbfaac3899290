import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { brand } from '../test/world.js';

describe('context_set', () => {
  const world = testWorld('context_set');

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
