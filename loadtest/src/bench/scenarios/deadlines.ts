import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { paidCampaign } from '../fixture.js';
import { goal } from '../goals.js';
import { CpuMeter } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { DEADLINES as LINES, say } from '../settings.js';
import { pidsOf } from '../variants.js';

const BUDGET_USD = 20_000;
const STARTS_IN_DAYS = 10;
const POLL_MS = 500;
const TIMEOUT_MS = 600_000;

/** A copied line was published once, when its first proposal was sent. */
const COPIED_VERSION = 1;

type Row = Document & { _id: string };
type Rows = (service: string, name: string) => Collection<Row>;

/** Until 10,000 proposals that expire in one minute are handled: goal 17 (docs/domain/orders.md#replacement-search). */
export const deadlines: Scenario = async ({ stack }) => {
  const client = await MongoClient.connect(stack.mongodbUri);
  try {
    const rows: Rows = (service, name) => client.db(`${stack.prefix}cds_${service}`).collection(name);
    say('copying a paid campaign');
    const started = await paidCampaign(stack, BUDGET_USD, STARTS_IN_DAYS);
    const proposals = rows('proposals', 'proposals');
    const workspaces = await copied(started, rows);

    say(`${LINES} deadlines`);
    const meter = new CpuMeter(pidsOf(stack, Object.keys(stack.services)));
    meter.start();
    const began = performance.now();
    const mine = { ws: { $in: workspaces } };
    const expired = new Date();
    await proposals.updateMany(mine, { $set: { expires_at: expired, due_at: expired } });
    const left = () => proposals.countDocuments({ ...mine, due_at: { $lte: new Date() } });
    const seconds = await secondsUntil(began, 'handled', async () => (await left()) === 0);
    const applied = await secondsUntil(began, 'applied everywhere', () => isApplied(workspaces, rows));
    const used = Object.entries(meter.stop());
    const perLine = used.reduce((sum, [, micros]) => sum + micros, 0) / 1_000 / LINES;
    const asked = await proposals.countDocuments({ ...mine, attempt: 2 });
    return {
      comparisons: {},
      figures: {
        [`${LINES} proposals that expire in one minute`]: {
          'seconds until all are handled': Number(seconds.toFixed(1)),
          'seconds until their events are applied': Number(applied.toFixed(1)),
          'lines a second': Math.round(LINES / seconds),
          'replacements asked': asked,
          'ms of CPU a line': Object.fromEntries(
            used.map(([name, micros]) => [name, Number((micros / 1_000 / LINES).toFixed(1))]),
          ),
        },
      },
      goals: [goal(17, 'a deadline with its search, CPU of all processes', '<=', 12, perLine, 'ms')],
    };
  } finally {
    await client.close();
  }
};

/** How long all took. It throws when they were never done, since the CPU of less work would say nothing. */
const secondsUntil = async (began: number, what: string, isDone: () => Promise<boolean>): Promise<number> => {
  while (!(await isDone())) {
    if (performance.now() - began > TIMEOUT_MS)
      throw new Error(`not all ${LINES} deadlines were ${what} within ${TIMEOUT_MS / 1_000} s`);
    await delay(POLL_MS);
  }
  return (performance.now() - began) / 1_000;
};

/** Whether every service has applied what it keeps of the lines: that each expired, and that it is offered again. */
const isApplied = async (workspaces: readonly string[], rows: Rows): Promise<boolean> => {
  const mine = { ws: { $in: workspaces } };
  const lines = await rows('proposals', 'offer_lines').countDocuments(mine);
  const applied = await Promise.all([
    rows('planning', 'line_facts').countDocuments({ ...mine, 'proposal.state': 'sending' }),
    rows('planning', 'offer_answers').countDocuments({ ...mine, state: 'no_reply' }),
    rows('metrics', 'lines').countDocuments({ ...mine, 'offer.attempt': 2 }),
    rows('catalog', 'silences').countDocuments({}),
    rows('gateway', 'feed_heads').countDocuments({ ...mine, version: COPIED_VERSION + 2 }),
  ]);
  return applied.every((count) => count >= lines);
};

/** Copies the campaign into live workspaces, until they have so many lines. Nothing is due in them yet. */
const copied = async (of: { campaignId: string; orderId: string }, rows: Rows): Promise<string[]> => {
  const campaign = await rows('planning', 'campaigns').findOne({ _id: of.campaignId });
  const plan = await rows('planning', 'plans').findOne({ campaign_id: of.campaignId });
  if (campaign === null || plan === null) throw new Error('the campaign has no plan');
  const planLines = plan['lines'] as { id: string }[];
  const { lines, offers } = await chains(of.orderId, planLines.length, rows);

  const workspaces = Array.from({ length: Math.ceil(LINES / lines.length) }, () => randomUUID());
  for (const ws of workspaces) {
    const [campaign_id, plan_id, order_id] = [randomUUID(), randomUUID(), randomUUID()];
    const lineIds = new Map(lines.map(({ _id }) => [_id, randomUUID()]));
    const lineId = (id: string): string => lineIds.get(id) ?? '';
    await rows('planning', 'campaigns').insertOne({ ...campaign, _id: campaign_id, ws, plan_id });
    await rows('planning', 'plans').insertOne({
      ...plan,
      _id: plan_id,
      ws,
      campaign_id,
      lines: planLines.map((line) => ({ ...line, id: lineId(line.id) })),
    });
    await rows('proposals', 'offer_lines').insertMany(
      lines.map((line) => ({ ...line, _id: lineId(line._id), ws, sandbox: false, order_id, plan_id, campaign_id })),
    );
    // The feed adds the next version of an aggregate at once, and waits for those before any other.
    await rows('gateway', 'feed_heads').insertMany(
      lines.map(({ _id }) => ({ _id: `${ws}|line|${lineId(_id)}`, ws, type: 'line', version: COPIED_VERSION })),
    );
    await rows('proposals', 'proposals').insertMany(
      offers.map((offer) => ({
        ...offer,
        _id: randomUUID(),
        ws,
        sandbox: false,
        line_id: lineId(offer['line_id'] as string),
        persona: null,
        expires_at: null,
        due_at: null,
      })),
    );
  }
  return workspaces;
};

const chains = async (orderId: string, count: number, rows: Rows): Promise<{ lines: Row[]; offers: Row[] }> => {
  for (;;) {
    const lines = await rows('proposals', 'offer_lines').find({ order_id: orderId }).toArray();
    const offers = await rows('proposals', 'proposals')
      .find({ line_id: { $in: lines.map(({ _id }) => _id) } })
      .toArray();
    if (offers.length >= count) return { lines, offers };
    await delay(POLL_MS);
  }
};
