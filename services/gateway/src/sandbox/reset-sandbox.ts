import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type Input, notFound, unavailable } from '@cds/contracts';
import { actorOf, type BaseShell, type Client, type Ctx, change, commitChange, type WriteShell } from '@cds/service';
import { DEFAULT_SEED } from '@cds/service/seeded-random';
import { type KeyChanges, nextState, type WorkspaceRow, type Workspaces } from '../accounts/port.js';
import { eventOf, type Feed, lanesOf, RESET_REMOVES, resetFact, type WebhookStore } from '../events/port.js';
import { type ClockServices, runUntilQuiet } from './move-clock.js';
import type { Faults } from './store/faults.js';
import type { ResetRow, Resets } from './store/resets.js';

type ResetOperation =
  | 'planning_sandbox_reset'
  | 'billing_sandbox_reset'
  | 'proposals_sandbox_reset'
  | 'metrics_sandbox_reset'
  | 'catalog_sandbox_reset';

export type ResetDeps = {
  shell: WriteShell & Pick<BaseShell, 'failpoints'>;
  workspaces: Workspaces;
  keyChanges: KeyChanges;
  faults: Faults;
  feed: Feed;
  hooks: WebhookStore;
  resets: Resets;
  services: Client<ResetOperation>;
  clocks: ClockServices;
};

/** In the order in which events lead from one to the next: plans, then orders, offers and posts. */
const REMOVALS = [
  'planning_sandbox_reset',
  'billing_sandbox_reset',
  'proposals_sandbox_reset',
  'metrics_sandbox_reset',
  'catalog_sandbox_reset',
] as const satisfies readonly ResetOperation[];

/** The steps of a reset (docs/reliability.md#sandbox-resets). Each may be done again, and by two runners at once. */
export const STEPS = ['close', ...REMOVALS, 'settle', 'end', 'open'] as const;

/** Removals after the first before the caller is asked to retry: each may find what was still on its way. */
const ROUNDS = 6;
/** Deliveries of a sandbox that is reset. Tests of endpoints end with them. */
const LANES = lanesOf([...RESET_REMOVES, 'test']);
/** How often running writes are counted while they end, in milliseconds. */
const RECOUNT_MS = 100;
/** How far the times of events may lag behind the database's clock (`Store.about`), in milliseconds. */
const LAG_MS = 250;
/** The time that a step needs before the deadline; with less the caller is asked to retry. */
const ONE_STEP_MS = 1_000;

/**
 * Begins a reset once per command, and returns it. While another runs, raises unavailable. From the commit on, the keys
 * of the sandbox say that it is being reset.
 */
export const beginReset = async (ctx: Ctx, seed: number | undefined, deps: ResetDeps): Promise<ResetRow> => {
  const { shell, workspaces, keyChanges, resets } = deps;
  const { workspace } = ctx.principal;
  if (ctx.command === null) throw new Error('a sandbox was reset without a command');
  const commandId = ctx.command.id;
  const known = await resets.byCommand(workspace, commandId);
  if (known !== null) return known;

  await commitChange(
    shell,
    ctx,
    'sandbox_reset_begin',
    200,
    async () => {
      const from = await sandboxOf(workspace, workspaces);
      if (from.sandbox_state?.resetting === true)
        throw unavailable('Another reset of this sandbox is running. Send the request again in a second.', 1);
      const reset = { number: (from.reset?.number ?? 0) + 1, seed: seed ?? from.reset?.seed ?? DEFAULT_SEED };
      const state = nextState(from, { resetting: true });
      return change(null, {
        save: async (tx) => {
          await workspaces.setSandboxState(tx, from, state, reset);
          await resets.insert(tx, { _id: commandId, ws: workspace, ...reset }, ctx.networkNow);
          await keyChanges.add(tx, [{ kind: 'sandbox', ws: workspace, state }], ctx.networkNow);
        },
        audit: [
          { ws: workspace, actor: actorOf(ctx), action: 'sandbox.reset', object: workspace, payload: { ...reset } },
        ],
      });
    },
    false,
  );
  const begun = await resets.byCommand(workspace, commandId);
  if (begun === null) throw new Error('a reset was committed without being stored');
  return begun;
};

const sandboxOf = async (workspace: string, workspaces: Workspaces): Promise<WorkspaceRow> => {
  const row = await workspaces.byId(workspace);
  if (row === null) throw notFound('workspace');
  if (row.kind !== 'sandbox')
    throw new AppError('forbidden', 'Only a sandbox can be reset. Use a test key (cds_test_).');
  return row;
};

/**
 * Runs a reset from its next step to its end, and returns when nothing from before is left. Raises unavailable when
 * there is too little time; the same command, or the sweep, then continues with the unfinished step.
 */
