/** A live order paid by card on the Stripe test server, and repaid in part by the team. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../lib/failure.js';

/**
 * @typedef {ReturnType<typeof import('./stage.js').createStage>} Stage
 * @typedef {import('./endpoints.js').Endpoint} Endpoint
 */

const POLL_MS = 100;
const LIMIT_MS = 20_000;
const REFUND_CENTS = 5_000;

/** @param {number} cents */
const money = (cents) => `$${(cents / 100).toLocaleString('en-US')}`;

/**
 * The payer presses Pay on our page, pays on the page of the card rail, and the order is paid when its event arrives;
 * the agent then accounts for every cent.
 * @param {{ endpoint: Endpoint, ops: import('../lib/seed.js').Ops, stage: Stage, approved: any }} options
 */
export async function payByCard({ endpoint, ops, stage, approved }) {
  const { order_id: id, payment } = approved;
  const page = await stage.step('The payer opens the payment link', () => text(payment.url));
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

/** @param {any} order */
const accounts = (order) => {
  const refunded = order.refunds.reduce(
    (/** @type {number} */ sum, /** @type {any} */ one) => sum + one.amount_cents,
    0,
  );
  return `received ${money(order.received_cents)} = ${money(refunded)} refunded + ${money(order.committed_cents)} committed + ${money(order.unused_cents)} unused`;
};

/**
 * @param {Endpoint} endpoint
 * @param {string} id
 * @param {(order: any) => boolean} isSo
 */
async function until(endpoint, id, isSo) {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const { value } = await endpoint.call('order_get', { id });
    if (isSo(value)) return value;
    if (performance.now() > end)
      throw new Failure('The order did not change within 20 seconds.', ['Read logs/billing.log in the home folder']);
    await delay(POLL_MS);
  }
}

/** @param {string} url */
async function text(url) {
  const answer = await fetch(url);
  return answer.text();
}

/**
 * @param {string} url
 * @param {Record<string, string>} fields
 */
async function posted(url, fields) {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  if (answer.status === 303) return answer;
  throw new Failure(`${new URL(url).pathname.split('/').at(-1)} answered ${answer.status} instead of leading on.`, [
    'npm start -- --card  (starts the system with a card rail)',
    'Read logs/gateway.log and logs/billing.log in the home folder',
  ]);
}

/** @param {string} page */
const formTokenOf = (page) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
