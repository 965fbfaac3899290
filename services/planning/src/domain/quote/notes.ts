import { type LeftOutLimit, MOST_NOTES, NOTE_KINDS, type Note } from '@cds/contracts';
import { addDays, dayOf } from '@cds/service/calendar';
import { noPlanMessage } from '../campaign/campaign-input.js';
import { ANYONE, narrows } from '../campaign/selection.js';
import { LEAD_DAYS, MONEY_LEFT_SHARE } from '../constants.js';
import { type Campaign, type Plan, totalOf } from '../plan.js';
import { momentOf } from '../schedule/moment.js';
import { firstDay } from '../schedule/schedule.js';

export type Shared = { creator_id: string; campaign_id: string; campaign: string };

export type NoteFacts = { campaign: Campaign; plan: Plan | null; shared: readonly Shared[]; now: Date };

/** Most important first (docs/domain/plans.md#notes). Amounts are the brand's own. */
export const notesOf = (facts: NoteFacts): Note[] => {
  const { campaign, plan } = facts;
  if (plan?.status === 'approved') return [];
  const notes = plan === null ? [...noPlan(campaign), ...audience(campaign)] : planNotes({ ...facts, plan });
  return notes.sort((one, other) => NOTE_KINDS.indexOf(one.kind) - NOTE_KINDS.indexOf(other.kind)).slice(0, MOST_NOTES);
};

type PlanFacts = NoteFacts & { plan: Plan };

const planNotes = (facts: PlanFacts): Note[] => [
  ...changeAnswered(facts),
  ...audience(facts.campaign),
  ...geography(facts),
  ...mandate(facts),
  ...ownLimits(facts),
  ...launchPost(facts),
  ...shortWindow(facts),
  ...launchDay(facts),
  ...shared(facts),
  ...moneyLeft(facts),
];

const changeAnswered = ({ campaign }: PlanFacts): Note[] =>
  campaign.change_answer == null
    ? []
    : [
        {
          kind: 'change_answered',
          text: `The team answered your change request: ${campaign.change_answer.text}`,
          fields: [],
        },
      ];

const noPlan = (campaign: Campaign): Note[] =>
  campaign.no_plan === null
    ? []
    : [
        {
          kind: 'no_plan',
          text: noPlanMessage(campaign.no_plan, campaign),
          fields: FIELDS_OF_NO_PLAN[campaign.no_plan],
        },
      ];

const FIELDS_OF_NO_PLAN: Record<NonNullable<Campaign['no_plan']>, string[]> = {
  no_candidates: ['audience'],
  budget_too_small: ['budget_usd'],
  category_banned: ['category', 'product', 'moment'],
  category_review: ['category', 'product', 'moment'],
  building: [],
};

/** Until candidates were asked for, nobody has read the audience. */
const UNREAD: readonly Campaign['no_plan'][] = ['building', 'category_banned', 'category_review'];

const audience = ({ audience: text, unresolved, no_plan, goal }: Campaign): Note[] =>
  !unresolved || text === null || goal === null || UNREAD.includes(no_plan)
    ? []
    : [
        {
          kind: 'audience_not_understood',
          text: 'No segment was found in the audience, so creators of every topic were considered. Resolving the audience shows how its text is read.',
          fields: ['audience'],
        },
      ];

const geography = ({ campaign, plan }: PlanFacts): Note[] => {
  if (plan.built_under?.geography === 'not_understood')
    return [
      {
        kind: 'geography_not_understood',
        text: `No country or region was found in “${shortened(campaign.geography)}”, so creators of every country were considered.`,
        fields: ['geography'],
      },
    ];
  return plan.built_under?.geography === 'not_shown' && isAsBuilt(plan)
    ? [
        {
          kind: 'geography_not_shown',
          text: `No creator in the plan shows a country in ${shortened(campaign.geography)}.`,
          fields: ['geography'],
        },
      ]
    : [];
};

const mandate = ({ campaign, plan }: PlanFacts): Note[] => {
  const cents = plan.built_under?.mandate_cents ?? null;
  return cents === null || campaign.budget_cents === null || cents >= campaign.budget_cents
    ? []
    : [
        {
          kind: 'mandate_below_budget',
          text: `The plan was built for a key that could sign plans of at most ${usd(cents)}, so it stays below the budget of ${usd(campaign.budget_cents)}.`,
          fields: ['budget_usd'],
        },
      ];
};

/** Limits that the brand asked for and then exceeded by an edit. */
const ownLimits = ({ campaign: { selection = ANYONE }, plan: { lines } }: PlanFacts): Note[] => {
  const { max_price_cents: most, max_creators: mostCreators } = selection;
  const dearer = lines.filter(({ price_cents }) => most !== null && price_cents > most);
  const creators = new Set(lines.flatMap(({ creator_id }) => creator_id ?? [])).size;
  const tooMany = mostCreators !== null && creators > mostCreators;
  const texts = [
    ...(dearer.length === 0
      ? []
      : [
          `${counted(dearer.length, 'post costs', 'posts cost')} more than your own limit of ${usd(most ?? 0)} for one post; the dearest costs ${usd(Math.max(...dearer.map(({ price_cents }) => price_cents)))}.`,
        ]),
    ...(tooMany ? [`The plan has ${creators} creators, more than your own limit of ${mostCreators}.`] : []),
  ];
  const fields = [...(dearer.length === 0 ? [] : ['max_price_usd']), ...(tooMany ? ['max_creators'] : [])];
  return texts.length === 0 ? [] : [{ kind: 'over_own_limits', text: texts.join(' '), fields }];
};

