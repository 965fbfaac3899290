import type { CreatorPause, CreatorProposal, DeclineReason, OfferState, PayoutState } from '@cds/contracts';
import { day, dollars, moment } from '../foundation/format.js';
import { errorAt, type FieldNames, NOTHING_WRONG, type Shown } from '../foundation/problems.js';
import {
  figureFields,
  isLost,
  POST_FIELDS,
  postSituation,
  type Situation,
  submitFields,
  submittedPost,
  type TypedPost,
} from './post-model.js';

export type Typed = TypedPost & { date?: string; reason?: string; note?: string };

export type Beside = { shown?: Shown; typed?: Typed };

/** The fields of the forms by the names that proposals gives their problems. */
export const ANSWER_FIELDS: FieldNames = {
  date: { field: 'date', label: 'Day to post' },
  reason: { field: 'reason', label: 'Reason' },
  note: { field: 'note', label: 'Note to the team' },
  ...POST_FIELDS,
};

const REASONS: readonly { value: DeclineReason; label: string }[] = [
  { value: 'price', label: 'The pay is too low' },
  { value: 'timing', label: 'The days do not suit me' },
  { value: 'fit', label: 'It does not fit my audience' },
  { value: 'policy', label: 'I do not post for this kind of company' },
  { value: 'other', label: 'Something else' },
];

const windowOf = ({ window }: CreatorProposal): string =>
  window.start === window.end ? day(window.start) : `${day(window.start)} to ${day(window.end)}`;

const SITUATIONS: Readonly<Record<OfferState, (shown: CreatorProposal) => Situation>> = {
  open: (shown) => ({
    kind: 'info',
    label: 'Waits for you',
    title: shown.expires_at === null ? 'Please answer' : `Please answer by ${moment(shown.expires_at)}`,
    texts: [
      shown.may.includes('accept')
        ? 'Nothing happens unless you accept. Without an answer the place is offered to someone else.'
        : 'No day is left to post, so the proposal can only be declined.',
    ],
  }),
  accepted: (shown) => ({
    kind: 'warn',
    label: 'Accepted',
    title: 'You accepted. Please book a day',
    texts: [`Choose a day from ${windowOf(shown)}. Without a day the place is lost when that time is over.`],
  }),
  booked: postSituation,
  declined: () => ({
    kind: 'info',
    label: 'Declined',
    title: 'You declined this proposal',
    texts: ['There is nothing more to do. Thank you for telling us.'],
  }),
  expired: (shown) => ({
    kind: 'warn',
    label: 'Expired',
    title: 'The time to answer is over',
    texts: [
      shown.may.includes('accept')
        ? 'You can still accept as long as nobody else has the place.'
        : 'There is nothing more to do here.',
    ],
  }),
  replaced: () => ({
    kind: 'info',
    label: 'Given away',
    title: 'This place has been given to someone else',
    texts: ['There is nothing more to do here.'],
  }),
  closed: () => ({
    kind: 'info',
    label: 'Closed',
    title: 'This proposal is closed',
    texts: ['It takes no answer any more. If you think that is wrong, write to our team.'],
  }),
};

/** Whether nothing more comes of the proposal: neither an answer nor a post. */
const isOver = ({ state, may }: CreatorProposal): boolean =>
  may.length === 0 && (state === 'declined' || state === 'expired' || state === 'replaced' || state === 'closed');

const PAYOUT_WORDS: Readonly<Record<PayoutState, string>> = { not_due: '', due: ', due now', paid: ', paid' };

const payoutOf = (shown: CreatorProposal): string | null => {
  const { payout_cents, payout_state } = shown;
  if (payout_cents === null || isOver(shown) || isLost(shown)) return null;
  return `${dollars(payout_cents)}${PAYOUT_WORDS[payout_state]}`;
};

