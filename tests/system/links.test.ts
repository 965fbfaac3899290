// @night: follows every link of the running system; each page checks its own by day.
import { type OperationDeclaration, type OperationName, operations } from '@cds/contracts';
import { crawl } from '@cds/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { fulfil, type MainJob, signPlan, startPlan } from '../support/main-job.js';
import { refilling } from '../support/refilling.js';
import { type Answer, aBrand, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';
import { StackWindows } from '../support/windows.js';

/** The parts of the documents that this test opens; the gateway's own test follows every link below them. */
const OPENED = [
  '/docs/',
  '/docs/guides/first-plan',
  '/docs/reference/approve_plan',
  '/docs/errors/conflict/over_budget',
];
const FILES = ['/llms.txt', '/changelog.json', '/changelog.atom', '/version', '/openapi.json', '/sitemap.xml'];
/** What describes the sign-in of clients, and the keys of receipts. */
const WELL_KNOWN = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/mcp',
  '/.well-known/oauth-protected-resource/api/v1',
  '/.well-known/oauth-authorization-server',
  '/.well-known/cds-keys.json',
];

/** Reads whose answers this test does not look at, and why. */
const UNREAD: Partial<Record<OperationName, string>> = {
  ops_import_get: 'nothing was imported',
  creator_proposal: 'it takes the token of a link; the gateway opens that page in each state',
  relay_messages_list: 'only the mail relay is given it: messages to the people of every brand',
};

const isRead = ({ rest, effect, mediaType }: OperationDeclaration): boolean =>
  rest?.method === 'GET' && effect === 'read' && mediaType === undefined;

