import {
  type AttemptProblem,
  FEED_KINDS,
  type Member,
  type Webhook,
  type WebhookCause,
  type WebhookDelivery,
} from '@cds/contracts';
import { ago, moment, number, plural } from '../foundation/format.js';
import { errorAt, type Shown } from '../foundation/problems.js';
import { makerOf, type State } from './key-model.js';

export const WEBHOOK_FIELDS = {
  url: { field: 'url', label: 'Address' },
  kinds: { field: 'kinds', label: 'Events' },
} as const;

export const REPLAY_FIELDS = { cursor: { field: 'cursor', label: 'After this cursor' } } as const;

export type WebhookTyped = { url: string; every: boolean; kinds: readonly string[] };

export const NEW_WEBHOOK: WebhookTyped = { url: '', every: true, kinds: [] };

export const webhookBody = ({ url, every, kinds }: WebhookTyped) => ({ url, ...(every ? {} : { kinds }) });

const CAUSES: Readonly<Record<WebhookCause, string>> = {
  gone: 'It answered 410 Gone, so nothing more is sent to it.',
  failing: 'It took no event for three days, so nothing more is sent to it.',
};

const PROBLEMS: Readonly<Record<AttemptProblem, string>> = {
  status: 'another answer than 2xx',
  redirect: 'a redirect, which is not followed',
  timeout: 'no answer within 8 seconds',
  unreachable: 'no connection, or no valid answer',
  not_allowed: 'its host has an address that is not public',
};

const webhookState = ({ state, failing_since }: Webhook): State => {
  if (state === 'disabled') return { kind: 'bad', label: 'Disabled' };
  return failing_since === null ? { kind: 'good', label: 'Enabled' } : { kind: 'warn', label: 'Failing' };
};

const kindsLine = ({ kinds }: Webhook): string =>
  kinds === null ? 'Every event' : plural(kinds.length, 'kind of event', 'kinds of events');

export const webhooksModel = (webhooks: readonly Webhook[]) => ({
  rows: webhooks.map((webhook) => ({
    href: `/developers/webhooks/${webhook.id}`,
    url: webhook.url,
    kinds: kindsLine(webhook),
    state: webhookState(webhook),
    waiting: number(webhook.waiting),
  })),
});

export const webhookNewModel = (typed: WebhookTyped, shown: Shown) => ({
  ...shown,
  url: {
    name: 'url',
    label: 'Address',
    help: 'An https address that your program listens at, on port 443.',
    type: 'url',
    autocomplete: 'off',
    value: typed.url,
    error: errorAt(shown.problems, 'url'),
  },
  every: {
    name: 'every',
    legend: 'Which events',
    type: 'radio',
    options: [
      { value: 'yes', label: 'Every event', help: 'Kinds that are added later too.', checked: typed.every },
      { value: 'no', label: 'These kinds', help: 'Only what is ticked below.', checked: !typed.every },
    ],
  },
  kinds: {
    name: 'kinds',
    legend: 'Kinds of events',
    columns: true,
    error: errorAt(shown.problems, 'kinds'),
    options: FEED_KINDS.map((kind) => ({ value: kind, label: kind, checked: typed.kinds.includes(kind) })),
  },
});

export const webhookSecretModel = ({ id, url }: Webhook, secret: string, rotated: boolean) => ({
  title: rotated ? 'The new secret' : 'The endpoint is ready',
  text: rotated
    ? 'Copy it now; we show it only here. The former secret goes on signing beside it for 24 hours.'
    : 'Copy its secret now; we show it only here. Events are sent from now on.',
  href: `/developers/webhooks/${id}`,
  url,
  secret: { id: 'secret', label: 'Signing secret', secret: true, code: secret },
});

const attemptRow = ({ at, status, problem, duration_ms }: WebhookDelivery['attempts'][number]) => ({
  at: moment(at),
  answer: problem === null ? `${status}` : `${status === null ? '' : `${status}: `}${PROBLEMS[problem]}`,
  took: `${number(duration_ms)} ms`,
});

const deliveryState = ({ state, attempts }: WebhookDelivery): State => {
  const last = attempts.at(-1);
  if (state === 'delivered') return { kind: 'good', label: `Delivered ${last?.status ?? ''}`.trim() };
  if (state === 'failed') return { kind: 'bad', label: `Failed ${last?.status ?? ''}`.trim() };
  return attempts.length === 0
    ? { kind: 'off', label: 'Waiting' }
    : { kind: 'warn', label: `Tried ${plural(attempts.length, 'time')}` };
};

const deliveryRow = (delivery: WebhookDelivery, now: Date) => ({
  id: delivery.id,
  bodyId: `body-${delivery.id}`,
  kind: delivery.kind,
  ago: ago(delivery.created_at, now),
  moment: moment(delivery.created_at),
  state: deliveryState(delivery),
  next: delivery.next_attempt_at === null ? null : moment(delivery.next_attempt_at),
  body: JSON.stringify(JSON.parse(delivery.body), null, 2),
  attempts: delivery.attempts.map(attemptRow),
});

type DeliveryFilter = { state: '' | WebhookDelivery['state']; cursor: string };

const STATES = [
  ['', 'All'],
  ['waiting', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed tests'],
] as const;

export const deliveryFilter = (query: (name: string) => string): DeliveryFilter => ({
  state: STATES.map(([state]) => state).find((state) => state === query('state')) ?? '',
  cursor: query('cursor'),
});

export const webhookPageModel = (
  webhook: Webhook,
  { deliveries, next }: { deliveries: readonly WebhookDelivery[]; next: string | null },
  filter: DeliveryFilter,
  members: readonly Member[],
  now: Date,
) => {
  const path = `/developers/webhooks/${webhook.id}`;
  const href = (query: Record<string, string>): string => {
    const sent = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
    return sent.size === 0 ? path : `${path}?${sent}`;
  };
  return {
    id: webhook.id,
    url: webhook.url,
    host: new URL(webhook.url).host,
    state: webhookState(webhook),
    disabled: webhook.state === 'disabled',
    cause: webhook.disabled_because === null ? null : CAUSES[webhook.disabled_because],
    kinds: webhook.kinds ?? ['Every event'],
    failing: webhook.failing_since === null ? null : moment(webhook.failing_since),
    waiting: number(webhook.waiting),
    made: `${moment(webhook.created_at)} by ${makerOf(webhook.created_by, members)}`,
    former: webhook.secrets.flatMap(({ ends_at }) => (ends_at === null ? [] : [moment(ends_at)])),
    rows: deliveries.map((one) => deliveryRow(one, now)),
    filtered: filter.state !== '' || filter.cursor !== '',
    tabs: {
      label: 'Deliveries',
      items: STATES.map(([state, label]) => ({ href: href({ state }), label, current: state === filter.state })),
    },
    pages: {
      first: filter.cursor === '' ? null : href({ state: filter.state }),
      next: next === null ? null : href({ state: filter.state, cursor: next }),
    },
  };
};
