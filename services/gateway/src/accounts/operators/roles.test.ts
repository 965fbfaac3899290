import { createSecretKey, randomUUID } from 'node:crypto';
import { OPERATOR_ROLES, operations, pathOf } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPS_TOKEN } from '../../test/edge-app.js';
import { testEdge } from '../../test/suite.js';
import { newOperatorToken, readOperatorToken } from './operator-token.js';

type Answer = { status: number; body: Record<string, unknown> };

const EVERYBODY = ['viewer', 'network', 'fulfilment', 'finance', 'lead'];
const WRITERS = ['network', 'fulfilment', 'finance', 'lead'];
const NETWORK = ['network', 'lead'];
const FINANCE = ['finance', 'lead'];
const FULFILMENT = ['fulfilment', 'lead'];
const LEAD = ['lead'];

/**
 * Who may call what (docs/domain/access.md#roles, docs/domain/operators.md#operators): every role reads, each writes
 * its own area, a lead everything.
 */
const MAY: Readonly<Record<string, readonly string[]>> = {
  ops_creators_list: EVERYBODY,
  ops_creator_get: EVERYBODY,
  ops_creators_import: NETWORK,
  ops_import_get: EVERYBODY,
  ops_creator_facts: NETWORK,
  ops_creator_change: NETWORK,
  ops_creator_vet: NETWORK,
  ops_creator_pause: NETWORK,
  ops_creator_resume: NETWORK,
  ops_creator_exclude: NETWORK,
  ops_creator_include: NETWORK,
  ops_creator_flag: NETWORK,
  ops_creator_unflag: NETWORK,
  ops_creator_merge: NETWORK,
  ops_creator_erase: LEAD,
  ops_price_set: NETWORK,
  ops_prices_list: EVERYBODY,
  ops_price_asks_list: EVERYBODY,
  ops_price_ask_close: NETWORK,
  ops_launches_list: EVERYBODY,
  ops_launch_add: NETWORK,
  ops_launch_change: NETWORK,
  ops_launch_remove: NETWORK,
  ops_campaigns_list: EVERYBODY,
  ops_campaign_plan: FULFILMENT,
  ops_campaign_answer: FULFILMENT,
  ops_campaign_screening: LEAD,
  ops_line_replace: FULFILMENT,
  ops_line_cancel: FULFILMENT,
  ops_line_payout: FINANCE,
  ops_line_payout_returned: FINANCE,
  ops_payouts_list: EVERYBODY,
  ops_posts_list: EVERYBODY,
  ops_line_post: FULFILMENT,
  ops_line_look: FULFILMENT,
  ops_line_readings: FULFILMENT,
  ops_line_gone: FULFILMENT,
  ops_readings_import: FULFILMENT,
  ops_disputes_list: EVERYBODY,
  ops_dispute_decide: FULFILMENT,
  ops_proposals_list: EVERYBODY,
  ops_proposal_sent: FULFILMENT,
  ops_proposal_accept: FULFILMENT,
  ops_proposal_date: FULFILMENT,
  ops_proposal_decline: FULFILMENT,
  ops_proposal_link: FULFILMENT,
  ops_tasks_list: EVERYBODY,
  ops_task_done: WRITERS,
  ops_audit_list: LEAD,
  ops_audit_export: LEAD,
  ops_dead_letters_list: LEAD,
  ops_dead_letter_retry: LEAD,
  ops_dead_letter_close: LEAD,
  ops_republish: LEAD,
  ops_republish_progress: LEAD,
  ops_feedback_list: EVERYBODY,
  ops_feedback_seen: WRITERS,
  ops_feedback_answer: WRITERS,
  ops_tokens_list: LEAD,
  ops_token_make: LEAD,
  ops_token_revoke: LEAD,
  ops_switches_get: EVERYBODY,
  ops_switches_put: LEAD,
  ops_checks: EVERYBODY,
  ops_operators_list: LEAD,
  ops_operator_make: LEAD,
  ops_operator_remove: LEAD,
  ops_brands_list: EVERYBODY,
  ops_brand_approve: LEAD,
  ops_brand_decline: LEAD,
  ops_brand_suspend: LEAD,
  ops_brand_reinstate: LEAD,
  ops_jobs: EVERYBODY,
  ops_keys_list: EVERYBODY,
  ops_key_revoke: LEAD,
  ops_terms_list: EVERYBODY,
  ops_terms_publish: LEAD,
  ops_orders_list: EVERYBODY,
  ops_order_get: EVERYBODY,
  ops_order_invoice_sent: FINANCE,
  ops_order_invoice_withdrawn: FINANCE,
  ops_order_invoice_paid: FINANCE,
  ops_order_cancel: FINANCE,
  ops_order_refund: FINANCE,
  ops_order_refund_returned: FINANCE,
  ops_order_accept_payment: FINANCE,
  ops_credits_list: EVERYBODY,
  ops_credit_refund: FINANCE,
  ops_credit_waive: FINANCE,
  ops_me_get: EVERYBODY,
  ops_session_end: EVERYBODY,
  ops_messages_list: EVERYBODY,
  dev_brand_make: LEAD,
  dev_network: LEAD,
  dev_network_load: LEAD,
};

