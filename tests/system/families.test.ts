// @night: shared caps are drawn by the simulation by day, and have tests in billing and the gateway.
import { type PlanApproved, type Quote, READ_SCOPES } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Databases } from '../support/audits/audit.js';
import { auditAll, wrongAtRest } from '../support/audits/audits.js';
import { aCampaign } from '../support/matrix-arguments.js';
import { aBrand, ask, keptStack, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Child keys in the whole system, each service of the signing twice (docs/domain/access.md#child-keys). */
describe('a family of keys', () => {
  let stack: Stack;
  let mongo: MongoClient;
  let databases: Databases;
  let sandbox: SeededWorkspace;

  const keys = () => mongo.db(`${stack.prefix}cds_gateway`).collection('keys');
  const parent = () => secretOf(sandbox, 'full');
  const parentId = () => sandbox.keys.find(({ name }) => name === 'full')?.id ?? '';
  /** The gateways in turn. */
  let asked = 0;
  const at = () => {
    asked += 1;
    return { ...stack, appUrl: stack.appUrls[asked % stack.appUrls.length] ?? stack.appUrl };
  };

  beforeAll(async () => {
    stack = await keptStack('pairs');
    mongo = await new MongoClient(stack.mongodbUri).connect();
    databases = await Databases.open(stack.mongodbUri, stack.prefix);
  }, 180_000);
  beforeEach(async () => {
    ({ sandbox } = await aBrand(stack));
    await keys().updateOne({ key_id: parentId() }, { $set: { may_delegate: true } });
  });
  afterAll(async () => {
    await mongo?.close();
    await databases?.close();
  });

  /** Plans that await approval, each in a campaign of its own. */
  const plansOf = async (count: number): Promise<Quote[]> => {
    const quotes: Quote[] = [];
    for (let one = 0; one < count; one += 1) {
      const started = await ask(at(), parent(), 'create_campaign', aCampaign(new Date().toISOString().slice(0, 10)));
      quotes.push((started.body as { plan: Quote }).plan);
    }
    return quotes;
  };
  const made = async (monthlyCapCents: number): Promise<{ id: string; secret: string }> => {
    const answer = await ask(at(), parent(), 'key_delegate', {
      name: 'helper',
      scopes: [...READ_SCOPES, 'plans:approve'],
      mandate: {
        max_plan_cents: 2_500_000,
        monthly_cap_cents: monthlyCapCents,
        channels: ['x_creators'],
        may_approve: true,
        expires_at: inDays(30),
      },
      expires_at: inDays(30),
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    const { key, secret } = answer.body as { key: { id: string }; secret: string };
    return { id: key.id, secret };
  };

  it('signs at once, on two gateways, and never more than the parent’s cap nor than any child’s', async () => {
    const quotes = await plansOf(3);
    const totals = quotes.map((quote) => quote.total_cents);
    const [first = 0, second = 0, third = 0] = totals;
    const shared = first + second + third - 1;
    await keys().updateOne({ key_id: parentId() }, { $set: { 'mandate.monthly_cap_cents': shared } });
    const [wide, narrow] = [await made(shared), await made(Math.min(...totals) - 1)];

    const tries = quotes.flatMap(({ plan_id, terms_fingerprint }, plan) =>
      [parent(), wide.secret, narrow.secret].map(async (secret) => ({
        plan,
        by: secret,
        answer: await ask(at(), secret, 'approve_plan', { id: plan_id, terms_fingerprint }),
      })),
    );
    const ended = await Promise.all(tries);

    const signed = ended.filter(({ answer }) => answer.status === 200);
    const spent = signed.reduce((sum, { plan }) => sum + (totals[plan] ?? 0), 0);
    expect(signed).toHaveLength(2);
    expect(spent).toBeLessThanOrEqual(shared);
    expect(signed.map(({ by }) => by)).not.toContain(narrow.secret);
    const reasons = ended
      .filter(({ answer }) => answer.status >= 400)
      .map(({ answer }) => {
        const { error } = answer.body as { error: { code: string; details: { reason?: string } } };
        return error.details.reason ?? error.code;
      });
    for (const reason of reasons) expect(['over_monthly_cap', 'plan_signed', 'unavailable']).toContain(reason);

    const spentIn = async (secret: string): Promise<number> => {
      const quote = (await ask(at(), secret, 'plan_quote', { id: quotes[0]?.plan_id ?? '' })).body as Quote;
      return quote.mandate?.spent_this_month_cents ?? -1;
    };
    const byWide = signed.filter(({ by }) => by === wide.secret);
    expect(await spentIn(parent())).toBe(spent);
    expect(await spentIn(wide.secret)).toBe(byWide.reduce((sum, { plan }) => sum + (totals[plan] ?? 0), 0));
    expect(await spentIn(narrow.secret)).toBe(0);
  }, 60_000);

  it('a child pays for what it signed, and ends with its parent on both gateways', async () => {
    const child = await made(2_500_000);
    const [quote] = await plansOf(1);
    const terms = { id: quote?.plan_id ?? '', terms_fingerprint: quote?.terms_fingerprint ?? '' };
    const answer = await ask(at(), child.secret, 'approve_plan', terms);
    expect(answer.status).toBe(200);
    const { order_id } = answer.body as PlanApproved;
    const paid = await ask(at(), child.secret, 'sandbox_order_payment', { id: order_id, outcome: 'paid' });
    expect(paid.status).toBe(200);

    const revoked = await ask(at(), stack.opsToken, 'ops_key_revoke', { id: parentId(), reason: 'A leak.' });
    expect(revoked.status).toBe(200);
    for (const secret of [child.secret, child.secret, parent(), parent()])
      expect((await ask(at(), secret, 'inventory', {})).status).toBe(401);
  }, 60_000);

  it('leaves nothing wrong in any database, and an audit that would find it', async () => {
    expect(await wrongAtRest(databases)).toEqual([]);
    const plans = databases.of('planning').collection<{ _id: string; status: string }>('plans');
    const signed = await plans.findOneAndUpdate({ status: 'approved' }, { $inc: { 'lines.0.price_cents': 1 } });
    const wrong = await auditAll(databases).finally(() =>
      plans.updateOne({ _id: signed?._id ?? '' }, { $inc: { 'lines.0.price_cents': -1 } }),
    );
    expect(wrong.map((sentence) => sentence.split(':')[0])).toEqual(expect.arrayContaining(['I16', 'I28']));
  }, 90_000);
});
