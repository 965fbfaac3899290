// What a colleague would mention about a paid campaign (docs/domain/plans.md#notes).
import { type LineStage, NOTE_KINDS, type Note, type PaymentState } from '@cds/contracts';
import type { Campaign, Plan } from '../plan.js';
import type { LineAhead } from './line-next.js';
import { launchPostMissing } from './notes.js';
import { type LineProgress, lineStage, NO_PROGRESS } from './stage.js';

export type PaidLine = { progress: LineProgress; ahead: LineAhead };

const PAID: readonly (PaymentState | null)[] = ['paid', 'partially_refunded'];

export const isPaid = ({ order }: Pick<Plan, 'order'>): boolean => PAID.includes(order?.payment_state ?? null);

const TO_COME: readonly LineStage[] = ['planned', 'offered', 'creator_confirmed', 'scheduled'];

/** Posts that will still quote the launch post: not live, proved or cancelled. */
export const quotesToCome = (
  { lines, order }: Pick<Plan, 'lines' | 'order'>,
  seen: ReadonlyMap<string, Pick<PaidLine, 'progress'>>,
): number =>
  lines.filter(
    ({ id, format }) =>
      format === 'quote' &&
      TO_COME.includes(lineStage(seen.get(id)?.progress ?? NO_PROGRESS, order?.payment_state ?? null)),
  ).length;

export const launchPostToCome = (
  campaign: Campaign,
  plan: Plan | null,
  seen: ReadonlyMap<string, Pick<PaidLine, 'progress'>>,
): Note[] =>
  plan?.status === 'approved'
    ? launchPostMissing(
        campaign,
        quotesToCome(plan, seen),
        'before the posts go live: without it their creators have nothing to quote.',
      )
    : [];

/** Most important first; none unless the order is paid. */
export const paidNotes = (lines: readonly PaidLine[], order: PaymentState | null): Note[] =>
  PAID.includes(order)
    ? [...replacementNotes(lines), ...blocked(lines), ...credits(lines)].sort(
        (one, other) => NOTE_KINDS.indexOf(one.kind) - NOTE_KINDS.indexOf(other.kind),
      )
    : [];

export const replacementNotes = (lines: readonly PaidLine[]): Note[] => [...choices(lines), ...searches(lines)];

const LOST: readonly LineProgress['proposal_state'][] = ['declined', 'no_reply', 'unfilled'];

export const isLost = ({ booked, cancelled, proposal_state: state }: LineProgress): boolean =>
  !booked && !cancelled && LOST.includes(state);

const searches = (lines: readonly PaidLine[]): Note[] => {
  const count = lines.filter(
    ({ progress, ahead }) => isLost(progress) && ahead.search?.next_at != null && ahead.search.choose_until === null,
  ).length;
  return count === 0
    ? []
    : [
        {
          kind: 'replacement_search',
          text: `${counted(count, 'post lost its creator', 'posts lost their creators')}. A replacement is being looked for.`,
          fields: ['plan.lines'],
        },
      ];
};

/** Until when the brand may choose a replacement, earliest first. */
export const choicesUntil = (lines: readonly PaidLine[]): string[] =>
  lines
    .filter(({ progress }) => !progress.cancelled)
    .flatMap(({ ahead }) => ahead.search?.choose_until ?? [])
    .sort();

const choices = (lines: readonly PaidLine[]): Note[] => {
  const until = choicesUntil(lines);
  const [first] = until;
  return first === undefined
    ? []
    : [
        {
          kind: 'replacement_choice',
          text: `${counted(until.length, 'post lost its creator', 'posts lost their creators')}. Choose a replacement over the REST API before ${first}, or the search takes the first candidate.`,
          fields: ['plan.lines.next.candidates'],
        },
      ];
};

const blocked = (lines: readonly PaidLine[]): Note[] => {
  const count = lines.filter(
    ({ progress }) => !progress.cancelled && progress.booked && progress.post?.status === 'blocked',
  ).length;
  return count === 0
    ? []
    : [
        {
          kind: 'post_blocked',
          text: `${counted(count, 'post is', 'posts are')} missing, removed or not disclosed. Its next step says what happens and when.`,
          fields: ['plan.lines.next'],
        },
      ];
};

const credits = (lines: readonly PaidLine[]): Note[] => {
  const cents = lines.reduce(
    (sum, { ahead }) => sum + ahead.credits.reduce((total, one) => total + one.amount_cents, 0),
    0,
  );
  return cents === 0
    ? []
    : [
        {
          kind: 'credited',
          text: `${(cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })} of this order is credited to you. The next step of each line says how much is for it.`,
          fields: ['plan.lines.next'],
        },
      ];
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
