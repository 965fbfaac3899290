import { AppError, type Input, notFound, unavailable } from '@cds/contracts';
import { type Client, type Ctx, change, commitChange, type WriteShell } from '@cds/service';
import type { KeyChange, KeyChanges, Keys, WorkspaceRow, Workspaces } from '../accounts/port.js';
import type { DueServices } from './clock-facts.js';
import { nextStop } from './domain/clock.js';
import { hasPropagated, type ServiceProgress } from './domain/propagation.js';
import type { ClockMoveRow, ClockMoves } from './store/clock-moves.js';
import { untilAnswered } from './until-answered.js';

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
  due: DueServices;
};

/** Rounds before the caller is asked to retry. Each round may cause the next, since what was due makes more due. */
const ROUNDS = 24;

/** The time that a stop needs before the deadline; with less the caller is asked to retry. */
const ONE_STOP_MS = 2_000;

/**
 * Moves a sandbox's clock once per command: the offset commits with its event, then the services run what became due,
 * in rounds, until nothing is left in any replica. Returns the offset. After a crash the same command resumes the same
 * move.
 *
 * A line that lost its post looks for a replacement among the creators that other lines left. So a long move first
 * stops at each remedy, in the services that play posts: whatever jumps lead to a time, what happened until then is the
 * same. Source: docs/domain/sandbox.md#sandbox, docs/reliability.md#clocks, I64.
 */
export const moveClock = async (ctx: Ctx, target: (offsetMs: number) => number, deps: MoveDeps): Promise<number> => {
  const goal = (await storedMove(ctx, target, deps)).offset_ms;
  const present = await offsetOf(ctx, deps);
  if (goal > present) await playUntil(ctx, present, goal, deps);
  const offsetMs = await commitOffset(ctx, goal, deps);
  if (!(await runUntilQuiet(at(ctx, offsetMs), offsetMs, deps.clocks))) throw stillProcessing();
  return goal;
};

/** Plays posts and offers from one offset to another in the order of their times. */
const playUntil = async (ctx: Ctx, from: number, goal: number, { clocks, due }: MoveDeps): Promise<void> => {
  const asked = { workspace: ctx.principal.workspace };
  const offsetAt = (instant: string | null | undefined): number | null =>
    instant == null ? null : Date.parse(instant) - ctx.networkNow.getTime();
  let present = from;
  while (present < goal) {
    const inside = at(ctx, present);
    const [offers, posts] = await Promise.all([
      untilAnswered(inside, (asking) => due.proposals_due(asking, asked)),
      untilAnswered(inside, (asking) => due.metrics_due(asking, asked)),
    ]);
    const stop = nextStop({
      present,
      goal,
      offerAt: offsetAt(offers.pending[0]?.due_at),
      remedyAt: offsetAt(posts.stop_at),
    });
    // What is left has no remedy on the way, and needs no stop.
    if (stop >= goal) return;
    if (ctx.deadline.remainingMs() < ONE_STOP_MS) throw stillProcessing();
    present = stop;
    const input = { ...asked, offset_ms: present };
    const set = setter(at(ctx, present), input, clocks);
    const round = async (): Promise<ServiceProgress[]> => [
      await set('metrics_clock_set'),
      await set('proposals_clock_set'),
      // A post goes live once catalog reveals its creator.
      await set('catalog_clock_set'),
    ];
    if (!(await untilQuiet(round))) throw stillProcessing();
  }
};

const at = (ctx: Ctx, offsetMs: number): Ctx => ({
  ...ctx,
  command: null,
  now: new Date(ctx.networkNow.getTime() + offsetMs),
});

const stillProcessing = (): AppError =>
  unavailable('The clock advance is still processing. Retry with the same Idempotency-Key.', 1);

/** The longest that an answer waits for what it caused. Whatever is later still arrives. */
const PROPAGATION_MS = 3_000;

/**
 * Waits until what a sandbox's write caused has reached every service, so that the next request finds it
 * (docs/domain/sandbox.md#sandbox: answers and posts act at once). The clock does not move. Never raises, since the
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

/**
 * Where a command moves the clock. Moves of several commands at once add up, since each begins where those before it
 * will end.
 */
