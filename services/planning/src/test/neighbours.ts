import { AppError, type Candidate, type Input, type QuoteFacts, type UnitFacts } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { FOUNDERS, someQuoteFacts } from './builders.js';

/** What the faked neighbours answer; a test changes what it needs. */
export type Neighbours = {
  units: Map<string, UnitFacts>;
  candidates: Candidate[];
  unresolved: boolean;
  catalogUnavailable: boolean;
  quoteFacts: QuoteFacts;
  handles: Map<string, string>;
  /** Web pages by address. */
  pages: Map<string, string>;
  /** Runs inside the next unit_facts call: what others do while prices are read. */
  whilePricing: (() => Promise<void>) | null;
  /** Workspaces whose building was started. */
  begun: string[];
  /** Plans whose prices were checked once they were stored. */
  followed: string[];
  /** Runs inside the next plan_candidates call: what others do while a plan is built. */
  whileAsked: (() => Promise<void>) | null;
};

export const someNeighbours = (): Neighbours => ({
  units: new Map(),
  candidates: [],
  unresolved: false,
  catalogUnavailable: false,
  quoteFacts: someQuoteFacts(),
  handles: new Map(),
  pages: new Map(),
  begun: [],
  followed: [],
  whilePricing: null,
  whileAsked: null,
});

export const fakeCalls = (says: Neighbours) => {
  const mustAnswer = (): void => {
    if (says.catalogUnavailable) throw new AppError('unavailable', 'Catalog is unavailable.', { retry_after: 1 });
  };
  const segments = () => (says.unresolved ? [] : FOUNDERS);
  return {
    catalog: {
      unit_facts: async (_ctx: Ctx, { unit_ids }: Input<'unit_facts'>) => {
        mustAnswer();
        const answer = { units: unit_ids.flatMap((id) => says.units.get(id) ?? []) };
        const meanwhile = says.whilePricing;
        says.whilePricing = null;
        await meanwhile?.();
        return answer;
      },
      plan_candidates: async () => {
        mustAnswer();
        const meanwhile = says.whileAsked;
        says.whileAsked = null;
        await meanwhile?.();
        return {
          segments: segments(),
          unresolved: says.unresolved,
          next: null,
          candidates: says.candidates,
        };
      },
      audience_resolve: async () => {
        mustAnswer();
        return { segments: segments(), unresolved: says.unresolved };
      },
      identity_reveal: async (_ctx: Ctx, { creator_ids }: Input<'identity_reveal'>) => ({
        creators: creator_ids.flatMap((id) => {
          const handle = says.handles.get(id);
          return handle === undefined ? [] : [{ creator_id: id, handle, url: `https://x.example/${handle}` }];
        }),
      }),
    },
    billing: {
      quote_facts: async (_ctx: Ctx, { order_id }: Input<'quote_facts'>) =>
        order_id === null ? { ...says.quoteFacts, order: null } : says.quoteFacts,
    },
  };
};
