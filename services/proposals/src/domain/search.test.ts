import { describe, expect, it } from '@jest/globals';
import { anOrder, aReplacement, aSignedLine, begun, dueMoveAt } from '../test/builders.js';
import type { Chain, ProposalState } from './chain.js';
import { accept, cancelLine, decline, mayReplace, replace, uncredited } from './moves.js';
import { endOf, type Found, isSearchOver, nextMorning, replacementDay, resultOf } from './search.js';

const at = (instant: string): Date => new Date(instant);
/** The first proposal of a line on 5 December; the window runs from 1 to 20 December. */
const aChain = (): Chain => {
  const order = anOrder({ lines: [aSignedLine({ scheduled_date: '2026-12-05' })] });
  return begun(order);
};
const declined = (instant = '2026-11-22T10:00:00Z'): Chain => decline(aChain(), at(instant), 'price').chain;
const inState = (state: ProposalState): Chain => {
  const chain = declined();
  return { ...chain, proposal: { ...chain.proposal, state } };
};
const withdrawn = (): Chain => {
  const chain = declined();
  return { ...chain, proposal: { ...chain.proposal, withdrawn_at: at('2026-11-22T10:30:00Z') } };
};
const next = (chain: Chain, until: string, found: Found | null = null): Chain => {
  const move = dueMoveAt(chain, at(until), found);
  if (move === null) throw new Error('nothing is due');
  return move.chain;
};
const auto = (...candidates: Found['candidates'][number][]): Found => ({ replacements: 'auto', candidates });
const ask = (...candidates: Found['candidates'][number][]): Found => ({ replacements: 'ask', candidates });

/** docs/domain/orders.md#replacement-search. */
describe('the time of a search', () => {
  it.each([
    ['2026-12-18T23:59:59.999Z', false],
    ['2026-12-19T00:00:00.000Z', false],
    ['2026-12-19T00:00:00.001Z', true],
    ['2026-12-25T00:00:00.000Z', true],
  ])('is over at %s: %s', (now, over) => {
    expect(isSearchOver(aChain().line, at(now))).toBe(over);
  });

  it.each([
    ['2026-12-01T05:59:59.999Z', '2026-12-01T06:00:00.000Z'],
    ['2026-12-01T06:00:00.000Z', '2026-12-02T06:00:00.000Z'],
    ['2026-12-17T12:00:00.000Z', '2026-12-18T06:00:00.000Z'],
    ['2026-12-18T06:00:00.000Z', null],
  ])('after %s comes again at %s', (now, morning) => {
    expect(nextMorning(aChain().line, at(now))?.toISOString() ?? null).toBe(morning);
  });

  it.each([
    ['the line’s day, when it is far enough ahead', '2026-12-03T00:00:00Z', '2026-12-05'],
    ['the first day 48 hours ahead', '2026-12-03T23:00:00Z', '2026-12-05'],
    ['a later day, when the line’s is too near', '2026-12-04T01:00:00Z', '2026-12-06'],
    ['the window’s last day at the latest', '2026-12-19T00:00:00Z', '2026-12-20'],
  ])('gives a replacement %s', (_what, now, day) => {
    expect(replacementDay(aChain().line, at(now))).toBe(day);
  });

  it('ends with the window, or at once after it', () => {
    expect(endOf(aChain().line, at('2026-12-20T23:00:00Z'))).toEqual(at('2026-12-21T00:00:00Z'));
    expect(endOf(aChain().line, at('2026-12-22T10:00:00Z'))).toEqual(at('2026-12-22T10:00:00Z'));
  });
});

