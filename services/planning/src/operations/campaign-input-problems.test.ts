import { describe, expect, it } from '@jest/globals';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('campaign_input_problems', () => {
  const world = testWorld('campaign_input_problems');

  it('names an audience that the company context lacks too, and a window that is not possible today', async () => {
    const ctx = brand();
    const sent = { goal: 7, window_start: '2026-11-20', window_end: '2026-11-19' };
    const fields = async (of: Record<string, unknown>) =>
      (await world.value('campaign_input_problems', again(ctx), { sent: of })).problems.map(({ field }) => field);
    expect(await fields(sent)).toEqual(['audience', 'window_start', 'window_end']);
    expect(await fields({ ...sent, audience: 5, window_start: 'x' })).toEqual([]);

    await world.value('context_set', again(ctx), {
      workspace: ctx.principal.workspace,
      workspace_name: 'Acme',
      name: 'Acme',
      summary: null,
      audience: 'Founders of software companies',
    });
    expect(await fields(sent)).toEqual(['window_start', 'window_end']);
  });
});
