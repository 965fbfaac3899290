import { expect } from '@jest/globals';
import fc from 'fast-check';
import { type Action, WEIGHTED } from './actions.js';
import { byPerson, ofCampaign } from './campaign-steps.js';
import { onOrder } from './order-steps.js';
import { add, approve, create, dates, quote, remove, swap } from './plan-steps.js';
import { Playing, type Real, type Sent } from './playing.js';
import type { Reference } from './reference.js';
import { advance, mandate, price } from './world-steps.js';

export class Step implements fc.AsyncCommand<Reference, Real> {
  constructor(
    private readonly action: Action,
    private readonly again: boolean,
  ) {}

  check = (model: Readonly<Reference>): boolean => {
    const { action } = this;
    if (action.do === 'create') return true;
    if (action.do === 'advance') return model.mayAdvance(model.daysOf(action.days));
    if ('order' in action) return model.orders.length > 0;
    if (action.do === 'add') return action.plan === 'current' || action.plan === 'foreign' || model.plans.length > 0;
    if (action.do === 'price' || action.do === 'mandate') return true;
    return 'plan' in action ? action.plan === 'foreign' || model.plans.length > 0 : model.campaigns.length > 0;
  };

  async run(model: Reference, real: Real): Promise<void> {
    real.trace.push(this.toString());
    real.steps.done += 1;
    try {
      const sent = await play(new Playing(model, real), this.action);
      if (this.again && sent !== null) await playAgain(real, sent);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      throw new Error(`${said}\n\nafter\n  ${real.trace.join('\n  ')}`, { cause: error });
    }
  }

  toString(): string {
    const { do: what, ...rest } = this.action;
    return `${what} ${JSON.stringify(rest)}${this.again ? ' and again' : ''}`;
  }
}

const play = async (playing: Playing, action: Action): Promise<Sent | null> => {
  switch (action.do) {
    case 'create':
      return create(playing, action);
    case 'add':
      return add(playing, action);
    case 'swap':
      return swap(playing, action);
    case 'remove':
      return remove(playing, action);
    case 'dates':
      return dates(playing, action);
    case 'rename':
    case 'guidelines':
    case 'delete':
      return ofCampaign(playing, action);
    case 'archive':
    case 'budget':
      return byPerson(playing, action);
    case 'price':
      return price(playing, action);
    case 'approve':
      return approve(playing, action);
    case 'quote':
      return quote(playing, action);
    case 'advance':
      return advance(playing, playing.model.daysOf(action.days));
    case 'mandate':
      return mandate(playing, action);
    case 'pay':
    case 'cancel':
    case 'refund':
    case 'credit':
      return onOrder(playing, action);
  }
};

/** Repeats a write under its key over the other transport: it gets the first answer and has no effect (I02, I10). */
const playAgain = async (
  { workspace, trace }: Real,
  { by, operation, input, idempotencyKey, result }: Sent,
): Promise<void> => {
  const other = {
    ...by,
    transport: operation === 'delete_campaign' || by.transport === 'MCP' ? ('REST' as const) : ('MCP' as const),
  };
  const again = await workspace.call(other, operation, input, idempotencyKey);
  trace.push(`  again ${again.status} replayed ${again.replayed}`);
  const stored = result.status < 300 || [403, 409, 422].includes(result.status);
  if (!stored) return;
  expect({ status: again.status, value: again.value }).toEqual({ status: result.status, value: result.value });
  expect(again.replayed).toBe(true);
};

export const readAll = (model: Reference, real: Real): Promise<void> => new Playing(model, real).readAll();

/** The commands of a run; one write in ten is repeated under its key over the other transport. */
export const steps = (most: number): fc.Arbitrary<Iterable<fc.AsyncCommand<Reference, Real>>> =>
  fc.commands(
    WEIGHTED.flatMap(([weight, action]) =>
      Array.from({ length: weight }, () =>
        fc
          .record({ action, again: fc.nat(9).map((one) => one === 0) })
          .map((drawn) => new Step(drawn.action, drawn.again)),
      ),
    ),
    { maxCommands: most, size: 'max' },
  );
