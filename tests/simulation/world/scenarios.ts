import type { Happening, Happenings } from './payments.js';
import type { Act, actsOf, Size, Workspace } from './workload.js';

/** A small fixed course of events, in which every single step of a replica is tried as the one at which it dies. */
export type Scenario = {
  name: string;
  seed: number;
  size: Size;
  acts: (acts: ReturnType<typeof actsOf>, workspace: Workspace) => Act[];
  /** Instead of the acts: the first plan is signed, and this happens to its order. */
  signed?: (can: Happenings) => Happening[];
};

const NOTHING_ELSE = (): Act[] => [];
const SIZE: Size = { keys: 1, plans: 2, linesPerPlan: 2, drafts: 1, capPlans: 5, childCapPlans: [] };

const nth = <T>(of: readonly T[], index: number): T => {
  const found = of[index];
  if (found === undefined) throw new Error(`there is no ${index} in a scenario's workspace`);
  return found;
};

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'approve',
    seed: 1,
    size: SIZE,
    acts: (acts, { keys, plans }) => [acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0', 'paid')],
  },
  {
    name: 'refused',
    seed: 2,
    size: { ...SIZE, capPlans: 0.9 },
    acts: (acts, { keys, plans }) => [acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0')],
  },
  {
    name: 'moved price',
    seed: 3,
    size: SIZE,
    acts: (acts, { keys, plans }) => [acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0'), acts.priceMove(6)],
  },
  {
    name: 'two under a cap of one',
    seed: 4,
    size: { ...SIZE, capPlans: 1 },
    acts: (acts, { keys, plans }) => [
      acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0'),
      acts.approve(0.5, nth(keys, 0), nth(plans, 1), 'approve-1'),
    ],
  },
  {
    name: 'parent and child under a cap of one',
    seed: 9,
    size: { ...SIZE, capPlans: 1, childCapPlans: [1] },
    acts: (acts, { keys, plans }) => [
      acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0'),
      acts.approve(0.5, nth(keys, 1), nth(plans, 1), 'approve-1'),
    ],
  },
  {
    name: 'a key is revoked while it and its child approve',
    seed: 13,
    size: { ...SIZE, childCapPlans: [5] },
    acts: (acts, { keys, plans }) => [
      acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0'),
      acts.approve(0.5, nth(keys, 1), nth(plans, 1), 'approve-1'),
      acts.revoke(6, nth(keys, 0)),
    ],
  },
  {
    name: 'two of one plan',
    seed: 5,
    size: SIZE,
    acts: (acts, { keys, plans }) => [
      acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0'),
      acts.approve(0.5, nth(keys, 0), nth(plans, 0), 'approve-1'),
    ],
  },
  {
    name: 'one key, two requests',
    seed: 6,
    size: { ...SIZE, capPlans: 1 },
    acts: (acts, { keys, plans }) => [
      acts.approve(0, nth(keys, 0), nth(plans, 0), 'approve-0'),
      acts.approve(0, nth(keys, 0), nth(plans, 1), 'approve-0'),
    ],
  },
  {
    name: 'a draft is deleted',
    seed: 7,
    size: SIZE,
    acts: (acts, { keys, drafts }) => [
      acts.rename(0, nth(keys, 0), nth(drafts, 0), 'rename-0'),
      acts.remove(300, nth(keys, 0), nth(drafts, 0), 'delete-0'),
    ],
  },
  {
    name: 'an edit meets an approval',
    seed: 8,
    size: SIZE,
    acts: (acts, { keys, plans }) => [
      acts.edit(0, nth(keys, 0), nth(plans, 0)),
      acts.approve(1, nth(keys, 0), nth(plans, 0), 'approve-0'),
    ],
  },
  {
    name: 'paid, repaid in part, cancelled and paid out',
    seed: 10,
    size: { ...SIZE, plans: 1, live: true },
    acts: NOTHING_ELSE,
    signed: (can) => [
      can.pays('card')(0),
      can.refunded('some')(60),
      can.cancelledByTeam()(140),
      can.creditPaid(200),
      can.creditPaid(200),
    ],
  },
  {
    name: 'the last day comes while it is paid',
    seed: 11,
    size: { ...SIZE, plans: 1, live: true },
    acts: NOTHING_ELSE,
    signed: (can) => [can.opens(0), can.lastDay(4_990), can.pays('card')(5_000), can.cancelledByBrand(5_010)],
  },
  {
    name: 'two repayments at once, and one by hand',
    seed: 12,
    size: { ...SIZE, plans: 1, live: true },
    acts: NOTHING_ELSE,
    signed: (can) => [
      can.pays('card')(0),
      can.refunded('all')(60),
      can.refunded('some')(60),
      can.repaidByHand(66),
      can.paysAgain(70),
    ],
  },
];
