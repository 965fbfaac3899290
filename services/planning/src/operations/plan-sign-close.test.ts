import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { again, aWorld, brand, type World } from '../test/world.js';

describe('plan_sign_close (docs/reliability.md#signing; I56)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('plan_sign_close');
  });
  afterAll(() => world.drop());

  it('closes a signing that has no verdict, once and for good', async () => {
    const ctx = brand();
    const input = { signing_id: randomUUID(), workspace: ctx.principal.workspace };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.value('plan_sign_close', again(ctx), input)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ signing_id: input.signing_id, kind: 'closed', lines: [] });
    expect(await world.deps.verdicts.rows.countDocuments({ ws: input.workspace })).toBe(1);
  });
});