const dateField = (shown: CreatorProposal, { problems }: Shown, typed: Typed, help: string) => ({
  name: 'date',
  label: 'Day to post',
  type: 'date',
  short: true,
  min: shown.window.start,
  max: shown.window.end,
  value: typed.date ?? shown.date ?? '',
  help,
  error: errorAt(problems, 'date'),
});

const refusalForm = ({ problems }: Shown, typed: Typed) => ({
  isOpen: typed.reason !== undefined,
  reason: {
    name: 'reason',
    legend: 'Reason',
    type: 'radio',
    options: REASONS.map((reason) => ({ ...reason, checked: reason.value === typed.reason })),
    error: errorAt(problems, 'reason'),
  },
  note: {
    name: 'note',
    label: 'Note to the team',
    rows: 3,
    help: 'If you like. The company does not see it.',
    value: typed.note,
    error: errorAt(problems, 'note'),
  },
});

/** The form that stops or reopens new proposals; null where only the team may. */
const PAUSES: Readonly<Record<CreatorPause, { act: string; text: string; submit: string } | null>> = {
  open: {
    act: 'pause',
    text: 'You get no further proposals until you reopen them. What you accepted stays as it is.',
    submit: 'Stop new proposals',
  },
  paused: { act: 'resume', text: 'You have stopped new proposals.', submit: 'Reopen new proposals' },
  closed: null,
};

/** The guidelines that show only after accepting, as lists of plain text with headings. */
const furtherOf = ({ guidelines }: CreatorProposal) =>
  guidelines === null
    ? []
    : [
        { heading: 'Key messages', texts: guidelines.key_messages },
        { heading: 'Voice', texts: guidelines.voice === '' ? [] : [guidelines.voice] },
        { heading: 'References', texts: guidelines.references },
      ].filter(({ texts }) => texts.length > 0);

/** The page of a proposal for its creator (docs/domain/pages.md#creator-links). */
export const creatorModel = (
  token: string,
  shown: CreatorProposal,
  formToken: (path: string) => string,
  { shown: wrong = NOTHING_WRONG, typed = {} }: Beside = {},
) => {
  const formOf = (act: string) => ({
    action: `/creator/${token}/${act}`,
    token: formToken(`/creator/${token}/${act}`),
  });
  const situation = SITUATIONS[shown.state](shown);
  const pause = PAUSES[shown.proposals];
  return {
    ...wrong,
    title: situation.title,
    secretUrl: true,
    sandbox: shown.sandbox,
    heading: shown.company === null ? 'A paid post for you' : `A paid post for ${shown.company}`,
    product: shown.product,
    company: shown.company,
    payout: payoutOf(shown),
    situation,
    deliverable: shown.deliverable,
    day: shown.date === null ? null : day(shown.date),
    mayMove: shown.may.includes('accept') || shown.may.includes('date'),
    launch: windowOf(shown),
    quotes: shown.format === 'quote' ? { url: shown.launch_post_url } : null,
    pitch: shown.pitch,
    dos: shown.dos,
    donts: shown.donts,
    further: furtherOf(shown),
    accept: shown.may.includes('accept')
      ? {
          ...formOf('accept'),
          field: dateField(shown, wrong, typed, `${windowOf(shown)}. Leave it empty to book a day later.`),
        }
      : null,
    date: shown.may.includes('date')
      ? { ...formOf('date'), field: dateField(shown, wrong, typed, `${windowOf(shown)}.`) }
      : null,
    submitted: submittedPost(shown),
    post: shown.may.includes('post') ? { ...formOf('post'), ...submitFields(wrong, typed, shown.post) } : null,
    analytics: shown.may.includes('analytics') ? { ...formOf('analytics'), ...figureFields(wrong, typed) } : null,
    pause: pause === null ? null : { ...formOf(pause.act), ...pause },
    decline: shown.may.includes('decline') ? { ...formOf('decline'), ...refusalForm(wrong, typed) } : null,
    withdraw: shown.may.includes('withdraw') ? { ...formOf('withdraw'), ...refusalForm(wrong, typed) } : null,
  };
};
