import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { again, aWorld, brand, type World } from '../test/world.js';

describe('brain_get', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('brain_get');
  });
  afterAll(() => world.drop());

  it('is version 0 and empty at first', async () => {
    expect(await world.value('brain_get', brand(), {})).toEqual({
      version: 0,
      confirmed_at: null,
      context: {},
      versions: [],
    });
  });

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