describe('a search', () => {
  const NOW = at('2026-11-22T10:00:00Z');

  it('looks at once when it begins, for nobody yet', () => {
    expect(declined().proposal.search).toEqual({ next_at: NOW, choose_until: null, candidates: [] });
  });

  it('that finds nobody, or begins too late, looks again with nobody to choose among', () => {
    const again = { next_at: at('2026-11-23T06:00:00Z'), choose_until: null, candidates: [] };
    expect(resultOf(declined(), auto(), NOW)).toEqual({ kind: 'unfilled', search: again });
    const late = at('2026-12-19T00:00:00.001Z');
    expect(resultOf(declined(), auto(aReplacement()), late)).toEqual({
      kind: 'unfilled',
      search: { ...again, next_at: null },
    });
  });

  it('of a row without one asks the brand first', () => {
    const { line, proposal } = declined();
    const candidate = aReplacement();
    const { unit_id, creator_id, name, price_cents, expected_views, match_score } = candidate;
    const until = at('2026-11-23T10:00:00Z');
    expect(resultOf({ line, proposal: { ...proposal, search: null } }, ask(candidate), NOW)).toEqual({
      kind: 'ask',
      search: {
        next_at: until,
        choose_until: until,
        candidates: [{ unit_id, creator_id, name, price_cents, expected_views, match_score }],
      },
    });
  });
});

describe('a search that finds somebody', () => {
  it('offers the line at once, and price and order stay', () => {
    const chain = declined();
    const best = aReplacement();
    const after = next(chain, '2026-11-22T10:00:00Z', auto(best, aReplacement()));
    expect(after.line).toMatchObject({
      creator_id: best.creator_id,
      unit_id: best.unit_id,
      deliverable: best.deliverable,
      expected_views: 12_000,
      price_cents: 60_000,
      fill_cents: 50_000,
      attempts: 2,
      open_attempt: 2,
      booked: false,
      scheduled_date: '2026-12-05',
      version: chain.line.version + 1,
    });
    expect(after.line.tried).toEqual([chain.line.creator_id, best.creator_id]);
    expect(after.proposal).toMatchObject({
      state: 'sent',
      attempt: 2,
      replaced_creator_id: chain.line.creator_id,
      sent_at: at('2026-11-22T10:00:00Z'),
      expires_at: at('2026-11-24T10:00:00Z'),
    });
  });

  it('lets the brand choose among three for a day where it wants to be asked, then decides itself', () => {
    const candidates = [aReplacement(), aReplacement(), aReplacement(), aReplacement()];
    const asked = next(declined(), '2026-11-22T10:00:00Z', ask(...candidates));
    expect(asked.proposal).toMatchObject({ state: 'declined', attempt: 1 });
    expect(asked.proposal.search?.candidates.map(({ unit_id }) => unit_id)).toEqual(
      candidates.slice(0, 3).map(({ unit_id }) => unit_id),
    );
    expect(asked.proposal.search?.choose_until).toEqual(at('2026-11-23T10:00:00Z'));
    expect(dueMoveAt(asked, at('2026-11-23T09:59:59.999Z'))).toBeNull();
    const after = next(asked, '2026-11-23T10:00:00Z', ask(...candidates));
    expect(after.proposal).toMatchObject({ state: 'sent', creator_id: candidates[0]?.creator_id });
  });

  it('gives the brand less than a day when the search would be over', () => {
    const asked = next(declined('2026-12-18T12:00:00Z'), '2026-12-18T12:00:00Z', ask(aReplacement()));
    expect(asked.proposal.search?.choose_until).toEqual(at('2026-12-19T00:00:00Z'));
    expect(next(asked, '2026-12-19T00:00:00Z', ask(aReplacement())).proposal.state).toBe('sent');
  });
});

