import { dayAfter, type Json, rest } from './api.ts';

/** A request that a mandate, a state or a role may refuse; the smoke run asks only that the answer is one of these. */
const REFUSED = [400, 403, 404, 409, 422];

/** Every operation of a brand and of a sandbox once, in an order in which each has something to name. */
export const everyOperation = (key: string): void => {
  const get = (operation: string, path: string) => rest(operation, key, 'GET', path);
  const write = (operation: string, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    rest(operation, key, method, path, body, { also: REFUSED });

  const now: string = get('sandbox_clock', '/api/sandbox/clock').body.now;
  get('inventory', '/inventory');
  get('resolve_audience', '/audience?audience=startup%20founders');
  get('brain_get', '/brain');
  get('network_facts', '/api/network/facts');
  get('keys_usage', '/api/keys/usage?days=7');
  write('key_report', 'POST', '/api/keys/report', { key: 'not a key' });
  write('key_delegate', 'POST', '/keys/children', {
    name: 'helper',
    scopes: ['campaigns:read'],
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });

  const page = get('creators_search', '/creators?sort=price&dir=asc&price_min=20&limit=50').body;
  const units: string[] = (page.creators as Json[]).flatMap(({ offerings }) =>
    (offerings as Json[]).filter(({ buyable }) => buyable).map(({ unit_id }) => unit_id),
  );
  const creator: string = page.creators[0].id;
  get('creator_get', `/creators/${creator}`);
  write('creator_ask_price', 'POST', `/creators/${creator}/price-request`, {});

  const campaign = {
    goal: 'launch',
    product: 'Orbit, an AI pair for founders',
    moment: 'Orbit goes live on the first day of the window',
    window_start: dayAfter(now, 5),
    window_end: dayAfter(now, 26),
    budget_usd: 6_000,
  };
  const draft = write('create_campaign', 'POST', '/campaigns', { ...campaign, budget_usd: 0.01 }).body;
  write('delete_campaign', 'DELETE', `/campaigns/${draft.id}`);
  const { id, plan } = write('create_campaign', 'POST', '/campaigns', campaign).body;
  const planPath = `/plans/${plan.plan_id}`;
  const lines: string[] = (plan.lines as Json[]).map((line) => line.id);
  get('campaigns_list', '/campaigns');
  get('campaign_status', `/campaigns/${id}`);
  write('rename_campaign', 'PATCH', `/campaigns/${id}`, { name: 'Orbit in spring' });
  write('set_creator_guidelines', 'POST', `/campaigns/${id}/creator-guidelines`, { pitch: 'Try Orbit.' });
  get('plan_rationale', `${planPath}/rationale`);
  get('plan_preflight', `${planPath}/preflight`);
  get('plan_history', `${planPath}/history`);
  write('plan_remove_creator', 'DELETE', `${planPath}/lines/${lines[1]}`);
  write('plan_add_creator', 'POST', `${planPath}/lines`, { unit_id: units[0] });
  write('plan_swap_creator', 'POST', `${planPath}/lines/${lines[0]}/swap`, { unit_id: units[1] });
  write('plan_move_dates', 'POST', `${planPath}/dates`, { start: dayAfter(now, 7), end: dayAfter(now, 28) });
  write('sandbox_unit_set', 'POST', `/api/sandbox/units/${units[2]}`, { age_days: 3 });
  write('sandbox_unit_clear', 'DELETE', `/api/sandbox/units/${units[2]}`);
  get('sandbox_faults', '/api/sandbox/faults');
  write('sandbox_fault_arm', 'POST', '/api/sandbox/faults', { operation: 'brain_get', status: 503, times: 1 });
  write('sandbox_faults_clear', 'DELETE', '/api/sandbox/faults');

  const quote = get('plan_quote', `${planPath}/quote`).body;
  const { terms_fingerprint } = quote;
  const order = write('approve_plan', 'POST', `${planPath}/approve`, { terms_fingerprint }).body;
  get('orders_list', '/orders');
  const { receipt_id: receipt } = get('order_get', `/orders/${order.order_id}`).body;
  get('receipt_get', `/receipts/${receipt}`);
  write('sandbox_order_payment', 'POST', `/api/sandbox/orders/${order.order_id}/payment`, { outcome: 'paid' });
  const line: string = quote.lines[0].id;
  write('sandbox_line_answer', 'POST', `/api/sandbox/lines/${line}/answer`, { answer: 'accept' });
  write('sandbox_line_post', 'POST', `/api/sandbox/lines/${line}/post`, { when: 'now', disclosure: 'now' });
  write('sandbox_line_post_change', 'POST', `/api/sandbox/lines/${line}/post-change`, { change: 'edit' });
  write('line_replace', 'POST', `/lines/${line}/replace`, { unit_id: units[3] });
  write('line_dispute', 'POST', `/lines/${line}/dispute`, { claim: 'wrong_day', text: 'It came a day late.' });
  get('line_disputes', `/lines/${line}/dispute`);
  get('line_integrity', `/lines/${line}/integrity`);
  write('sandbox_clock_jump', 'POST', '/api/sandbox/clock/jump', { to: 'next' });
  write('sandbox_clock_advance', 'POST', '/api/sandbox/clock/advance', { seconds: 3_600 });
  get('evidence_list', '/evidence');
  get('results_list', '/results');
  get('limits_get', '/limits');
  get('events_list', '/events?limit=20');
  get('events_stream', '/events/stream?seconds=1');
  write('feedback_send', 'POST', '/feedback', { message: 'The quote reads well.', kind: 'praise' });
  write('sandbox_reset', 'POST', '/api/sandbox/reset', {});
};
