import { describe, expect, it } from '@jest/globals';
import {
  allowedOutcomes,
  eventOfState,
  moveSession,
  readSandboxEvent,
  type SandboxSession,
} from './sandbox-session.js';

const at = new Date('2026-11-21T12:00:00.000Z');
const session = (state: SandboxSession['state']): SandboxSession => ({
  _id: 'o:1',
  ws: 'ws',
  order_id: 'o',
  amount_cents: 100,
  currency: 'USD',
  state,
  moved_at: at,
  settles_at: null,
});

describe('the sandbox rail (docs/domain/orders.md#rails)', () => {
  it.each([
    ['open', 'pay', 'paid', 'charge'],
    ['open', 'decline', 'open', 'none'],
    ['open', 'delay', 'pending', 'pending'],
    ['open', 'expire', 'expired', 'closed'],
    ['pending', 'settle', 'paid', 'charge'],
    ['pending', 'fail', 'failed', 'failed'],
  ] as const)('a session that is %s, after %s, is %s and sends a %s', (from, move, to, kind) => {
    const moved = moveSession(session(from), move, at, 'x');
    expect(moved?.session.state).toBe(to);
    expect(readSandboxEvent(JSON.stringify(moved?.event))?.kind).toBe(kind);
  });

  it.each([
    ['paid', 'pay'],
    ['expired', 'pay'],
    ['pending', 'pay'],
    ['open', 'settle'],
    ['paid', 'expire'],
  ] as const)('a session that is %s cannot %s', (from, move) => {
    expect(moveSession(session(from), move, at, 'x')).toBeNull();
  });

  it('settles a delayed payment after 24 hours of the business clock', () => {
    expect(moveSession(session('open'), 'delay', at, 'x')?.session.settles_at).toEqual(
      new Date('2026-11-22T12:00:00.000Z'),
    );
  });

  it('reports a repeated move as the same event; a decline may recur', () => {
    expect(moveSession(session('open'), 'pay', at, 'a')?.event.id).toBe(
      moveSession(session('open'), 'pay', at, 'b')?.event.id,
    );
    expect(moveSession(session('open'), 'decline', at, 'a')?.event.id).not.toBe(
      moveSession(session('open'), 'decline', at, 'b')?.event.id,
    );
    expect(eventOfState(session('open'))).toBeNull();
  });

  it.each([
    ['invalid JSON', '{'],
    ['another shape', '{"id":"evt"}'],
  ])('%s is not an event', (_name, raw) => {
    expect(readSandboxEvent(raw)).toBeNull();
  });

  it.each([
    ['checkout', 'unpaid', ['paid', 'declined', 'pending', 'expired']],
    ['checkout', 'processing', ['settled', 'failed']],
    ['checkout', 'paid', []],
    ['invoice', 'unpaid', ['invoice_paid']],
    ['invoice', 'cancelled', []],
  ] as const)('an order by %s that is %s allows %j', (rail, state, outcomes) => {
    expect(allowedOutcomes(rail, state)).toEqual(outcomes);
  });
});
