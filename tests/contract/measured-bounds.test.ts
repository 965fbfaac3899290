// @night: measures rows of a played campaign; by day each collection has its figure.
import type { PlanApproved, Quote } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSON, MongoClient } from 'mongodb';
import { aCampaign } from '../support/matrix-arguments.js';
import { type Answer, aBrand, advanceClock, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';
import { GROWTH, type Growth, named } from './bounds.js';
import { collectionsOf } from './collections.js';

/** The lines of the plan whose rows are measured: the most that the builder makes, less one. */
const LINES = 39;
/** How much larger than the measurement a figure may be and still mean something. */
const SLACK = 4;

/** The figures of bounds.ts, measured (docs/adr/0028-one-key-cannot-fill-the-disk.md; I77). */
describe('what one key has on the disk after a campaign', () => {
  let stack: SharedStack;
  let client: MongoClient;
  const largest = new Map<string, number>();
  const count = new Map<string, number>();

  beforeAll(async () => {
    stack = await sharedStack();
    client = await MongoClient.connect(stack.mongodbUri);
    const known = new Set<string>();
    const all = await collectionsOf(client, stack);
    const idOf = (name: string, id: unknown): string => `${name} ${JSON.stringify(id)}`;
    for (const { rows, name } of all)
      for await (const { _id } of rows.find({}, { projection: { _id: 1 } })) known.add(idOf(name, _id));
    const workspace = await fullDay();
    for (const { rows, name } of all) {
      for await (const row of rows.find()) {
        if (known.has(idOf(name, row._id)) || !isOf(workspace, row)) continue;
        largest.set(name, Math.max(largest.get(name) ?? 0, BSON.calculateObjectSize(row)));
        count.set(name, (count.get(name) ?? 0) + 1);
      }
    }
  }, 300_000);
  afterAll(() => client.close());

  /** Rows that name their workspace, and rows of collections that name nobody. */
  const isOf = (workspace: string, row: object): boolean =>
    JSON.stringify(row).includes(workspace) || !/"(ws|workspace)":/.test(JSON.stringify(row));

  const good = (answer: Answer, ...statuses: number[]): Answer => {
    if (!statuses.includes(answer.status)) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };

  const fullDay = async (): Promise<string> => {
    const { sandbox } = await aBrand(stack);
    const [full, muted, bare] = ['full', 'muted', 'bare'].map((name) => secretOf(sandbox, name)) as [
      string,
      string,
      string,
    ];
    const { now } = good(await ask(stack, full, 'sandbox_clock', {}), 200).body as { now: string };
    const day = (days: number): string => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);
    const brief = { ...aCampaign(day(0)), product: `Orbit ${'o'.repeat(1_900)}`, budget_usd: 90_000 };
    const { plan } = good(await ask(stack, full, 'create_campaign', brief), 201).body as { plan: Quote };
    expect(plan.lines).toHaveLength(LINES);
    const id = plan.plan_id;
    const texts = { pitch: 'p'.repeat(800), voice: 'v'.repeat(300), dos: Array(8).fill('d'.repeat(200)) };
    const guidelines = { id: plan.campaign_id, ...texts, donts: texts.dos };
    good(await ask(stack, full, 'set_creator_guidelines', guidelines as never), 200);
    for (const days of [5, 6])
      good(await ask(stack, full, 'plan_move_dates', { id, start: day(days), end: day(30) }), 200);
    const { terms_fingerprint } = good(await ask(stack, full, 'plan_quote', { id }), 200).body as Quote;
    good(await ask(stack, muted, 'approve_plan', { id, terms_fingerprint }), 403);
    good(await ask(stack, bare, 'rename_campaign', { id: plan.campaign_id, name: 'Refused' }), 403);
    good(await ask(stack, full, 'feedback_send', { message: '\u{1F600}'.repeat(4_000) }), 201);
    const approved = good(await ask(stack, full, 'approve_plan', { id, terms_fingerprint }), 200).body as PlanApproved;
    good(await ask(stack, full, 'sandbox_order_payment', { id: approved.order_id }), 200);
    for (let week = 0; week < 6; week += 1) good(await advanceClock(stack, full, 7 * 86_400), 200);
    return sandbox.id;
  };

  it('has no row that is larger than its figure, and no figure is a guess', () => {
    const figureOf = (all: readonly Growth[]): number => Math.max(...all.map(({ bytes }) => bytes));
    const measured = [...largest].flatMap(([name, bytes]) => {
      const key = named(GROWTH, name);
      return key === undefined ? [] : [{ name, key, bytes, figure: figureOf(GROWTH[key] ?? []) }];
    });
    expect(measured.filter(({ bytes, figure }) => bytes > figure)).toEqual([]);
    const byKey = Map.groupBy(measured, ({ key }) => key);
    const guessed = [...byKey].flatMap(([key, of]) => {
      const most = Math.max(...of.map(({ bytes }) => bytes));
      return figureOf(GROWTH[key] ?? []) > SLACK * most + 500 ? [{ key, most, of }] : [];
    });
    expect(guessed).toEqual([]);
    expect(byKey.size).toBeGreaterThan(30);
  });

  it('has no more rows of a played campaign than it is counted with', () => {
    const ofCampaign = [...count].flatMap(([name, rows]) => {
      const all = GROWTH[named(GROWTH, name) ?? ''] ?? [];
      const each = all.flatMap((one) => ('ofCampaign' in one ? [one.ofCampaign] : []));
      const most = each.reduce((sum, one) => sum + one, 0);
      return each.length === all.length && all.length > 0 ? [{ name, rows, most }] : [];
    });
    expect(ofCampaign.length).toBeGreaterThan(10);
    expect(ofCampaign.filter(({ rows, most }) => rows > most)).toEqual([]);
  });
});