const launchPost = ({ campaign, plan }: PlanFacts): Note[] =>
  launchPostMissing(campaign, plan.lines.filter(({ format }) => format === 'quote').length, 'before you sign.');

export const launchPostMissing = (
  campaign: Pick<Campaign, 'launch_post_url' | 'goal'>,
  quotes: number,
  before: string,
): Note[] =>
  quotes === 0 || (campaign.launch_post_url ?? null) !== null
    ? []
    : [
        {
          kind: 'launch_post_missing',
          text: `${counted(quotes, 'creator quotes', 'creators quote')} ${campaign.goal === 'launch' ? 'your launch post' : 'a post that you name'}, and its link is missing. Set the launch_post_url of the campaign ${before}`,
          fields: ['launch_post_url'],
        },
      ];

const shortWindow = ({ plan, now }: PlanFacts): Note[] => {
  const today = dayOf(now);
  const early = addDays(today, LEAD_DAYS);
  const past = plan.lines.filter(({ scheduled_date }) => scheduled_date < today).length;
  const soon = plan.lines.filter(({ scheduled_date }) => scheduled_date < early).length - past;
  const texts = [
    ...(past === 0
      ? []
      : [`The ${past === 1 ? 'day of 1 post has' : `days of ${past} posts have`} passed. Move the dates.`]),
    ...(soon === 0
      ? []
      : [
          `${counted(soon, 'post is', 'posts are')} due before ${early}. Creators have 48 hours to answer, so some may answer too late.`,
        ]),
  ];
  return texts.length === 0
    ? []
    : [{ kind: 'short_window', text: texts.join(' '), fields: ['window_start', 'window_end'] }];
};

const launchDay = ({ campaign, plan, now }: PlanFacts): Note[] => {
  const { goal, moment } = campaign;
  if (goal === null || goal === 'program' || moment === null) return [];
  const { launch_window_start: start, launch_window_end: end } = plan;
  const taken = addDays(start, plan.moment_offset);
  const { day, words } = momentOf(moment, start, end);
  if (words === null)
    return [
      {
        kind: 'no_launch_day',
        text: `No date inside the launch window was found in the moment, so ${taken} counts as ${NAMES[goal]}. Send a moment with a date such as ${taken} to change it.`,
        fields: ['moment'],
      },
    ];
  const first = firstDay(goal, { start, end, momentOffset: 0 }, dayOf(now));
  return [
    {
      kind: 'launch_day',
      text: `${
        day === taken
          ? `${day} was taken as ${NAMES[goal]}, from “${words}”.`
          : `${taken} counts as ${NAMES[goal]}: it moved with the dates, and the moment still says “${words}”. Send a moment with another date to change it.`
      }${taken < first ? ` The first possible day for a post is ${first}.` : ''}`,
      fields: ['moment'],
    },
  ];
};

const NAMES = { launch: 'the launch day', funding: 'the announcement day', feature: 'the release day' } as const;

const shared = ({ shared: found }: PlanFacts): Note[] => {
  const creators = new Set(found.map(({ creator_id }) => creator_id));
  if (creators.size === 0) return [];
  const names = new Map(found.map(({ campaign_id, campaign }) => [campaign_id, campaign]));
  const campaigns = [...names].map(([id, name]) => `“${name}” (${id})`);
  return [
    {
      kind: 'also_in_other_plan',
      text: `${counted(creators.size, 'creator is', 'creators are')} also in ${campaigns.length === 1 ? 'another plan' : 'other plans'} of this brand at the time: ${few(campaigns)}.`,
      fields: ['lines'],
    },
  ];
};

const moneyLeft = ({ campaign, plan }: PlanFacts): Note[] => {
  const { built_under: built, lines } = plan;
  if (built === undefined || campaign.budget_cents === null || !isAsBuilt(plan)) return [];
  const cap = Math.min(campaign.budget_cents, built.mandate_cents ?? campaign.budget_cents);
  const left = cap - totalOf(lines);
  return left < MONEY_LEFT_SHARE * cap
    ? []
    : [
        {
          kind: 'money_left',
          text: `${usd(left)} is left: ${built.left === undefined || built.left === null ? allOnPlan(campaign) : WHY_LEFT[built.left]}`,
          fields: ['budget_usd'],
        },
      ];
};

const allOnPlan = ({ selection = ANYONE }: Campaign): string =>
  narrows(selection)
    ? 'every creator who reaches this audience and fits your own choices is on the plan.'
    : 'every creator who reaches this audience is on the plan.';

const WHY_LEFT: Record<LeftOutLimit, string> = {
  spend_rule:
    'no other creator who reaches this audience adds at least a quarter of what the plan brings for each dollar.',
  budget: 'it pays for no other creator who reaches this audience.',
  line_price: 'the other creators cost more than one post may take of the budget.',
  lines: 'the plan has as many posts as a budget of this size allows.',
  creators: 'the plan has as many creators as max_creators allows.',
  reach_band: 'the plan has as many posts as it may have of the reach band of the other creators.',
};

const isAsBuilt = ({ lines, reasons }: Plan): boolean =>
  reasons !== undefined &&
  lines.length === reasons.lines.length &&
  reasons.lines.every(({ line_id }) => lines.some(({ id }) => id === line_id));

const usd = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  });

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const MOST_NAMES = 3;

const few = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;

const MOST_OF_TEXT = 60;

const shortened = (text: string): string =>
  [...text].length <= MOST_OF_TEXT ? text : `${[...text].slice(0, MOST_OF_TEXT).join('')}…`;
