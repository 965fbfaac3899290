import { usageChart } from '../foundation/bar-chart.js';
import { page } from '../foundation/page.js';
import { publicEndpoint } from '../foundation/visitor.js';
import type { Route } from '../port.js';

const LONG_NAME = 'The-agent-of-the-whole-marketing-department-of-Überlingen-am-See-and-friends';

const NOTICES = [
  { kind: 'info', title: 'Good to know', text: 'A notice says what is so, then what to do.' },
  { kind: 'good', text: 'The key was renamed.' },
  { kind: 'warn', title: 'Expires in 3 days', text: 'Make another key before this one ends.' },
  {
    kind: 'bad',
    title: 'Two things need your attention',
    links: [
      { href: '#c-name-wrong', label: 'Name: must have 1 to 60 characters.' },
      { href: '#c-amount', label: 'Amount: write an amount in US dollars.' },
    ],
  },
];

const STATES = [
  { kind: 'good', label: 'Active' },
  { kind: 'warn', label: 'Expires in 3 days' },
  { kind: 'bad', label: 'Terms not accepted' },
  { kind: 'off', label: 'Revoked' },
];

const FIELDS = [
  { name: 'c-name', label: 'Name', help: 'What your team calls this key.', value: 'Planning agent' },
  { name: 'c-name-wrong', label: 'Name, refused', value: LONG_NAME, error: 'Must have 1 to 60 characters.' },
  {
    name: 'c-amount',
    label: 'Amount',
    prefix: '$',
    inputmode: 'decimal',
    value: '12,5',
    error: 'Write an amount in US dollars, such as 5000 or 5,000.50.',
  },
  { name: 'c-day', label: 'Day', type: 'date', short: true, value: '2027-01-31' },
  {
    name: 'c-list',
    label: 'List',
    value: 'b',
    options: [
      { value: 'a', label: 'One choice' },
      { value: 'b', label: 'Another choice' },
    ],
  },
];

const CHOICES = [
  {
    name: 'c-choices',
    legend: 'Choices',
    help: 'Any number of these.',
    columns: true,
    options: [
      { value: 'one', label: 'Read campaigns', help: 'Campaigns, plans and their quotes.', checked: true },
      { value: 'two', label: 'Sign plans', help: 'Turns a plan into a paid order.', checked: false },
    ],
  },
  {
    name: 'c-radio',
    legend: 'One of these',
    type: 'radio',
    error: 'Choose one.',
    options: [
      { value: 'one', label: 'Never', checked: false },
      { value: 'two', label: 'On a day', checked: false },
    ],
  },
];

const METERS = [
  { label: 'Spent this month', spent: '$0', of: 'of $60,000', percent: 0, kind: '' },
  { label: 'Spent this month', spent: '$31,400', of: 'of $60,000', percent: 52, kind: '' },
  { label: 'Spent this month', spent: '$52,500', of: 'of $60,000', percent: 88, kind: 'warn' },
  { label: 'Spent this month', spent: '$60,000', of: 'of $60,000', percent: 100, kind: 'bad' },
];

const card = {
  id: 'c1',
  href: '#c-keys',
  name: 'Planning agent',
  publicId: '0123456789Ab',
  state: STATES[0],
  scopes: 'Reads everything, works on campaigns and signs plans',
  mandate: 'Signs plans up to $25,000 each and $60,000 a month: X creators.',
  meter: METERS[1],
  lastUsed: '5 minutes ago',
  expires: 'Never',
};
const CARDS = [
  card,
  {
    ...card,
    id: 'c2',
    name: LONG_NAME,
    state: STATES[1],
    meter: METERS[2],
    lastUsed: 'just now',
    expires: '25 November 2026',
  },
  {
    ...card,
    id: 'c3',
    name: 'Reader',
    state: STATES[3],
    scopes: 'Reads 2 of 7 areas',
    mandate: 'No mandate: it can read, and every write is refused.',
    meter: null,
    lastUsed: 'Never',
  },
];

const DAY_MS = 86_400_000;

/** Thirty days that look like a real workspace's: quiet weekends, and errors on a few days. */
const DAYS = Array.from({ length: 30 }, (_none, at) => ({
  day: new Date(Date.UTC(2026, 9, 24) + at * DAY_MS).toISOString().slice(0, 10),
  ok: at % 7 > 4 ? 40 + at : 400 + ((at * 137) % 500),
  errors: at % 6 === 2 ? 30 + at * 2 : at % 5,
}));

const request = {
  moment: '22 Nov 2026, 12:00:00 UTC',
  ago: '5 minutes ago',
  title: 'Sign a plan',
  line: 'POST /api/v1/plans/{id}/approve',
  transport: 'REST',
  key: 'Planning agent',
  keyHref: '#c-table',
  requestId: 'req_0123456789abcdefghijklmnop',
  remedy: null,
  state: { kind: 'good', label: '200' },
  took: '120 ms',
};
const REQUESTS = [
  request,
  {
    ...request,
    title: 'Start a campaign',
    remedy: { href: '#c-table', label: 'Look at the mandate' },
    line: 'MCP create_campaign',
    key: LONG_NAME,
    state: { kind: 'bad', label: '403 no_mandate' },
    took: '18 ms',
  },
  {
    ...request,
    title: 'Search creators',
    line: 'GET /api/v1/creators',
    state: { kind: 'warn', label: '429 request_rate' },
    took: '2 ms',
  },
];

const model = {
  longName: LONG_NAME,
  notices: NOTICES,
  states: STATES,
  fields: FIELDS,
  choices: CHOICES,
  meters: METERS,
  cards: CARDS,
  chart: usageChart(DAYS, 'Requests per day, 30 days'),
  emptyChart: usageChart(
    DAYS.slice(-7).map(({ day }) => ({ day, ok: 0, errors: 0 })),
    'Requests per day, 7 days',
  ),
  requests: { caption: 'Requests', rows: REQUESTS },
  tabs: {
    label: 'Example',
    items: [
      { href: '#c-tabs', label: 'Active', count: 12, current: true },
      { href: '#c-tabs', label: 'Ended', count: 3, current: false },
    ],
  },
  codes: [
    { id: 'c-secret', label: 'Secret', secret: true, code: `cds_test_0123456789Ab_${'x'.repeat(49)}` },
    {
      id: 'c-curl',
      label: 'curl',
      code: 'curl https://example.com/api/v1/inventory \\\n  -H "Authorization: Bearer $CDS_API_KEY"',
    },
  ],
  dialog: {
    id: 'dialog-example',
    action: '#c-confirm',
    token: '',
    title: 'Revoke “Planning agent”?',
    text: 'Its next request is refused, on every server, for good. Orders that were signed run on.',
    submit: 'Revoke',
    cancel: 'Keep it',
    back: '#c-confirm',
  },
  empty: {
    title: 'No keys yet',
    text: 'A key lets an agent work for your company, inside the limits that you set.',
    action: { href: '#c-empty', label: 'Make a key' },
  },
};

/** Every component of the foundation in every state: the page that designers work against. In development only. */
export const componentsRoutes: readonly Route[] = [
  {
    path: '/developers/components',
    method: 'GET',
    target: publicEndpoint(async () =>
      page('components', { ...model, title: 'Components', width: 'wide', scripts: true }),
    ),
  },
];
