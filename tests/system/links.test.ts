import { crawl, linksInJson } from '@cds/gateway/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fulfil, type MainJob, signPlan } from '../support/main-job.js';
import { aBrand, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

/** The parts of the documents that this test opens; the gateway's own test follows every link below them. */
const OPENED = [
  '/docs/',
  '/docs/guides/first-plan',
  '/docs/reference/approve_plan',
  '/docs/errors/conflict/over_budget',
];
const FILES = ['/llms.txt', '/changelog.json', '/changelog.atom', '/version', '/openapi.json', '/sitemap.xml'];

/** Links in the answers of the running system: what an agent is given, it can open (docs/domain/access.md). */
describe('the links of answers', () => {
  let stack: SharedStack;
  let key: string;
  let job: MainJob;
  beforeAll(async () => {
    stack = await sharedStack();
    key = secretOf((await aBrand(stack)).sandbox, 'full');
    job = await signPlan(stack, key);
  }, 120_000);

  const ours = (value: unknown): string[] => [
    ...new Set(
      linksInJson(value)
        .filter((link) => link.startsWith(stack.appUrl))
        .map((link) => link.slice(stack.appUrl.length)),
    ),
  ];
  const expectOpen = async (paths: readonly string[]): Promise<void> => {
    const below = paths.map((path) => path.split('?')[0] ?? path);
    const { broken, outside } = await crawl(stack.appUrl, stack.appUrl, paths, (path) => below.includes(path));
    expect({ broken, outside }).toEqual({ broken: [], outside: [] });
  };

  it('lead to pages, before payment and after it', async () => {
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
    const creators = (await ask(stack, key, 'creators_search', { limit: 5 })).body;
    const items = (await ask(stack, key, 'evidence_list', { campaign_id: job.campaignId })).body;
    const after = ours([...(await reads()), creators, items]);
    expect(after.some((path) => path.endsWith('/receipt'))).toBe(true);
    await expectOpen(after);
  }, 120_000);

  it('lead to the documents, which a gateway in one file finds too', async () => {
    await expectOpen([...OPENED, ...FILES]);
    const version = (await (await fetch(`${stack.appUrl}/version`)).json()) as { endpoints: Record<string, string> };
    expect(version.endpoints).toMatchObject({ rest: `${stack.appUrl}/api/v1`, mcp: stack.mcpUrl });
  });
});
