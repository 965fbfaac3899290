import { type Answer, dayAfter, type Json, newKey, type Options, rest, tool } from './api.ts';

type Caller = {
  read: (operation: string, path: string, args: object) => Answer;
  write: (
    operation: string,
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    ids: object,
    body: object,
    options?: Options,
  ) => Answer;
};

const overRest = (key: string): Caller => ({
  read: (operation, path) => rest(operation, key, 'GET', path),
  write: (operation, method, path, _ids, body, options) =>
    rest(operation, key, method, path, method === 'DELETE' ? undefined : body, options),
});

const overMcp = (key: string): Caller => ({
  read: (operation, _path, args) => tool(operation, key, args),
  write: (operation, _method, _path, ids, body, options) =>
    tool(operation, key, { ...ids, ...body, idempotency_key: newKey() }, options),
});

const LOOKS: readonly ((key: string) => void)[] = [
  (key) => rest('inventory', key, 'GET', '/inventory'),
  (key) => rest('creators_search', key, 'GET', '/creators?limit=24'),
  (key) => rest('resolve_audience', key, 'GET', '/audience?audience=startup%20founders'),
  (key) => rest('campaigns_list', key, 'GET', '/campaigns'),
  (key) => rest('brain_get', key, 'GET', '/brain'),
  (key) => tool('inventory', key),
];

export const look = (key: string, turn: number): void => LOOKS[turn % LOOKS.length]?.(key);

const aCampaign = (now: string): object => ({
  goal: 'launch',
  product: 'Orbit, an AI pair for founders',
  moment: 'Orbit goes live on the first day of the window',
  window_start: dayAfter(now, 5),
  window_end: dayAfter(now, 26),
  budget_usd: 6_000,
});

const timeOf = (key: string): string => rest('sandbox_clock', key, 'GET', '/api/sandbox/clock').body?.now ?? '';

/** A buyable unit of a creator who is not on the plan. */
const anotherUnit = (agent: Caller, plan: Json): string | null => {
  const page = agent.read('creators_search', '/creators?sort=price&dir=asc&price_min=20&limit=50', {
    sort: 'price',
    dir: 'asc',
    price_min: 20,
    limit: 50,
  });
  const taken = new Set((plan.lines as Json[]).map((line) => line.creator_id));
  const other = (page.body?.creators as Json[] | undefined)?.find(({ id }) => !taken.has(id));
  return other?.offerings.find((unit: Json) => unit.buyable)?.unit_id ?? null;
};

/** A campaign's plan; null if a limit says no. */
const started = (agent: Caller, now: string): { campaignId: string; plan: Json } | null => {
  const { body, status } = agent.write('create_campaign', 'POST', '/campaigns', {}, aCampaign(now));
  return status < 300 && body?.plan ? { campaignId: body.id, plan: body.plan } : null;
};

const signed = (agent: Caller, planId: string): Json => {
  const quote = agent.read('plan_quote', `/plans/${planId}/quote`, { id: planId });
  const approved = agent.write(
    'approve_plan',
    'POST',
    `/plans/${planId}/approve`,
    { id: planId },
    { terms_fingerprint: quote.body?.terms_fingerprint },
  );
  return approved.status < 300 ? approved.body : null;
};

export const mainJob = (key: string, by: 'rest' | 'mcp'): void => {
  const agent = by === 'rest' ? overRest(key) : overMcp(key);
  const now = timeOf(key);
  agent.read('inventory', '/inventory', {});
  agent.read('creators_search', '/creators?format=quote&limit=5', { format: 'quote', limit: 5 });
  const made = started(agent, now);
  if (made === null) return;
  const { campaignId, plan } = made;
  const planId: string = plan.plan_id;

  const unit = anotherUnit(agent, plan);
  const line: string = plan.lines[0].id;
  if (unit !== null)
    agent.write(
      'plan_swap_creator',
      'POST',
      `/plans/${planId}/lines/${line}/swap`,
      { id: planId, line_id: line },
      { unit_id: unit },
      // A dearer creator may not fit into the budget or the mandate.
      { also: [403, 409] },
    );
  agent.write(
    'plan_move_dates',
    'POST',
    `/plans/${planId}/dates`,
    { id: planId },
    { start: dayAfter(now, 7), end: dayAfter(now, 28) },
  );
  const order = signed(agent, planId);
  if (order === null) return;
  rest('sandbox_order_payment', key, 'POST', `/api/sandbox/orders/${order.order_id}/payment`, { outcome: 'paid' });
  // A far move may take more than one request, and says so by 503.
  rest('sandbox_clock_advance', key, 'POST', '/api/sandbox/clock/advance', { seconds: 172_800 }, { also: [503] });
  agent.read('campaign_status', `/campaigns/${campaignId}`, { id: campaignId });
  agent.read('evidence_list', `/evidence?campaign_id=${campaignId}`, { campaign_id: campaignId });
  agent.read('results_list', `/results?campaign_id=${campaignId}`, { campaign_id: campaignId });
};
