import { AppError, notFound, unavailable } from '@cds/contracts';
import { type Client, type Ctx, change, commitChange, type WriteShell } from '@cds/service';
import { hasPropagated, type ServiceProgress } from '../domain/propagation.js';
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

/** Rounds before the caller is asked to retry. Each round may cause the next, since what was due makes more due. */
const ROUNDS = 12;

/**
 * Moves a sandbox's clock once per command: the offset commits with its event, then the services run what became due,
 * in rounds, until nothing is left in any replica. Returns the offset. After a crash the same command resumes the same
 * move. Source: docs/domain/access.md#sandbox, docs/reliability.md#clocks, I64.
 */
export const moveClock = async (ctx: Ctx, target: (offsetMs: number) => number, deps: MoveDeps): Promise<number> => {
  const offsetMs = await commitMove(ctx, target, deps);
  const moved: Ctx = { ...ctx, command: null, now: new Date(ctx.networkNow.getTime() + offsetMs) };
  if (await runUntilQuiet(moved, offsetMs, deps.clocks)) return offsetMs;
  throw unavailable('The clock advance is still processing. Retry with the same Idempotency-Key.', 1);
};

/** The longest that an answer waits for what it caused. Whatever is later still arrives. */
const PROPAGATION_MS = 3_000;

/**
 * Waits until what a sandbox's write caused has reached every service, so that the next request finds it
 * (docs/domain/access.md#sandbox: answers and posts act at once). The clock does not move. Never raises, since the
 * write is committed.
 */
export const awaitPropagation = async (ctx: Ctx, clocks: ClockServices): Promise<void> => {
  const asked: Ctx = { ...ctx, command: null, deadline: ctx.deadline.atMost(PROPAGATION_MS) };
  const offsetMs = ctx.now.getTime() - ctx.networkNow.getTime();
  try {
    await runUntilQuiet(asked, offsetMs, clocks);
  } catch {
    // An unavailable service handles its events once it is back.
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
    // The run that committed the move may have crashed before it updated the keys.
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
      if (row.kind !== 'sandbox')
        throw new AppError('forbidden', 'Only a sandbox has a clock of its own. Use a test key (cds_test_).');
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
  await keyChanges.apply(committed);
  return offsetMs;
};

const clockChange = (ws: string, offsetMs: number): KeyChange => ({ kind: 'clock', ws, offset_ms: offsetMs });

/** Runs rounds until two in succession show that nothing is left; false when they never do. */
const runUntilQuiet = async (ctx: Ctx, offsetMs: number, clocks: ClockServices): Promise<boolean> => {
  let before: readonly ServiceProgress[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const after = await propagationRound(ctx, offsetMs, clocks);
    if (hasPropagated(before, after)) return true;
    before = after;
  }
  return false;
};

/**
 * One round, service by service, so that a later one finds what an earlier one caused. Planning, which all feed, is
 * last.
 */
const propagationRound = async (ctx: Ctx, offsetMs: number, clocks: ClockServices): Promise<ServiceProgress[]> => {
  const input = { workspace: ctx.principal.workspace, offset_ms: offsetMs };
  return [
    await clocks.billing_clock_set(ctx, input),
    await clocks.metrics_clock_set(ctx, input),
    await clocks.proposals_clock_set(ctx, input),
    await clocks.catalog_clock_set(ctx, input),
    await clocks.planning_clock_set(ctx, input),
  ];
};
