import { namedUuid } from '@cds/service/named-uuid';
import { describe, expect, it } from '@jest/globals';
import { anOrder, begun } from '../test/builders.js';
import type { Chain, ProposalRow } from './chain.js';
import { unfilledTasks } from './tasks.js';

const NOW = new Date('2026-11-22T10:00:00.000Z');
const aChain = (sandbox: boolean, proposal: Partial<ProposalRow>): Chain => {
  const order = anOrder({ sandbox });
  const chain = begun(order, 'proposal');
  return { line: { ...chain.line, _id: 'line' }, proposal: { ...chain.proposal, updated_at: NOW, ...proposal } };
};
const LIVE = aChain(false, { state: 'unfilled', ends_at: new Date('2026-12-21T00:00:00.000Z') });
const BEFORE = aChain(false, { state: 'declined' });

/** docs/domain/operators.md#tasks-and-feedback. */
describe('the team is asked to fill a line', () => {
  it('by hand once a search of a live line has found nobody', () => {
    expect(unfilledTasks(BEFORE, LIVE)).toEqual([
      {
        aggregate: namedUuid('line_unfilled', 'line', '1'),
        version: 1,
        kind: 'line_unfilled',
        about: { line_id: 'line', order_id: LIVE.line.order_id, campaign_id: LIVE.line.campaign_id },
        note: 'By 2026-12-21T00:00:00.000Z; then the line is credited.',
        opened_at: NOW.toISOString(),
      },
    ]);
  });

  it.each<[what: string, before: Chain, after: Chain]>([
    ['in a sandbox', BEFORE, aChain(true, { state: 'unfilled' })],
    ['while the search goes on', BEFORE, aChain(false, { state: 'declined' })],
    ['again for a later search of the same attempt', LIVE, LIVE],
  ])('never %s', (_what, before, after) => {
    expect(unfilledTasks(before, after)).toEqual([]);
  });

  it.each([null, undefined])('without a time where the line has no end: %s', (ends_at) => {
    const { proposal, ...chain } = LIVE;
    const { ends_at: _end, ...row } = proposal;
    const after = { ...chain, proposal: { ...row, ...(ends_at === null ? { ends_at } : {}) } };
    expect(unfilledTasks(BEFORE, after)).toMatchObject([{ note: null }]);
  });
});
