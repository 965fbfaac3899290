import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('brain_get', () => {
  const world = testWorld('brain_get');

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