/** Links in the answers of the running system: an agent can open what it is given (docs/domain/access.md). */
describe('the links of answers', () => {
  let stack: SharedStack;
  let key: string;
  let job: MainJob;
  let person: { origin: string; cookie: string };
  let stop: () => Promise<void>;
  let mongo: MongoClient;
  let windows: StackWindows;
  beforeAll(async () => {
    stack = await sharedStack();
    const { live, sandbox } = await aBrand(stack);
    stop = await refilling(stack, [live.id, sandbox.id]);
    mongo = await new MongoClient(stack.mongodbUri).connect();
    windows = await StackWindows.open(stack);
    key = secretOf(sandbox, 'full');
    job = await signPlan(stack, key);
    person = { origin: stack.appUrl, cookie: await ownerSession(stack, live.name) };
    await ask(stack, null, 'session_workspace_set', { workspace: sandbox.id }, person);
  }, 120_000);
  afterAll(async () => {
    await stop?.();
    await mongo?.close();
    await windows?.close();
  });
  // A test opens more addresses than one client may in a minute.
  beforeEach(() => windows.beginAgain());

  /** Our addresses in an answer, in its texts too, as paths. */
  const ours = (value: unknown): string[] => {
    const found = JSON.stringify(value).matchAll(new RegExp(`${stack.appUrl}([^\\s"'\`()<>\\\\]*)`, 'g'));
    const paths = [...found].map(([, path = '']) => path.replace(/[.,;:]+$/, ''));
    return [...new Set(paths)].filter((path) => path.startsWith('/'));
  };
  /** Opens paths, and the links of these pages as far as the limit of one address allows. */
  const expectOpen = async (paths: readonly string[], cookie?: string): Promise<void> => {
    const signedIn = cookie === undefined ? {} : { cookie };
    const opens = (path: string): boolean => !path.startsWith('/docs/') || paths.includes(path);
    const { broken, outside } = await crawl(stack.appUrl, stack.appUrl, paths, {
      ...signedIn,
      opens,
      reads: (path) => /^\/(?:pay|developers)\b/.test(path),
    });
    expect({ broken, outside }).toEqual({ broken: [], outside: [] });
  };

  /** Two links of each kind: those of a list differ only by an id or a token. */
  const fewOfEach = (paths: readonly string[]): string[] => {
    const kinds = Map.groupBy(paths, (path) => path.replaceAll(/[\w-]{20,}/g, ''));
    return [...kinds.values()].flatMap((alike) => alike.slice(0, 2));
  };

  it('lead to pages, before an order is paid and after it', async () => {
    const reads = async () => [
      (await ask(stack, key, 'plan_quote', { id: job.planId })).body,
      (await ask(stack, key, 'order_get', { id: job.orderId })).body,
      (await ask(stack, key, 'campaign_status', { id: job.campaignId })).body,
    ];
    const before = ours([job.approval.body, ...(await reads())]);
    expect(before).toContain(new URL(job.payUrl).pathname);
    expect(before.filter((path) => path.startsWith('/terms/brand/'))).toHaveLength(1);
    await expectOpen(before);

    await fulfil(stack, key, job);
    const after = ours(await reads());
    expect(after.some((path) => path.endsWith('/receipt'))).toBe(true);
    await expectOpen(after);
  }, 120_000);

  it('lead somewhere in every answer that a brand, its people and the team read', async () => {
    const bodyOf = <T>({ status, body }: Answer, name: string): T => {
      if (status >= 300) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
      return body as T;
    };
    const { plan } = bodyOf<{ plan: { lines: { id: string }[] } }>(
      await ask(stack, key, 'campaign_status', { id: job.campaignId }),
      'campaign_status',
    );
    const order = bodyOf<{ receipt_id: string }>(await ask(stack, key, 'order_get', { id: job.orderId }), 'order_get');
    const { creators } = bodyOf<{ creators: { id: string }[] }>(
      await ask(stack, key, 'creators_search', { limit: 5 }),
      'creators_search',
    );
    const { plan: unsigned } = await startPlan(stack, key);
    const hook = bodyOf<{ webhook: { id: string } }>(
      await ask(stack, null, 'webhook_make', { url: 'https://hooks.receivers.net/in' }, person),
      'webhook_make',
    );
    await ask(stack, null, 'webhook_test', { id: hook.webhook.id }, person);
    const { members } = bodyOf<{ members: { id: string }[] }>(
      await ask(stack, null, 'members_list', {}, person),
      'members_list',
    );

    const creator = { id: creators[0]?.id };
    const line = { id: plan.lines[0]?.id };
    const signed = { id: job.planId };
    const campaign = { campaign_id: job.campaignId };
    const inputs: Partial<Record<OperationName, Record<string, unknown>>> = {
      resolve_audience: { audience: 'startup founders' },
      creators_search: { limit: 50 },
      creator_get: creator,
      campaign_status: { id: job.campaignId },
      plan_quote: signed,
      plan_rationale: signed,
      plan_history: signed,
      plan_preflight: { id: unsigned.plan_id },
      evidence_list: campaign,
      results_list: campaign,
      order_get: { id: job.orderId },
      receipt_get: { id: order.receipt_id },
      line_disputes: line,
      line_integrity: line,
      events_list: { limit: 200 },
      keys_usage: { days: 7 },
      webhook_deliveries: { id: hook.webhook.id },
      member_rights: { id: members[0]?.id },
      context_version: { version: 1 },
      ops_creator_get: creator,
      ops_order_get: { id: job.orderId },
    };
    const asked = (name: OperationName, audience: OperationDeclaration['audience']): Promise<Answer> => {
      const input = (inputs[name] ?? {}) as never;
      if (audience === 'person') return ask(stack, null, name, input, person);
      return ask(stack, audience === 'operator' ? stack.opsToken : key, name, input);
    };
    const read = new Map<string, Answer>();
    for (const operation of operations.filter(isRead)) {
      const name = operation.name as OperationName;
      if (name in UNREAD) continue;
      read.set(name, await asked(name, operation.audience));
    }
    expect([...read].filter(([, { status }]) => status !== 200).map(([name, { status }]) => [name, status])).toEqual(
      [],
    );
    for (const name of Object.keys(inputs)) expect(read.has(name)).toBe(true);
    const links = [...read].flatMap(([, { body }]) => fewOfEach(ours(body)));
    expect(links.some((path) => path.startsWith('/avatars/'))).toBe(true);
    await expectOpen([...new Set(links)]);
  }, 120_000);

  it('lead to pages from the Developers area of a brand that went through the main job', async () => {
    await expectOpen(['/developers', '/developers/orders', `/developers/orders/${job.orderId}`], person.cookie);
  }, 120_000);

  it('lead to the documents, which a gateway in one file finds too', async () => {
    const opened = [...OPENED, ...FILES, ...WELL_KNOWN];
    const { broken, outside } = await crawl(stack.appUrl, stack.appUrl, opened, {
      opens: (path) => opened.includes(path),
    });
    expect({ broken, outside }).toEqual({ broken: [], outside: [] });
    const version = (await (await fetch(`${stack.appUrl}/version`)).json()) as { endpoints: Record<string, string> };
    expect(version.endpoints).toMatchObject({ rest: `${stack.appUrl}/api/v1`, mcp: stack.mcpUrl });
    const named = await Promise.all(WELL_KNOWN.map(async (path) => (await fetch(`${stack.appUrl}${path}`)).json()));
    await expectOpen(ours([version, ...named]).filter((path) => path !== '/api/v1'));
  });
});