/**
 * Tokens of the operator's team: their roles, their revocation and their uploads (docs/domain/access.md#roles,
 * docs/domain/operators.md#operators, docs/domain/access.md#keys).
 */
describe('operators', () => {
  const edge = testEdge('operators');
  let secrets: Record<string, string>;
  let revoked: string;

  const send = async (
    token: string,
    method: string,
    path: string,
    body?: string | Buffer,
    contentType = 'application/json',
  ): Promise<Answer> => {
    const response = await fetch(`${edge.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID(), 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const make = (token: string, name: string, role: string) =>
    send(token, 'POST', '/api/ops/tokens', JSON.stringify({ name, role, reason: 'a test' }));

  beforeAll(async () => {
    secrets = {};
    for (const role of OPERATOR_ROLES) {
      const made = await make(OPS_TOKEN, role, role);
      expect(made).toMatchObject({ status: 201, body: { token: { name: role, role, revoked_at: null } } });
      secrets[role] = String(made.body['secret']);
    }
    revoked = String((await make(OPS_TOKEN, 'gone', 'lead')).body['secret']);
  });

  it('have tokens in the form of keys, stored only as a hash', async () => {
    expect(secrets['viewer']).toMatch(/^cds_ops_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    const rows = JSON.stringify(await edge.shell.store.db.collection('operator_tokens').find().toArray());
    const commands = JSON.stringify(await edge.shell.store.db.collection('commands').find().toArray());
    for (const secret of Object.values(secrets)) {
      expect(rows).not.toContain(secret.slice(21));
      expect(commands).not.toContain(secret.slice(21));
    }
    expect(await make(OPS_TOKEN, 'viewer', 'lead')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'name_taken' } } },
    });
    const audit = await edge.shell.store.db.collection('audit').findOne({ action: 'token.made' });
    expect(audit).toMatchObject({ actor: 'operator:configured', reason: 'a test' });
  });

  it('are refused without a look-up when a character is wrong', () => {
    const { text } = newOperatorToken({ 1: createSecretKey(Buffer.alloc(32, 1)) });
    expect(readOperatorToken(text)).not.toBeNull();
    expect(readOperatorToken(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`)).toBeNull();
    expect(readOperatorToken('cds_ops_of_the_tests')).toBeNull();
  });

  it('open no path of brands', async () => {
    expect((await send(secrets['lead'] ?? '', 'GET', '/api/v1/creators')).status).toBe(401);
  });

  const ofOperators = operations.filter(({ audience }) => audience === 'operator');

  it('have every operation in the table of roles', () => {
    expect(new Set(ofOperators.map(({ name }) => name))).toEqual(new Set(Object.keys(MAY)));
  });

  it.each(ofOperators.map((operation) => [operation.name, operation] as const))(
    'may call %s only in the listed roles',
    async (name, operation) => {
      const path = pathOf(operation as never).replace(/\{\w+\}/g, () => randomUUID());
      const allowed: string[] = [];
      for (const role of OPERATOR_ROLES) {
        const body = operation.effect === 'read' ? undefined : '{}';
        const { status } = await send(secrets[role] ?? '', operation.rest?.method ?? '', path, body);
        // Most of these requests are incomplete, so an allowed role gets the refusal of a later step.
        expect([200, 201, 202, 204, 400, 403, 404, 422]).toContain(status);
        if (status !== 403) allowed.push(role);
      }
      expect(allowed).toEqual(MAY[name]);
    },
  );

  it('are named to catalog with their role', async () => {
    await send(secrets['network'] ?? '', 'GET', '/api/ops/launches');
    const call = edge.sent.findLast(({ name }) => name === 'ops_launches_list');
    expect(call?.ctx.principal).toMatchObject({ audience: 'operator', operator: { name: 'network', role: 'network' } });
  });

  it('are refused once they are revoked', async () => {
    const { items } = (await send(OPS_TOKEN, 'GET', '/api/ops/tokens')).body as {
      items: { id: string; name: string }[];
    };
    const id = items.find(({ name }) => name === 'gone')?.id ?? '';
    expect(JSON.stringify(items)).not.toContain(revoked.slice(21));
    const end = () => send(OPS_TOKEN, 'DELETE', `/api/ops/tokens/${id}`);
    expect((await send(revoked, 'GET', '/api/ops/tokens')).status).toBe(200);
    expect(await end()).toMatchObject({ status: 200, body: { revoked_at: expect.any(String) } });
    expect((await send(revoked, 'GET', '/api/ops/tokens')).status).toBe(401);
    expect(await end()).toMatchObject({ status: 409, body: { error: { details: { reason: 'bad_state' } } } });
  });

  it('are what a refusal asks for, and no API key', async () => {
    const { error } = (await (await fetch(`${edge.url}/api/ops/tokens`)).json()) as { error: { message: string } };
    expect(error.message).toMatch(/^This request has no credential\. Send an operator token/);
    const unknown = await send('cds_ops_nobody', 'GET', '/api/ops/tokens');
    expect(unknown).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
    expect(JSON.stringify(unknown.body)).toContain('This operator token is unknown, expired or revoked.');
  });

  it('are made once under one Idempotency-Key, and answered again for ten minutes', async () => {
    const headers = { 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const make = async () =>
      (
        await fetch(`${edge.url}/api/ops/tokens`, {
          method: 'POST',
          headers: { authorization: `Bearer ${OPS_TOKEN}`, ...headers },
          body: JSON.stringify({ name: 'twice', role: 'viewer' }),
        })
      ).json() as Promise<{ secret?: string; error?: { details: object } }>;
    const first = await make();
    expect(first.secret).toMatch(/^cds_ops_/);
    expect(await make()).toEqual(first);
    await edge.shell.store.db.collection('shown_secrets').updateMany({}, { $set: { expires_at: new Date(0) } });
    expect((await make()).error?.details).toEqual({ reason: 'secret_gone' });
  });

  it('are refused once they have expired, and made only with a later time', async () => {
    const body = (expiresAt: string) =>
      JSON.stringify({ name: `until ${expiresAt}`, role: 'viewer', expires_at: expiresAt });
    expect(await send(OPS_TOKEN, 'POST', '/api/ops/tokens', body('2020-01-01T00:00:00Z'))).toMatchObject({
      status: 422,
      body: { error: { details: { problems: [{ field: 'expires_at' }] } } },
    });
    const made = await send(OPS_TOKEN, 'POST', '/api/ops/tokens', body('2099-01-01T00:00:00Z'));
    expect(made).toMatchObject({ status: 201, body: { token: { expires_at: '2099-01-01T00:00:00.000Z' } } });
    const token = String(made.body['secret']);
    expect((await send(token, 'GET', '/api/ops/creators')).status).toBe(200);
    await edge.shell.store.db
      .collection('operator_tokens')
      .updateOne({ name: 'until 2099-01-01T00:00:00Z' }, { $set: { expires_at: new Date(0) } });
    expect((await send(token, 'GET', '/api/ops/creators')).status).toBe(401);
  });

  it('are listed page by page', async () => {
    type Page = { items: { name: string }[]; next: string | null };
    const all = (await send(OPS_TOKEN, 'GET', '/api/ops/tokens')).body as Page;
    const first = (await send(OPS_TOKEN, 'GET', '/api/ops/tokens?limit=2')).body as Page;
    const rest = (await send(OPS_TOKEN, 'GET', `/api/ops/tokens?limit=200&cursor=${first.next}`)).body as Page;
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect([first.items.length, rest.next, all.next]).toEqual([2, null, null]);
  });

  describe('upload files', () => {
    const path = '/api/ops/creators/import?dry_run=true';

    it('in chunks of 512 KiB, which the operation gets a reference to', async () => {
      const file = Buffer.from(JSON.stringify({ creators: ['ü'.repeat(600_000)] }));
      edge.sent.length = 0;
      expect((await send(secrets['network'] ?? '', 'POST', path, file)).status).toBe(200);
      const chunks = edge.sent.filter(({ name }) => name === 'catalog_upload_chunk');
      expect(chunks).toHaveLength(3);
      const bytes = Buffer.concat(chunks.map(({ input }) => Buffer.from(String(input['data']), 'base64')));
      expect(bytes.equals(file)).toBe(true);
      expect(edge.sent.at(-1)).toMatchObject({
        name: 'ops_creators_import',
        input: {
          dry_run: true,
          upload: { chunks: 3, bytes: file.length, type: 'json', id: chunks[0]?.input['upload_id'] },
        },
      });
    });

    it('under a fingerprint of everything sent, including the file', async () => {
      const facts = `/api/ops/creators/${randomUUID()}/facts`;
      const requests: [path: string, body: string, type: string][] = [
        [path, '{"creators":[]}', 'application/json'],
        [path, '{"creators":[1]}', 'application/json'],
        [path, '{"creators":[] }', 'application/json'],
        ['/api/ops/creators/import?dry_run=false', '{"creators":[]}', 'application/json'],
        ['/api/ops/creators/import', '{"creators":[]}', 'application/json'],
        [facts, '{"creators":[]}', 'application/json'],
        [facts, '{"creators":[1]}', 'application/json'],
        [`/api/ops/creators/${randomUUID()}/facts`, '{"creators":[]}', 'application/json'],
      ];
      const fingerprintOf = async ([to, body, type]: (typeof requests)[number]) => {
        edge.sent.length = 0;
        expect((await send(secrets['network'] ?? '', 'POST', to, Buffer.from(body), type)).status).toBe(200);
        return edge.sent.at(-1)?.ctx.command?.fp ?? '';
      };
      const first: string[] = [];
      for (const request of requests) first.push(await fingerprintOf(request));
      expect(new Set(first).size).toBe(requests.length);
      for (const [at, request] of requests.entries()) expect(await fingerprintOf(request)).toBe(first[at]);
    });

    it.each([
      ['another content type', Buffer.from('{}'), 'text/plain', 'content-type'],
      ['more than 10 MiB', Buffer.alloc(10 * 1024 * 1024 + 1, 32), 'application/json', 'body'],
      ['nothing', Buffer.alloc(0), 'text/csv', 'body'],
    ])('and are refused for %s', async (_name, body, type, field) => {
      const answer = await send(secrets['network'] ?? '', 'POST', path, body, type);
      expect(answer).toMatchObject({ status: 400, body: { error: { details: { problems: [{ field }] } } } });
    });
  });
});