export const runReset = async (ctx: Ctx, reset: ResetRow, deps: ResetDeps): Promise<Date> => {
  const inside: Ctx = { ...ctx, command: null };
  let at = reset;
  while (at.step < STEPS.length) {
    mustHaveTime(ctx);
    const step = STEPS[at.step] ?? 'open';
    await performed(inside, at, step, deps);
    deps.shell.failpoints.hit(`reset.${step}`);
    at = await deps.resets.stepDone(at);
  }
  return deps.resets.stamp(at, 'ended_at');
};

const performed = async (ctx: Ctx, reset: ResetRow, step: (typeof STEPS)[number], deps: ResetDeps): Promise<void> => {
  switch (step) {
    case 'close':
      return close(reset, deps);
    case 'settle':
      return settle(ctx, reset, deps);
    case 'end':
      return end(ctx, reset, deps);
    case 'open':
      return open(ctx, reset, deps);
    default:
      await removed(ctx, step, reset, deps);
  }
};

/** Marks every key, so that the sandbox takes no writes; everything requested until now counts as before the reset. */
const close = async (reset: ResetRow, { keyChanges, resets }: ResetDeps): Promise<void> => {
  await keyChanges.apply(await keyChanges.pending(reset.ws, []));
  await resets.stamp(reset, 'at');
};

const inputOf = ({ ws, number, seed }: ResetRow, at: Date, ends: boolean): Input<ResetOperation> => ({
  workspace: ws,
  number,
  seed,
  at: at.toISOString(),
  ends,
});

/** Removes what one service holds once its running writes have ended; returns how many documents. */
const removed = async (
  ctx: Ctx,
  operation: ResetOperation,
  reset: ResetRow,
  { services, resets }: ResetDeps,
): Promise<number> => {
  const input = inputOf(reset, await resets.stamp(reset, 'at'), false);
  for (;;) {
    const answer = await services[operation](ctx, input);
    if (answer.running === 0) return answer.removed;
    mustHaveTime(ctx);
    await delay(RECOUNT_MS);
  }
};

/** Waits for what was in transit and removes again what that made, until a removal finds nothing. */
const settle = async (ctx: Ctx, reset: ResetRow, deps: ResetDeps): Promise<void> => {
  const { offset_ms: offsetMs } = await sandboxOf(reset.ws, deps.workspaces);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!(await runUntilQuiet(ctx, offsetMs, deps.clocks))) throw stillResetting();
    let found = 0;
    for (const operation of REMOVALS) found += await removed(ctx, operation, reset, deps);
    if (found === 0) return;
    mustHaveTime(ctx);
  }
  throw stillResetting();
};

/** From here on no late runner makes a service remove anything. What comes next is dated after the reset. */
const end = async (ctx: Ctx, reset: ResetRow, { services, resets }: ResetDeps): Promise<void> => {
  const input = inputOf(reset, await resets.stamp(reset, 'ended_at'), true);
  for (const operation of REMOVALS) await services[operation](ctx, input);
  await delay(LAG_MS);
};

/** The sandbox takes writes again, without faults, and its feed says that it was reset. */
const open = async (ctx: Ctx, reset: ResetRow, deps: ResetDeps): Promise<void> => {
  const { shell, workspaces, keyChanges, faults, feed, hooks, resets } = deps;
  const endedAt = await resets.stamp(reset, 'ended_at');
  await feed.clear(reset.ws, endedAt);
  await hooks.deliveries.clear(reset.ws, LANES, endedAt);
  const left = await feed.beforeSandbox(reset.ws);
  await commitChange(
    shell,
    ctx,
    'sandbox_reset_open',
    200,
    async () => {
      const from = await sandboxOf(reset.ws, workspaces);
      const state = nextState(from, { faults: false, resetting: false });
      return change(null, {
        save: async (tx) => {
          if (!(await resets.finish(tx, reset))) return;
          await workspaces.setSandboxState(tx, from, state);
          await faults.clear(tx, reset.ws);
          await feed.empty(tx, reset.ws, endedAt);
          await feed.add(tx, eventOf(resetFact(reset), new Date(endedAt.getTime() + 1)));
          // Endpoints stay and continue after what was removed; deliveries of that end.
          await hooks.webhooks.reset(tx, reset.ws, left);
          await hooks.lanes.forgetThose(tx, reset.ws, LANES);
          await hooks.deliveries.empty(tx, reset.ws, LANES);
          await keyChanges.add(tx, [{ kind: 'sandbox', ws: reset.ws, state }], ctx.networkNow);
        },
      });
    },
    false,
  );
  await keyChanges.apply(await keyChanges.pending(reset.ws, []));
};

const mustHaveTime = (ctx: Ctx): void => {
  if (ctx.deadline.remainingMs() < ONE_STEP_MS) throw stillResetting();
};

const stillResetting = (): AppError =>
  unavailable('The reset is still running. Retry with the same Idempotency-Key.', 1);
