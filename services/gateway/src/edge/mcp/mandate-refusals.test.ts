import { AppError, operations, pathOf, type RestOperation, toolOperations } from '@cds/contracts';
import { encodeError } from '@cds/service';
import { describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask, freshKey } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

/** A refusal of each reason with its details (docs/domain/orders.md#refusal-details). */
const REFUSALS: Readonly<Record<string, Record<string, unknown>>> = {
  no_mandate: {},
  mandate_expired: { expired_at: '2026-11-21T12:00:00.000Z' },
  channel_not_allowed: { channels: ['x_creators'] },
  approval_not_allowed: {},
  terms_not_accepted: { current_version: '2026-11-01', accepted_version: null, url: 'http://app.test/terms' },
  over_max_plan_total: { limit_cents: 1, requested_cents: 2, over_by_cents: 1 },
  over_monthly_cap: { limit_cents: 5, spent_cents: 4, requested_cents: 2, over_by_cents: 1 },
};

/** Arguments that pass the shape of each write, so that its service is asked. */
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  create_campaign: {
    goal: 'launch',
    product: 'Orbit',
    moment: 'Orbit goes live',
    window_start: '2030-01-02',
    window_end: '2030-01-12',
    budget_usd: 100,
  },
  rename_campaign: { id: ID, name: 'New' },
  set_creator_guidelines: { id: ID },
  plan_add_creator: { id: ID, unit_id: ID },
  plan_remove_creator: { id: ID, line_id: ID },
  plan_swap_creator: { id: ID, line_id: ID, unit_id: ID },
  plan_move_dates: { id: ID, start: '2030-01-02', end: '2030-01-12' },
  approve_plan: { id: ID, terms_fingerprint: 'f' },
};

/** Such a refusal reads the same over REST and MCP, with no challenge (docs/domain/orders.md#mandate-checks). */
describe('a refusal by the mandate', () => {
  const edge = testEdge('gateway_refusals');
  let brand: Brand;

  const writes = toolOperations().filter(({ scope }) => scope === 'campaigns:write' || scope === 'plans:approve');

  test('has arguments for every write tool that a mandate limits', () => {
    expect(new Set(writes.map(({ name }) => name))).toEqual(new Set(Object.keys(ARGUMENTS)));
  });

  test.each(Object.entries(ARGUMENTS))('of %s, for every reason', async (name, sent) => {
    brand = await makeBrand(edge);
    const key = brand.live['full'] ?? '';
    const operation = operations.find((one) => one.name === name) as RestOperation;
    const path = pathOf(operation).replace(/\{(\w+)\}/g, (_all, field: string) => String(sent[field]));
    const inPath = [...pathOf(operation).matchAll(/\{(\w+)\}/g)].map(([, field]) => field ?? '');
    const body = Object.fromEntries(Object.entries(sent).filter(([field]) => !inPath.includes(field)));
    for (const [reason, details] of Object.entries(REFUSALS)) {
      const refusal = new AppError('mandate_refused', 'No.', { reason, ...details, escalate: true });
      edge.answer(name, () => encodeError(refusal.body()));
      const headers = { 'idempotency-key': freshKey() };
      const { method } = operation.rest;
      const rest = await ask(edge.url, path, { method, key, headers, ...(method === 'DELETE' ? {} : { body }) });
      const tool = await ask(edge.url, '/api/mcp', {
        method: 'POST',
        key,
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: { ...sent, idempotency_key: freshKey() } },
        },
      });
      const wanted = {
        error: { code: 'mandate_refused', message: 'No.', details: { reason, ...details, escalate: true } },
      };
      expect([rest.status, rest.json, rest.headers.get('www-authenticate')]).toEqual([403, wanted, null]);
      expect([tool.status, tool.headers.get('www-authenticate')]).toEqual([200, null]);
      expect((tool.json as { result: unknown }).result).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: JSON.stringify(wanted) }],
        _meta: { status: 403, error: wanted.error },
      });
    }
  });
});
