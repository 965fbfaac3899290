/** A live order paid by card on the Stripe test server, and repaid in part by the team. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Output } from '@cds/contracts';
import { Failure } from '../lib/failure.ts';
import type { Ops } from '../lib/seed.ts';
import type { Endpoint } from './endpoints.ts';
import type { Stage } from './stage.ts';

const POLL_MS = 100;
const LIMIT_MS = 20_000;
const REFUND_CENTS = 5_000;

const money = (cents: number) => `$${(cents / 100).toLocaleString('en-US')}`;

/** The payer pays on our page and the card rail's; the agent then accounts for every cent. */
export async function payByCard({
  endpoint,
  ops,
  stage,
  approved,
}: {
  endpoint: Endpoint;
  ops: Ops;
  stage: Stage;
  approved: Output<'approve_plan'>;
}) {
  const { order_id: id, payment } = approved;
  const page = await stage.step('The payer opens the payment link', async () => (await fetch(payment.url)).text());
  const cardPage = await stage.step('The payer presses Pay', async () => {
    const answer = await posted(`${payment.url}/checkout`, { form_token: formTokenOf(page) });
    return answer.headers.get('location') ?? '';
  });
  stage.detail('card page', cardPage);
  await stage.step('The payer pays', () => posted(cardPage, {}));

  const paid = await stage.step('The rail reports the payment', () =>
    until(endpoint, id, ({ payment_state: state }) => state === 'paid'),
  );
  stage.detail('order', `${paid.payment_state}, ${accounts(paid)}`);

  await stage.step('The team repays a part', () =>
    ops('POST', `/orders/${id}/refund`, { amount_cents: REFUND_CENTS, reason: 'Shown in the demo.' }),
  );
  const repaid = await stage.step('The rail confirms the refund', () =>
    until(endpoint, id, ({ refunds }) => refunds.length === 1),
  );
  stage.detail('order', `${repaid.payment_state}, ${accounts(repaid)}`);
}

type Order = Output<'order_get'>;

const accounts = (order: Order) => {
  const refunded = order.refunds.reduce((sum, one) => sum + one.amount_cents, 0);
  return `received ${money(order.received_cents)} = ${money(refunded)} refunded + ${money(order.committed_cents)} committed + ${money(order.unused_cents)} unused`;
};

async function until(endpoint: Endpoint, id: string, isSo: (order: Order) => boolean) {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const { value } = await endpoint.call('order_get', { id });
    if (isSo(value)) return value;
    if (performance.now() > end)
      throw new Failure('The order did not change within 20 seconds.', ['Read logs/billing.log in the home folder']);
    await delay(POLL_MS);
  }
}

async function posted(url: string, fields: Record<string, string>) {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  if (answer.status === 303) return answer;
  throw new Failure(`${new URL(url).pathname.split('/').at(-1)} answered ${answer.status} instead of leading on.`, [
    'npm start -- --card  (starts the system with a card rail)',
    'Read logs/gateway.log and logs/billing.log in the home folder',
  ]);
}

const formTokenOf = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
