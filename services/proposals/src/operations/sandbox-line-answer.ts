import { AppError, conflict, type Input, notFound, unavailable } from '@cds/contracts';
import { type Client, change, type WriteHandler } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import { accept, awaitsAnswer, bookingDay, decline, type Move, mayBook, playSilence } from '../domain/moves.js';
import { lineChanged } from '../present/line-changed.js';
import { presentSandboxLine } from '../present/paid-line.js';
import type { Offers } from '../store/offers.js';

/** Raises not_found, unprocessable, conflict (no_open_proposal, bad_dates). Source: docs/domain/sandbox.md#sandbox. */
export const sandboxLineAnswer: WriteHandler<
  'sandbox_line_answer',
  { offers: Offers; calls: Client<'identity_reveal'> }
> = async (ctx, input, { offers, calls }) => {
  checkFields(input);
  const chain = await offers.byLine(ctx.principal.workspace, input.id);
  if (chain === null || !chain.line.sandbox) throw notFound('line');
  const before = openChain(chain.line, chain.proposal, ctx.now);
  const { creators } = await calls.identity_reveal(ctx, {
    order_id: before.line.order_id,
    creator_ids: [before.proposal.creator_id, before.proposal.replaced_creator_id].filter((id) => id !== null),
  });

  const move = play(before, input, ctx.now);

  const shown = presentSandboxLine(move.chain, new Map(creators.map((one) => [one.creator_id, one.handle])));
  if (shown === null) throw unavailable('The payment is still propagating. Retry in a moment.');
  return change(shown, {
    save: (tx) => offers.save(tx, before, move),
    events: move.emits ? [{ name: 'line.changed', payload: lineChanged(move.chain) }] : [],
  });
};

const checkFields = ({ answer, date, reason }: Input<'sandbox_line_answer'>): void => {
  const problems = [
    ...(date !== undefined && answer !== 'accept' && answer !== 'late'
      ? [{ field: 'date', message: 'goes only with answer accept or late' }]
      : []),
    ...(reason !== undefined && answer !== 'decline'
      ? [{ field: 'reason', message: 'goes only with answer decline' }]
      : []),
  ];
  if (problems.length > 0) {
    throw new AppError('unprocessable', 'These fields do not go together. See details.problems.', { problems });
  }
};

const openChain = (line: Chain['line'], proposal: Chain['proposal'] | null, now: Date): Chain => {
  if (proposal === null || !awaitsAnswer({ line, proposal }, now)) {
    throw conflict(
      'no_open_proposal',
      'This line has no proposal awaiting an answer. Pay the order first, or read the line to see how it was answered.',
    );
  }
  return { line, proposal };
};

const play = (chain: Chain, { answer, date, reason }: Input<'sandbox_line_answer'>, now: Date): Move => {
  const { launch_window_start, launch_window_end } = chain.line;
  const badDates = (message: string) => conflict('bad_dates', message, { launch_window_start, launch_window_end });
  if (date !== undefined && !mayBook(chain.line, date, now))
    throw badDates(
      `\`date\` must be today or later and within the launch window, ${launch_window_start} to ${launch_window_end}.`,
    );
  switch (answer) {
    case 'accept': {
      const day = date ?? bookingDay(chain.line, now);
      if (day === null) throw badDates('The launch window is over, so no day is left to book. Use decline or ignore.');
      return accept(chain, now, day);
    }
    case 'decline':
      return decline(chain, now, reason ?? null);
    case 'ignore':
    case 'late':
      return playSilence(chain, answer === 'late', date ?? null, now);
  }
};
