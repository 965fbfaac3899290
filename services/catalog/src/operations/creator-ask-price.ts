import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, conflict, type Input, notFound, type Output } from '@cds/contracts';
import { Change, type Client, type Ctx, change, isDatabaseUnavailable, type Tx, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { isBookable, isFresh, isListed } from '../domain/creator/bookable.js';
import type { Creator } from '../domain/creator/creator.js';
import { askerOf, bookRead, meteredWorkspace } from '../metering/book-read.js';
import type { Creators } from '../store/creators.js';
import type { Meters } from '../store/meters.js';
import type { OperatorMessages } from '../store/operator-messages.js';
import type { PriceAsk, PriceAsks } from '../store/price-asks.js';

const PAUSE_MS = 20;
const PAUSE_MAX_MS = 320;

type Answer = Output<'creator_ask_price'>;

type AskDependencies = {
  creators: Pick<Creators, 'byId'>;
  meters: Pick<Meters, 'book' | 'confirmAsk' | 'isSendingAsk' | 'releaseAsk'>;
  messages: Pick<OperatorMessages, 'deliver'>;
  planning: Client<'campaign_texts'>;
  priceAsks: Pick<PriceAsks, 'latestOf' | 'open'>;
};

/**
 * Asks the team, never the creator (docs/specification.md#ask-for-a-price). Raises not_found, conflict already_priced,
 * rate_limited, and unavailable as 502 when the ask did not reach the team: then nothing is stored.
 */
export const creatorAskPrice: WriteHandler<'creator_ask_price', AskDependencies> = async (ctx, input, deps) => {
  for (let refusals = 0; ; ) {
    ctx.deadline.check();
    const decided = await decide(ctx, input, deps, refusals);
    if (decided instanceof Change) return decided;
    refusals = decided === 'refused' ? refusals + 1 : 0;
    if (decided === 'others_are_sending') await othersAreDone(ctx, deps);
  }
};

const othersAreDone = async (ctx: Ctx, { meters }: Pick<AskDependencies, 'meters'>): Promise<void> => {
  const meter = meteredWorkspace(ctx);
  for (let pause = PAUSE_MS; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
    await delay(pause);
    ctx.deadline.check();
    if (!(await meters.isSendingAsk(meter, askerOf(ctx), ctx.networkNow))) return;
  }
};

/** Why an ask is decided again: asks in flight may give back their places, or did after this one was refused. */
type Waiting = 'others_are_sending' | 'refused';

const decide = async (
  ctx: Ctx,
  input: Input<'creator_ask_price'>,
  deps: AskDependencies,
  refusals: number,
): Promise<Change<Answer> | Waiting> => {
  const [creator, last] = await Promise.all([
    deps.creators.byId(input.id.toLowerCase()),
    deps.priceAsks.latestOf(ctx.principal.workspace, input.id.toLowerCase()),
    input.campaign_id === undefined ? null : deps.planning.campaign_texts(ctx, { id: input.campaign_id.toLowerCase() }),
  ]);
  if (creator === null || !isListed(creator)) throw notFound('creator');

  const known = knownAnswer(creator, last, dayOf(ctx.networkNow));
  if (known !== null) {
    await opened(ctx, deps, creator._id);
    return change(known, { save: async () => undefined });
  }

  return sent(
    ctx,
    deps,
    {
      _id: randomUUID(),
      ws: ctx.principal.workspace,
      creator_id: creator._id,
      campaign_id: input.campaign_id?.toLowerCase() ?? null,
      requested_at: ctx.networkNow,
    },
    refusals,
  );
};

/** If the meter refuses the open, the answer is given anyway: it reveals nothing about the creator. */
const opened = async (ctx: Ctx, { meters }: Pick<AskDependencies, 'meters'>, creatorId: string): Promise<void> => {
  try {
    await bookRead(ctx, meters, { kind: 'ask', creators: [creatorId] });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
  }
};

const knownAnswer = (creator: Creator, last: PriceAsk | null, day: string): Answer | null => {
  if (isBookable(creator, day))
    throw conflict('already_priced', 'This creator has a format on sale. Open the creator to see its prices.');
  if (last?.status === 'requested')
    return { requested: true, already: true, status: 'requested', requested_at: last.requested_at.toISOString() };
  const stillFresh = creator.units.some(({ price }) => price !== null && isFresh(price, day));
  return last?.status === 'priced' && stillFresh
    ? { requested: false, already: false, status: 'priced', requested_at: last.requested_at.toISOString() }
    : null;
};

const isDailyLimit = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'rate_limited' && error.details?.['reason'] === 'daily_limit';

const undelivered = (cause?: unknown): AppError =>
  new AppError(
    'unavailable',
    'The request did not reach the team and was not saved. Try again.',
    { retry_after: 1 },
    { cause, status: 502 },
  );

/** Books the ask as a hold. The change then stores the ask, messages the team and confirms the hold, all or nothing. */
const sent = async (
  ctx: Ctx,
  { meters, messages, priceAsks }: AskDependencies,
  ask: Pick<PriceAsk, '_id' | 'ws' | 'creator_id' | 'campaign_id' | 'requested_at'>,
  refusals: number,
): Promise<Change<Answer> | Waiting> => {
  const meter = meteredWorkspace(ctx);

  // Each run is an attempt of its own, since a refused attempt would be refused again from the meter's record.
  const attempt: Ctx = { ...ctx, attemptId: `${ctx.attemptId}|${ask._id}` };
  try {
    await bookRead(attempt, meters, { kind: 'ask', creators: [ask.creator_id], askId: ask._id });
  } catch (error) {
    // Asks in flight hold places too, and most of those for one creator are given back in a moment.
    if (!isDailyLimit(error)) throw error;
    if (await meters.isSendingAsk(meter, askerOf(ctx), ctx.networkNow)) return 'others_are_sending';
    // Those places may have been given back since; a second refusal is final.
    if (refusals === 0) return 'refused';
    throw error;
  }

  return change(
    { requested: true, already: false, status: 'requested', requested_at: ask.requested_at.toISOString() },
    {
      save: async (tx) => {
        // The hold is outside the transaction, so an abort releases it. If that fails, it expires.
        tx.aborted(() => meters.releaseAsk(meter, ask._id));
        // Raises LostRace if another ask was faster: the next run finds it open, and this one leaves no trace.
        await priceAsks.open(tx, ask);
        await deliver(tx, ctx, messages, ask);
        if (!(await meters.confirmAsk(tx, meter, ask._id))) throw undelivered();
      },
    },
  );
};

const deliver = async (
  tx: Tx,
  { principal: { workspace_name, sandbox } }: Ctx,
  messages: AskDependencies['messages'],
  { requested_at: at, ...ask }: Pick<PriceAsk, '_id' | 'ws' | 'creator_id' | 'campaign_id' | 'requested_at'>,
): Promise<void> => {
  try {
    await messages.deliver(tx, { ...ask, kind: 'price_ask', workspace_name, sandbox, at });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    throw undelivered(error);
  }
};