const storedMove = async (
  ctx: Ctx,
  target: (offsetMs: number) => number,
  { shell, workspaces, moves }: MoveDeps,
): Promise<ClockMoveRow> => {
  const { workspace } = ctx.principal;
  if (ctx.command === null) throw new Error('a sandbox clock was moved without a command');
  const commandId = ctx.command.id;
  const before = await moves.byCommand(workspace, commandId);
  if (before !== null) return before;

  let move: ClockMoveRow | null = null;
  await commitChange(
    shell,
    ctx,
    'sandbox_clock_goal',
    200,
    async () => {
      const row = await sandboxOf(workspace, workspaces);
      const present = Math.max(row.offset_ms, row.clock_goal_ms ?? 0);
      const goal = Math.max(present, target(present));
      const begun = { _id: commandId, ws: workspace, offset_ms: goal, at: ctx.networkNow };
      move = begun;
      return change(null, {
        save: async (tx) => {
          await moves.insert(tx, begun);
          await workspaces.setGoal(tx, row, goal);
        },
      });
    },
    false,
  );
  if (move === null) throw new Error('a move was committed without being decided');
  return move;
};

const sandboxOf = async (workspace: string, workspaces: Workspaces): Promise<WorkspaceRow> => {
  const row = await workspaces.byId(workspace);
  if (row === null) throw notFound('workspace');
  if (row.kind !== 'sandbox')
    throw new AppError('forbidden', 'Only a sandbox has a clock of its own. Use a test key (cds_test_).');
  return row;
};

const offsetOf = async (ctx: Ctx, { workspaces }: MoveDeps): Promise<number> =>
  (await sandboxOf(ctx.principal.workspace, workspaces)).offset_ms;

/** Moves the clock to an offset, with its event; one that is there already, or further, stays. Returns the offset. */
const commitOffset = async (
  ctx: Ctx,
  goal: number,
  { shell, workspaces, keys, keyChanges }: MoveDeps,
): Promise<number> => {
  const { workspace } = ctx.principal;
  let offsetMs = goal;
  let committed: Awaited<ReturnType<KeyChanges['add']>> = [];
  await commitChange(
    shell,
    ctx,
    'sandbox_clock_move',
    200,
    async () => {
      const row = await sandboxOf(workspace, workspaces);
      const next = Math.max(row.offset_ms, goal);
      offsetMs = next;
      if (next === row.offset_ms) return change(null, { save: async () => undefined });
      return change(null, {
        save: async (tx) => {
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
  if (committed.length > 0) await keyChanges.apply(committed);
  // The run that committed this offset may have crashed before it updated the keys.
  else await keys.apply(clockChange(workspace, offsetMs));
  return offsetMs;
};

const clockChange = (ws: string, offsetMs: number): KeyChange => ({ kind: 'clock', ws, offset_ms: offsetMs });

/** Runs rounds until two in succession show that nothing is left; false when they never do. */
export const runUntilQuiet = (ctx: Ctx, offsetMs: number, clocks: ClockServices): Promise<boolean> =>
  untilQuiet(() => propagationRound(ctx, offsetMs, clocks));

const untilQuiet = async (round: () => Promise<ServiceProgress[]>): Promise<boolean> => {
  let before: readonly ServiceProgress[] = [];
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
    const after = await round();
    if (hasPropagated(before, after)) return true;
    before = after;
  }
  return false;
};

/** One service after the other, so that a later one finds what an earlier one caused. Planning, fed by all, is last. */
const propagationRound = async (ctx: Ctx, offsetMs: number, clocks: ClockServices): Promise<ServiceProgress[]> => {
  const set = setter(ctx, { workspace: ctx.principal.workspace, offset_ms: offsetMs }, clocks);
  return [
    await set('billing_clock_set'),
    await set('metrics_clock_set'),
    await set('proposals_clock_set'),
    await set('catalog_clock_set'),
    await set('planning_clock_set'),
  ];
};

/** Sets the clock of one service. A clock only moves forward, so a call without an answer may be repeated. */
const setter =
  (ctx: Ctx, input: Input<'billing_clock_set'>, clocks: ClockServices) =>
  (operation: keyof ClockServices): Promise<ServiceProgress> =>
    untilAnswered(ctx, (asking) => clocks[operation](asking, input));
