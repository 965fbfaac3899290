import { notFound, type Webhook } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { WebhookStore } from './deps.js';
import { presentWebhook } from './present.js';
import type { WebhookRow } from './store/webhooks.js';

export const endpointOf = async (ctx: Ctx, id: string, { webhooks }: WebhookStore): Promise<WebhookRow> => {
  const row = await webhooks.byId(ctx.principal.workspace, id);
  if (row === null) throw notFound('webhook');
  return row;
};

export const answered = async (ctx: Ctx, row: WebhookRow, { deliveries }: WebhookStore): Promise<Webhook> => {
  const waiting = await deliveries.waiting(row.ws, [row._id]);
  return presentWebhook(row, waiting.get(row._id) ?? 0, ctx.networkNow);
};
