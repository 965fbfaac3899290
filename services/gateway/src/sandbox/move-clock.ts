import { AppError, notFound, unavailable } from '@cds/contracts';
import { type Client, type Ctx, change, commitChange, type WriteShell } from '@cds/service';
import { isSettled, type ServiceStands } from '../domain/propagation.js';
import type { ClockMoves } from '../store/clock-moves.js';
import type { KeyChanges } from '../store/key-changes.js';
import type { KeyChange, Keys } from '../store/keys.js';
import type { Workspaces } from '../store/workspaces.js';

/** The five services that keep a copy of each sandbox's clock. */
export type ClockServices = Client<
  'catalog_clock_set' | 'planning_clock_set' | 'billing_clock_set' | 'proposals_clock_set' | 'metrics_clock_set'
>;

export type MoveDeps = {
  shell: WriteShell;
  workspaces: Workspaces;
  keys: Pick<Keys, 'apply'>;
  keyChanges: KeyChanges;
  moves: ClockMoves;
  clocks: ClockServices;
};

/** Rounds before the caller is told to come back: what is due causes more to be due. */
const ROUNDS = 12;

/**
 * Moves a sandbox's clock once per command and lets everything due happen: the offset commits with its fact, then the
 * services run what became due, in rounds until nothing moves in any replica. Answers the offset. The same command
 * after a crash takes up the same move. Source: domain 4-doors 7; reliability 3.1, I64.
 */
export const moveClock = async (ctx: Ctx, target: (offsetMs: number) => number, deps: MoveDeps): Promise<number> => {
  const offsetMs = await commitMove(ctx, target, deps);
  const moved: Ctx = { ...ctx, command: null, now: new Date(ctx.networkNow.getTime() + offsetMs) };
  if (await settled(moved, offsetMs, deps.clocks)) return offsetMs;
  throw unavailable(
    'Much became due in this sandbox and is still being handled. Retry with the same Idempotency-Key.',
    1,
  );
};

/** How long a sandbox's answer waits at most for what it caused; what is not there by then arrives by itself. */
const SETTLE_MS = 3_000;

/**
 * Lets what a sandbox's write caused arrive in all services, the clock standing where it is: the next request finds it
 * (domain 4-doors 7: answers and posts act at once). Never raises: the write stands.
 */
export const settleNow = async (ctx: Ctx, clocks: ClockServices): Promise<void> => {
  const asked: Ctx = { ...ctx, command: null, deadline: ctx.deadline.atMost(SETTLE_MS) };
  const offsetMs = ctx.now.getTime() - ctx.networkNow.getTime();
  try {
    await settled(asked, offsetMs, clocks);
  } catch {
    // A service that is away takes up its facts when it is back.
  }
};

const commitMove = async (
  ctx: Ctx,
  target: (offsetMs: number) => number,
  { shell, workspaces, keys, keyChanges, moves }: MoveDeps,
): Promise<number> => {
  const { workspace } = ctx.principal;
  if (ctx.command === null) throw new Error('a sandbox clock was moved without a command');
  const commandId = ctx.command.id;
  const before = await moves.byCommand(workspace, commandId);
  if (before !== null) {
    // The run that committed the move may have died before its keys followed.
    await keys.apply(clockChange(workspace, before.offset_ms));
    return before.offset_ms;
  }

  let offsetMs = 0;
  let committed: Awaited<ReturnType<KeyChanges['add']>> = [];
  await commitChange(
    shell,
    ctx,
    'sandbox_clock_move',
    200,
    async () => {
      const row = await workspaces.byId(workspace);
      if (row === null) throw notFound('workspace');
      if (row.kind !== 'sandbox') throw new AppError('forbidden', 'Only a sandbox has a clock of its own.');
      const next = Math.max(row.offset_ms, target(row.offset_ms));
      offsetMs = next;
      return change(null, {
        save: async (tx) => {
          await moves.insert(tx, { _id: commandId, ws: workspace, offset_ms: next, at: ctx.networkNow });
          await workspaces.setOffset(tx, row, next);
          committed = await keyChanges.add(tx, [clockChange(workspace, next)], ctx.networkNow);
        },
        events: [
          {
            name: 'clock.set',
            payload: {
              aggregate: workspace,
              version: row.clock_version + 1,
              workspace,
              offset_ms: next,
              at: ctx.networkNow.toISOString(),
            },
          },
        ],
      });
    },
    false,
  );
  await keyChanges.make(committed);
  return offsetMs;
};

const clockChange = (ws: string, offsetMs: number): KeyChange => ({ kind: 'clock', ws, offset_ms: offsetMs });

/** Goes round until two rounds in succession show that nothing is left, and answers whether they did. */
const settled = async (ctx: Ctx, offsetMs: number, clocks: ClockServices): Promise<boolean> => {
  let before: readonly ServiceStands[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const after = await settleRound(ctx, offsetMs, clocks);
    if (isSettled(before, after)) return true;
    before = after;
  }
  return false;
};

/** One round, one service after the other: what one causes, a later one finds. Planning, which all others feed, is last. */
const settleRound = async (ctx: Ctx, offsetMs: number, clocks: ClockServices): Promise<ServiceStands[]> => {
  const input = { workspace: ctx.principal.workspace, offset_ms: offsetMs };
  return [
    await clocks.billing_clock_set(ctx, input),
    await clocks.metrics_clock_set(ctx, input),
    await clocks.proposals_clock_set(ctx, input),
    await clocks.catalog_clock_set(ctx, input),
    await clocks.planning_clock_set(ctx, input),
  ];
};
