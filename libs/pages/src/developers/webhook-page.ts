import { notFound, type Webhook } from '@cds/contracts';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { errorAt, NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import { doneOf } from './keys-page.js';
import { deliveryFilter, REPLAY_FIELDS, webhookPageModel } from './webhook-model.js';
import { secretPage, WEBHOOKS_PATH } from './webhooks-page.js';

const PATH = `${WEBHOOKS_PATH}/{id}` as const;
const pathOf = ({ params }: SessionVisit): `/${string}` => `${WEBHOOKS_PATH}/${params['id'] ?? ''}`;

const webhookOf = async (visit: SessionVisit): Promise<Webhook> => {
  const { webhooks } = need(await visit.call('webhooks_list'));
  const webhook = webhooks.find(({ id }) => id === visit.params['id']);
  if (webhook === undefined) throw notFound('webhook');
  return webhook;
};

type Beside = { shown?: Shown; cursor?: string; status?: number };

const webhookPage = async (visit: SessionVisit, beside: Beside = {}): Promise<Answer> => {
  const { shown = NOTHING_WRONG, cursor = '', status = 200 } = beside;
  const webhook = await webhookOf(visit);
  const filter = deliveryFilter(visit.request.query);
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const [deliveries, people] = await Promise.all([
    visit.call('webhook_deliveries', { params: { id: webhook.id }, query: { ...query, limit: '20' } }),
    visit.call('members_list'),
  ]);
  const path = pathOf(visit);
  const form = (name: string) => ({ action: `${path}/${name}`, token: visit.token(`${path}/${name}`) });
  return page(
    'developers/webhook',
    {
      ...visit.frame(new URL(webhook.url).host, WEBHOOKS_PATH),
      ...webhookPageModel(webhook, need(deliveries), filter, need(people).members, visit.now),
      ...shown,
      path,
      done: doneOf(visit),
      test: form('test'),
      enable: form('enable'),
      replay: {
        ...form('replay'),
        cursor: {
          name: 'cursor',
          label: REPLAY_FIELDS.cursor.label,
          help: 'The value “next” of a page of events. Empty: everything that is kept.',
          value: cursor,
          autocomplete: 'off',
          error: errorAt(shown.problems, 'cursor'),
        },
      },
    },
    { status },
  );
};

/** A form of the page that does one thing and comes back to the page. */
const doing = (name: 'test' | 'enable', done: string): Route => ({
  path: `${PATH}/${name}`,
  method: 'POST',
  target: sessionForm(async (visit, _form, key) => {
    const sent = await visit.call(`webhook_${name}`, { params: { id: visit.params['id'] }, key });
    if (sent.ok) return seeOther(`${pathOf(visit)}?done=${done}`);
    return webhookPage(visit, { shown: shownOf(sent.error, {}), status: sent.status });
  }),
});

type Asked = { title: (host: string) => string; text: string; submit: string; cancel: string };

/** The page that asks before a form of the same path does what cannot be undone. */
const asking = (id: 'rotate' | 'delete', { title, ...words }: Asked): Route => ({
  path: `${PATH}/${id}`,
  method: 'GET',
  target: sessionPage(async (visit) => {
    const heading = title(new URL((await webhookOf(visit)).url).host);
    const action = visit.request.path;
    return page('confirm', {
      ...visit.frame(heading, WEBHOOKS_PATH),
      width: 'narrow',
      confirm: { ...words, id, title: heading, level: 'h1', action, token: visit.token(action), back: pathOf(visit) },
    });
  }),
});

/** The page of one webhook endpoint: its deliveries, and what a person does with it. */
export const webhookRoutes: readonly Route[] = [
  { path: PATH, method: 'GET', target: sessionPage((visit) => webhookPage(visit)) },
  doing('test', 'webhook-tested'),
  doing('enable', 'webhook-enabled'),
  {
    path: `${PATH}/replay`,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const cursor = form.one('cursor').trim();
      const body = cursor === '' ? {} : { cursor };
      const sent = await visit.call('webhook_replay', { params: { id: visit.params['id'] }, body, key });
      if (sent.ok) return seeOther(`${pathOf(visit)}?done=webhook-replayed`);
      return webhookPage(visit, { shown: shownOf(sent.error, REPLAY_FIELDS), cursor, status: sent.status });
    }),
  },
  asking('rotate', {
    title: (host) => `A new secret for ${host}?`,
    text: 'It is shown once. For 24 hours both secrets sign, so that your program can change over; then the former one ends.',
    submit: 'Make a new secret',
    cancel: 'Keep the secret',
  }),
  {
    path: `${PATH}/rotate`,
    method: 'POST',
    target: sessionForm(async (visit, _form, key) => {
      const { webhook, secret } = need(await visit.call('webhook_rotate', { params: { id: visit.params['id'] }, key }));
      return secretPage(visit, webhook, secret, true);
    }),
  },
  asking('delete', {
    title: (host) => `Delete the endpoint at ${host}?`,
    text: 'Nothing is sent to it any more, and the list of its deliveries ends with it. Events stay in the feed.',
    submit: 'Delete',
    cancel: 'Keep',
  }),
  {
    path: `${PATH}/delete`,
    method: 'POST',
    target: sessionForm(async (visit, _form, key) => {
      need(await visit.call('webhook_remove', { params: { id: visit.params['id'] }, key }));
      return seeOther(`${WEBHOOKS_PATH}?done=webhook-deleted`);
    }),
  },
];
