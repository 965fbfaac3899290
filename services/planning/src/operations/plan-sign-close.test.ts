import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('plan_sign_close (docs/reliability.md#signing; I56)', () => {
  const world = testWorld('plan_sign_close');

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
