import type { ReadHandler } from '@cds/service';
import type { WebhookStore } from '../deps.js';
import { presentWebhook } from '../present.js';

export const webhooksList: ReadHandler<'webhooks_list', { hooks: WebhookStore }> = async (ctx, _input, { hooks }) => {
  const { workspace } = ctx.principal;
  const rows = await hooks.webhooks.ofWorkspace(workspace);
  const waiting = await hooks.deliveries.waiting(
    workspace,
    rows.map(({ _id }) => _id),
  );

  return { webhooks: rows.map((row) => presentWebhook(row, waiting.get(row._id) ?? 0, ctx.networkNow)) };
};