describe('a search that finds nobody', () => {
  it('leaves the line unfilled, looks again each morning, and cancels it with its credit at the end of the window', () => {
    let chain = next(declined(), '2026-11-22T10:00:00Z');
    expect(chain.proposal).toMatchObject({ state: 'unfilled', updated_at: at('2026-11-22T10:00:00Z') });
    const looked: string[] = [];
    for (let move = dueMoveAt(chain, at('2027-01-01T00:00:00Z')); move !== null; ) {
      looked.push(chain.proposal.due_at?.toISOString() ?? '');
      chain = move.chain;
      move = dueMoveAt(chain, at('2027-01-01T00:00:00Z'));
    }
    expect([looked[0], looked.at(-2), looked.at(-1), looked.length]).toEqual([
      '2026-11-23T06:00:00.000Z',
      '2026-12-18T06:00:00.000Z',
      '2026-12-21T00:00:00.000Z',
      27,
    ]);
    expect(chain.line).toMatchObject({
      cancelled: true,
      cancel_cause: 'unfilled',
      credits: [{ cause: 'unfilled', amount_cents: 60_000, at: at('2026-12-21T00:00:00Z') }],
    });
    expect(chain.proposal).toMatchObject({ state: 'unfilled', open: false, due_at: null });
  });

  it('ends the line at once after the window', () => {
    const unfilled = next(declined('2026-12-22T10:00:00Z'), '2026-12-23T00:00:00Z');
    const after = next(unfilled, '2026-12-23T00:00:00Z');
    expect(after.line).toMatchObject({ cancelled: true, credits: [{ at: at('2026-12-22T10:00:00Z') }] });
  });

  it('is repeated with the brand asked again once somebody is found', () => {
    const unfilled = next(declined(), '2026-11-22T10:00:00Z', ask());
    const asked = next(unfilled, '2026-11-23T06:00:00Z', ask(aReplacement()));
    expect(asked.proposal).toMatchObject({ state: 'unfilled', search: { choose_until: at('2026-11-24T06:00:00Z') } });
  });
});

describe('the end of a window', () => {
  it.each([
    [
      'an offer without an answer',
      (chain: Chain): Chain => ({ ...chain, proposal: { ...chain.proposal, persona: null } }),
      'unfilled',
    ],
    [
      'an acceptance without a day',
      (chain: Chain): Chain => {
        const { chain: accepted } = accept(chain, at('2026-12-20T20:00:00Z'), null);
        return { ...accepted, proposal: { ...accepted.proposal, persona: null } };
      },
      'undated',
    ],
  ])('cancels %s with the line’s price', (_what, made, cause) => {
    const chain = made(aChain());
    const open = { ...chain, proposal: { ...chain.proposal, expires_at: null } };
    const after = next(open, '2026-12-21T00:00:00Z');
    expect(after.line).toMatchObject({ cancelled: true, cancel_cause: cause });
    expect(after.line.credits).toEqual([{ cause, amount_cents: 60_000, at: at('2026-12-21T00:00:00Z') }]);
  });

  it('leaves a booked line alone', () => {
    const booked = accept(aChain(), at('2026-11-21T13:00:00Z'), '2026-12-20').chain;
    expect(dueMoveAt(booked, at('2027-01-01T00:00:00Z'))).toBeNull();
  });
});

describe('a replacement', () => {
  it.each([
    ['while the offer is open', aChain(), '2026-11-22T00:00:00Z', false],
    ['after a decline', declined(), '2026-11-22T11:00:00Z', true],
    ['after nobody answered', inState('no_reply'), '2026-11-22T11:00:00Z', true],
    ['after a search found nobody', inState('unfilled'), '2026-11-22T11:00:00Z', true],
    ['after an acceptance', inState('accepted'), '2026-11-22T11:00:00Z', false],
    ['of a proposal that was withdrawn', withdrawn(), '2026-11-22T11:00:00Z', false],
    ['on the last day of the window', declined(), '2026-12-20T23:59:00Z', true],
    ['after the window', declined(), '2026-12-21T00:00:00Z', false],
    [
      'of a cancelled line',
      cancelLine(declined(), at('2026-11-22T11:00:00Z'), 'cancelled', 60_000).chain,
      '2026-11-22T12:00:00Z',
      false,
    ],
    [
      'after a replacement',
      replace(declined(), at('2026-11-22T11:00:00Z'), aReplacement(), 'id').chain,
      '2026-11-22T12:00:00Z',
      false,
    ],
  ])('may be named %s: %#', (_when, chain, now, may) => {
    expect(mayReplace(chain, at(now))).toBe(may);
  });
});

/** docs/domain/orders.md#credits. */
describe('the credits of a line', () => {
  it('never exceed its price', () => {
    const { line } = cancelLine(declined(), at('2026-11-22T11:00:00Z'), 'cancelled', 999_999).chain;
    expect(line.credits?.[0]?.amount_cents).toBe(60_000);
    expect(uncredited(line)).toBe(0);
  });

  it('are none of 0 cents', () => {
    expect(cancelLine(declined(), at('2026-11-22T11:00:00Z'), 'cancelled', 0).chain.line.credits).toEqual([]);
  });
});
