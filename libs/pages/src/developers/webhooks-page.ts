import type { Webhook } from '@cds/contracts';
import { need } from '../foundation/need.js';
import { page } from '../foundation/page.js';
import { NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import { doneOf } from './keys-page.js';
import {
  NEW_WEBHOOK,
  WEBHOOK_FIELDS,
  type WebhookTyped,
  webhookBody,
  webhookNewModel,
  webhookSecretModel,
  webhooksModel,
} from './webhook-model.js';

export const WEBHOOKS_PATH = '/developers/webhooks';
const NEW_PATH = `${WEBHOOKS_PATH}/new`;

/** What viewers and members see in place of the pages of webhooks. */
export const webhooksClosed = (visit: SessionVisit): Answer =>
  page('developers/webhooks-closed', { ...visit.frame('Webhooks', WEBHOOKS_PATH), role: visit.me.role });

const formPage = (visit: SessionVisit, typed: WebhookTyped, shown: Shown, status = 200): Answer =>
  page(
    'developers/webhook-new',
    {
      ...visit.frame('New webhook endpoint', WEBHOOKS_PATH),
      ...webhookNewModel(typed, shown),
      action: NEW_PATH,
      token: visit.token(NEW_PATH),
    },
    { status },
  );

export const secretPage = (visit: SessionVisit, webhook: Webhook, secret: string, rotated: boolean): Answer =>
  page('developers/webhook-secret', {
    ...visit.frame('Webhook secret', WEBHOOKS_PATH),
    ...webhookSecretModel(webhook, secret, rotated),
  });

/** The list of webhook endpoints, and a new one (docs/domain/events.md#webhooks). */
export const webhooksRoutes: readonly Route[] = [
  {
    path: WEBHOOKS_PATH,
    method: 'GET',
    target: sessionPage(async (visit) => {
      const listed = await visit.call('webhooks_list');
      if (!listed.ok && listed.status === 403) return webhooksClosed(visit);
      const model = webhooksModel(need(listed).webhooks);
      return page('developers/webhooks', {
        ...visit.frame('Webhooks', WEBHOOKS_PATH),
        ...model,
        done: doneOf(visit),
      });
    }),
  },
  {
    path: NEW_PATH,
    method: 'GET',
    target: sessionPage(async (visit) => formPage(visit, NEW_WEBHOOK, NOTHING_WRONG)),
  },
  {
    path: NEW_PATH,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const typed = { url: form.one('url').trim(), every: form.one('every') !== 'no', kinds: form.all('kinds') };
      const made = await visit.call('webhook_make', { body: webhookBody(typed), key });
      if (!made.ok) return formPage(visit, typed, shownOf(made.error, WEBHOOK_FIELDS), made.status);
      return secretPage(visit, made.value.webhook, made.value.secret, false);
    }),
  },
];
