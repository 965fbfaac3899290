import { createSecretKey, randomUUID } from 'node:crypto';
import { OPERATOR_ROLES, operations, pathOf } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPS_TOKEN } from '../../test/edge-app.js';
import { testEdge } from '../../test/suite.js';
import { newOperatorToken, readOperatorToken } from './operator-token.js';

type Answer = { status: number; body: Record<string, unknown> };

/**
 * Who may call what (docs/domain/access.md#roles, docs/domain/operators.md#operators): every role reads, each writes
 * its own area, a lead everything.
 */
const MAY = new Map(
  Object.entries({
    'viewer network fulfilment finance lead': `
      ops_creators_list ops_creator_get ops_import_get ops_prices_list ops_price_asks_list ops_launches_list
      ops_campaigns_list ops_payouts_list ops_posts_list ops_disputes_list ops_proposals_list ops_tasks_list
      ops_feedback_list ops_switches_get ops_checks ops_brands_list ops_jobs ops_keys_list ops_terms_list
      ops_orders_list ops_order_get ops_credits_list ops_me_get ops_session_end ops_messages_list`,
    'network fulfilment finance lead': `
      ops_task_done ops_feedback_seen ops_feedback_answer`,
    'network lead': `
      ops_creators_import ops_creator_facts ops_creator_change ops_creator_vet ops_creator_pause ops_creator_resume
      ops_creator_exclude ops_creator_include ops_creator_flag ops_creator_unflag ops_creator_merge ops_price_set
      ops_price_ask_close ops_launch_add ops_launch_change ops_launch_remove`,
    'finance lead': `
      ops_line_payout ops_line_payout_returned ops_order_invoice_sent ops_order_invoice_withdrawn
      ops_order_invoice_paid ops_order_cancel ops_order_refund ops_order_refund_returned ops_order_accept_payment
      ops_credit_refund ops_credit_waive`,
    'fulfilment lead': `
      ops_campaign_plan ops_campaign_answer ops_line_replace ops_line_cancel ops_line_post ops_line_look
      ops_line_readings ops_line_gone ops_readings_import ops_dispute_decide ops_proposal_sent ops_proposal_accept
      ops_proposal_date ops_proposal_decline ops_proposal_link`,
    lead: `
      ops_creator_erase ops_campaign_screening ops_audit_list ops_audit_export ops_dead_letters_list
      ops_dead_letter_retry ops_dead_letter_close ops_republish ops_republish_progress ops_tokens_list ops_token_make
      ops_token_revoke ops_switches_put ops_operators_list ops_operator_make ops_operator_remove ops_brand_approve
      ops_brand_decline ops_brand_suspend ops_brand_reinstate ops_key_revoke ops_terms_publish dev_brand_make
      dev_network dev_network_load`,
  }).flatMap(([roles, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, roles] as const),
  ),
);

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
    expect(new Set(ofOperators.map(({ name }) => name))).toEqual(new Set(MAY.keys()));
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
      expect(allowed.join(' ')).toBe(MAY.get(name));
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
