import type {
  BrandOrder,
  CampaignStatus,
  CampaignSummary,
  Evidence,
  Key,
  LineDispute,
  OperationName,
  Output,
  Quote,
  Results,
} from '@cds/contracts';
import { expect } from '@jest/globals';
import type { FeedFold } from './feed-fold.js';
import { mandatesIn } from './feed-mandates.js';
import {
  claimShown,
  mandateShown,
  orderShown,
  proofShown,
  quoteShown,
  resultShown,
  seenLastShown,
  statusShown,
  summaryShown,
} from './feed-shown.js';
import type { Data } from './feed-stages.js';

export type Read = <T>(name: OperationName, input?: Record<string, unknown>) => Promise<T>;

/** Expects that what a reader made of the feed alone is what the reads answer (docs/domain/events.md#events). */
export const expectSame = async (fold: FeedFold, read: Read, person: Read): Promise<void> => {
  await expectSameCampaigns(fold, read);
  await expectSameOrders(fold, read);
  await expectSamePosts(fold, read);
  const { now } = await read<{ now: string }>('sandbox_clock');
  const { keys } = await person<{ keys: Key[] }>('keys_list');
  expect(mandatesIn(fold, now)).toEqual(
    new Map(keys.flatMap(({ mandate }) => (mandate === null ? [] : [[mandate.key_id, mandateShown(mandate)]]))),
  );
};

const expectSameCampaigns = async (fold: FeedFold, read: Read): Promise<void> => {
  const { campaigns } = await read<{ campaigns: CampaignSummary[] }>('campaigns_list', { include_archived: true });
  expect(byId(fold.all('campaign').map((one) => fold.summary(one)))).toEqual(byId(campaigns.map(summaryShown)));
  for (const campaign of fold.all('campaign')) {
    const folded = fold.status(campaign);
    const status = await read<CampaignStatus>('campaign_status', { id: campaign['id'] });
    expect(folded).toEqual(statusShown(status, folded));
  }
  for (const plan of fold.all('plan'))
    expect(fold.quote(plan)).toEqual(quoteShown(await read<Quote>('plan_quote', { id: plan['id'] })));
};

/** Orders with their money; a list has at most 100 of them. */
const expectSameOrders = async (fold: FeedFold, read: Read): Promise<void> => {
  const { orders } = await read<{ orders: BrandOrder[] }>('orders_list', { limit: 100 });
  expect(byId(fold.all('order').map((order) => fold.order(order)))).toEqual(byId(orders.map(orderShown)));
};

const expectSamePosts = async (fold: FeedFold, read: Read): Promise<void> => {
  const [proof, results] = [await read<Evidence>('evidence_list'), await read<Results>('results_list')];
  expect(byId(fold.proof())).toEqual(byId(proof.items.map(proofShown)));
  expect(byId(fold.results())).toEqual(byId(results.items.map(resultShown)));
  for (const { id } of fold.all('line')) {
    const { items } = await read<{ items: LineDispute[] }>('line_disputes', { id });
    expect({ id, claims: fold.claims(id) }).toEqual({ id, claims: items.map(claimShown) });
    const seen = seenLastShown(await read<Output<'line_integrity'>>('line_integrity', { id }));
    expect({ id, seen: fold.seenLast(id) }).toEqual({ id, seen });
  }
};

const byId = (items: Data[]) => items.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
