// @night: what a line holds has tests beside the logger; this one reads the lines of a running system.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openMailbox } from '../../tools/lib/mailbox.js';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { exported } from '../support/collector.js';
import { mcpEndpoint } from '../support/endpoints.js';
import { signPlan } from '../support/main-job.js';
import { aBrand, ask, keptStack, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';

type Line = Record<string, unknown> & { service?: string; msg?: string };

/** Texts within a value that are long enough to be a secret. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

const MIN_SECRET = 16;

/**
 * What the processes write at their most verbose level, and what leaves as traces and metrics, while people and agents
 * use every kind of credential and things go wrong.
 */
describe('the log', () => {
  let stack: Stack;
  const secrets = new Map<string, string>();
  let sandbox: SeededWorkspace;
  const requestId = `req-${randomUUID()}`;
  const traceId = '0af7651916cd43dd8448eb211c80319c';

  const lines = (): Line[] =>
    Object.values(stack.services)
      .flat()
      .flatMap(({ log }) => readFileSync(log ?? '', 'utf8').split('\n'))
      .filter((line) => line !== '')
      .map((line) => {
        try {
          return JSON.parse(line) as Line;
        } catch {
          throw new Error(`this line of a log is not JSON: ${line}`);
        }
      });

  /** Signs in the owner of a brand as a browser does, and notes the link's token and the cookie. */
  const signIn = async (brand: string): Promise<void> => {
    const cookie = await ownerSession(stack, brand);
    secrets.set('a session cookie', cookie.split('=')[1] ?? '');
    const message = await openMailbox(stack, `owner@${brand}.example`).waitForLink('sign_in');
    secrets.set('the token of a sign-in link', message.link.split('/').at(-1) ?? '');
    expect((await fetch(`${stack.appUrl}/developers`, { headers: { cookie } })).status).toBe(200);
  };

  beforeAll(async () => {
    stack = await keptStack('observed');
    const stored = JSON.parse(readFileSync(join(stack.home, 'secrets.json'), 'utf8')) as Record<string, unknown>;
    for (const [name, value] of Object.entries(stored))
      for (const text of textsIn(value)) secrets.set(`${name} ${text.length}`, text);
    for (const service of SERVICES)
      for (const [name, value] of Object.entries(stack.environmentOf(service)))
        if (/KEY|SECRET|TOKEN|PASSWORD|PEPPER|URI/.test(name))
          for (const text of name.endsWith('KEYS') && value.startsWith('{') ? textsIn(JSON.parse(value)) : [value])
            secrets.set(`${service} ${name}`, text);

    ({ sandbox } = await aBrand(stack));
    for (const { name, secret } of sandbox.keys) secrets.set(`the key ${name}`, secret.split('_').at(-1) ?? '');
    const full = secretOf(sandbox, 'full');
    const made = await ask(stack, stack.opsToken, 'ops_token_make', { name: 'a', role: 'lead', reason: 'a test' });
    secrets.set('an operator token', (made.body as { secret: string }).secret.replace('cds_ops_', ''));
    await signIn(sandbox.name.replace(/-sandbox$/, ''));
    const job = await signPlan(stack, full);
    secrets.set('a payment link', job.payUrl.split('/').at(-1) ?? '');
    await fetch(job.payUrl);
    const mcp = await mcpEndpoint(stack, full);
    await mcp.call('inventory', {});
    await mcp.close();

    // Credentials where they do not belong, and requests that fail.
    await fetch(`${stack.appUrl}/api/v1/inventory?key=${full}`, { headers: { authorization: `Basic ${full}` } });
    await fetch(`${stack.appUrl}/${full}`);
    await ask(stack, full, 'feedback_send', { message: full });
    await ask(stack, full.replace(/.$/, '0'), 'inventory', {});
    await stack.kill('planning');
    const failed = await ask(
      stack,
      full,
      'campaigns_list',
      {},
      {
        'x-request-id': requestId,
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
    );
    expect(failed.status).toBe(503);
    await stack.restartService('planning');
  }, 180_000);
  const traced = (): string => exported.map((body) => body.toString('latin1')).join('');

  it('is JSON, and says of each line when, how serious and which process', () => {
    const all = lines();
    expect(all.length).toBeGreaterThan(100);
    for (const line of all)
      expect(line).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        level: expect.any(Number),
        service: expect.any(String),
      });
    expect(new Set(all.map(({ service }) => service))).toEqual(new Set([...SERVICES, 'bus-admin']));
  });

  it('names the request and the trace in every line of a request', () => {
    const own = lines().filter((line) => line['request_id'] === requestId);
    expect(own).toContainEqual(
      expect.objectContaining({ msg: 'request', operation: 'campaigns_list', status: 503, trace_id: traceId }),
    );
    expect(own.every((line) => line['trace_id'] === traceId)).toBe(true);
    const answered = lines().filter(({ msg }) => msg === 'request');
    expect(answered.length).toBeGreaterThan(20);
    expect(answered.filter((line) => !line['request_id'] || !/^[\da-f]{32}$/.test(String(line['trace_id'])))).toEqual(
      [],
    );
  });

  it('holds no credential, and neither do traces and metrics', async () => {
    // Spans leave in batches.
    const end = performance.now() + 20_000;
    while (!traced().includes('campaigns_list') && performance.now() < end) await delay(100);
    const metrics = await Promise.all(
      Object.values(stack.services)
        .flat()
        .map(async (one) => (await fetch(`http://127.0.0.1:${one.opsPort()}/metrics`)).text()),
    );
    expect(traced()).toContain('campaigns_list');
    const text = {
      logs: JSON.stringify(lines()),
      traces: traced(),
      metrics: metrics.join('\n'),
    };
    const known = [...secrets].filter(([, secret]) => secret.length >= MIN_SECRET);
    // A secret that could not be read would not be found either.
    for (const name of ['a payment link', 'a session cookie', 'the token of a sign-in link', 'an operator token'])
      expect(known.map(([one]) => one)).toContain(name);
    expect(known.length).toBeGreaterThan(40);
    const leaks = Object.entries(text).flatMap(([where, written]) =>
      known.filter(([, secret]) => written.includes(secret)).map(([name]) => `${where}: ${name}`),
    );
    expect(leaks).toEqual([]);
  });
});
