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

const SIZE: Size = { keys: 1, plans: 2, linesPerPlan: 2, drafts: 1, capPlans: 5, childCapPlans: [] };

const nth = <T>(of: readonly T[], index: number): T => {
  const found = of[index];
  if (found === undefined) throw new Error(`there is no ${index} in a scenario's workspace`);
  return found;
};

type Step = (acts: ReturnType<typeof actsOf>, workspace: Workspace) => Act;

/** Key, plan and draft are those of the workspace by their number; `at` is in milliseconds. */
const approve =
  (at: number, key: number, plan: number, command: 'approve-0' | 'approve-1' = 'approve-0', then?: 'paid'): Step =>
  (acts, { keys, plans }) =>
    acts.approve(at, nth(keys, key), nth(plans, plan), command, then);

const course = (name: string, seed: number, size: Partial<Size>, ...steps: Step[]): Scenario => ({
  ...{ name, seed, size: { ...SIZE, ...size } },
  acts: (acts, workspace) => steps.map((step) => step(acts, workspace)),
});

const courseOfOrder = (name: string, seed: number, signed: (can: Happenings) => Happening[]): Scenario => ({
  ...{ name, seed, size: { ...SIZE, plans: 1, live: true }, signed },
  acts: () => [],
});

export const SCENARIOS: readonly Scenario[] = [
  course('approve', 1, {}, approve(0, 0, 0, 'approve-0', 'paid')),
  course('refused', 2, { capPlans: 0.9 }, approve(0, 0, 0)),
  course('moved price', 3, {}, approve(0, 0, 0), (acts) => acts.priceMove(6)),
  course('two under a cap of one', 4, { capPlans: 1 }, approve(0, 0, 0), approve(0.5, 0, 1, 'approve-1')),
  course(
    'parent and child under a cap of one',
    9,
    { capPlans: 1, childCapPlans: [1] },
    approve(0, 0, 0),
    approve(0.5, 1, 1, 'approve-1'),
  ),
  course(
    'a key is revoked while it and its child approve',
    13,
    { childCapPlans: [5] },
    approve(0, 0, 0),
    approve(0.5, 1, 1, 'approve-1'),
    (acts, { keys }) => acts.revoke(6, nth(keys, 0)),
  ),
  course('two of one plan', 5, {}, approve(0, 0, 0), approve(0.5, 0, 0, 'approve-1')),
  course('one key, two requests', 6, { capPlans: 1 }, approve(0, 0, 0), approve(0, 0, 1)),
  course(
    'a draft is deleted',
    7,
    {},
    (acts, { keys, drafts }) => acts.rename(0, nth(keys, 0), nth(drafts, 0), 'rename-0'),
    (acts, { keys, drafts }) => acts.remove(300, nth(keys, 0), nth(drafts, 0), 'delete-0'),
  ),
  course(
    'an edit meets an approval',
    8,
    {},
    (acts, { keys, plans }) => acts.edit(0, nth(keys, 0), nth(plans, 0)),
    approve(1, 0, 0),
  ),
  courseOfOrder('paid, repaid in part, cancelled and paid out', 10, (can) => [
    can.pays('card')(0),
    can.refunded('some')(60),
    can.cancelledByTeam()(140),
    can.creditPaid(200),
    can.creditPaid(200),
  ]),
  courseOfOrder('the last day comes while it is paid', 11, (can) => [
    can.opens(0),
    can.lastDay(4_990),
    can.pays('card')(5_000),
    can.cancelledByBrand(5_010),
  ]),
  courseOfOrder('two repayments at once, and one by hand', 12, (can) => [
    can.pays('card')(0),
    can.refunded('all')(60),
    can.refunded('some')(60),
    can.repaidByHand(66),
    can.paysAgain(70),
  ]),
];
