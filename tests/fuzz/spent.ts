import type { Quote } from '@cds/contracts';
import { signPlan } from '../support/main-job.js';
import { aCampaign } from '../support/matrix-arguments.js';
import { ask, type SharedStack } from '../support/stack.js';
import { awaited, type Call, callWith } from './callers.js';
import { linkOf } from './people.js';
import { aSide, type Pools, type Side } from './sides.js';

const reason = 'for the fuzzer';

export type Link = { token: string; handle: string };

export type Spent = Side & { operators: Pools; links: readonly Link[] };

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Signs a plan of the live workspace to be paid by invoice, and asks for the invoice on its page. */
const signedByInvoice = async (asLive: Call): Promise<string> => {
  const { plan } = (await asLive('create_campaign', aCampaign(day(0)))) as { plan: Quote };
  const { plan_id: id, terms_fingerprint } = plan;
  const { order_id, payment } = await asLive('approve_plan', { id, terms_fingerprint, rail: 'invoice' });
  const page = await (await fetch(payment.url)).text();
  const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const form = new URLSearchParams({ form_token: token, legal_name: 'Fuzz GmbH', address: 'Seestraße 1\nGermany' });
  const asked = await fetch(`${payment.url}/invoice`, { method: 'POST', body: form, redirect: 'manual' });
  if (asked.status !== 303) throw new Error(`the invoice form answered ${asked.status}: ${await asked.text()}`);
  return order_id;
};

const payInvoice = async (asTeam: Call, id: string): Promise<number> => {
  const { total_cents } = await asTeam('ops_order_get', { id });
  await asTeam('ops_order_invoice_sent', { id, number: 'F-1', due_on: day(14), reason });
  await asTeam('ops_order_invoice_paid', { id, bank_reference: 'F-1', amount_cents: total_cents, reason });
  return total_cents;
};

/** A line whose post is live and has a claim, and one that is cancelled with a credit. */
const playedLines = async (stack: SharedStack, asKey: Call, asTeam: Call, campaignId: string) => {
  const { plan } = await asKey('campaign_status', { id: campaignId });
  // A side has booked its first lines.
  const [played, booked, cancelled, ...others] = (plan?.lines ?? []).map(({ id }) => id);
  if (played === undefined || cancelled === undefined) throw new Error('the paid plan has too few lines');
  const post = await asKey('sandbox_line_post', { id: played, when: 'now', disclosure: 'now' });
  const claim = await asKey('line_dispute', { id: played, claim: 'wrong_day', text: 'It came late.' });
  await asTeam('ops_line_cancel', { id: cancelled, reason });
  const { items } = await awaited(stack, stack.opsToken, 'ops_credits_list', {}, (list) => list.items.length > 0);
  return {
    'lines.id': [played, booked ?? '', cancelled, ...others.slice(0, 5)],
    'posts.url': [post.proof_url ?? ''],
    'disputes.id': [claim.id],
    'credits.id': items.map(({ id }) => id),
  };
};

/** Creators with nothing on sale; a brand asked for the price of one. */
const priceAsks = async (asKey: Call, asTeam: Call): Promise<Pools> => {
  const byPrice = { sort: 'price', followers_min: 0, limit: 5 };
  const { total } = await asKey('creators_search', byPrice);
  const last = await asKey('creators_search', { ...byPrice, offset: total - 5 });
  const [asked, ...others] = last.creators.map(({ id }) => id);
  await asKey('creator_ask_price', { id: asked });
  const { price_asks: asks } = await asTeam('ops_price_asks_list', {});
  return { 'price-asks.id': asks.map(({ id }) => id), 'unpriced.id': others };
};

/** Brands that only operators move: three that wait, and one that is approved. */
const brandsToMove = async (stack: SharedStack, asTeam: Call): Promise<readonly string[]> => {
  const asVisitor = callWith(stack, { cookie: '' });
  for (const name of ['one', 'two', 'three'])
    await asVisitor('sign_up', {
      company: `Fuzz ${name}`,
      website: 'https://fuzz.example',
      name: 'Ada Lovelace',
      email: `ada@${name}.example`,
    });
  const { items } = await asTeam('ops_brands_list', { status: 'pending' });
  const [first] = items;
  await asTeam('ops_brand_approve', { id: first?.id, reason });
  return items.map(({ id }) => id);
};

const teamPools = async (stack: SharedStack, asKey: Call, asTeam: Call): Promise<Pools> => {
  for (const message of ['One.', 'Two.', 'Three.']) await asKey('feedback_send', { message });
  await callWith(stack, { cookie: '' })('creator_apply', {
    handle: 'fuzz_applicant',
    followers: 900,
    units: [{ format: 'post', ask_cents: 9_000 }],
    consent: true,
  });
  const launches = [];
  for (const project of ['Orbit', 'Comet'])
    launches.push(
      await asTeam('ops_launch_add', { project, brand: { name: 'Fuzz' }, date: day(-5), reason: 'for the fuzzer' }),
    );
  const tokens = [];
  for (const name of ['spare 1', 'spare 2']) tokens.push(await asTeam('ops_token_make', { name, role: 'viewer' }));
  const operators = [];
  for (const name of ['dan', 'eve'])
    operators.push(await asTeam('ops_operator_make', { email: `${name}@team.example`, name, role: 'viewer' }));
  const links = [];
  for (const name of ['dan', 'eve']) links.push(await linkOf(stack, 'operator', `${name}@team.example`));
  const tasks = await awaited(stack, stack.opsToken, 'ops_tasks_list', {}, (list) => list.tasks.length > 0);
  const { next } = await asTeam('ops_creators_list', { limit: 1 });
  return {
    'tasks.id': tasks.tasks.map(({ id }) => id),
    'feedback.id': (await asTeam('ops_feedback_list', {})).items.map(({ id }) => id),
    'launches.id': launches.map(({ id }) => id),
    'tokens.id': tokens.map(({ token }) => token.id),
    'operators.id': operators.map(({ id }) => id),
    'messages.id': (await asTeam('ops_messages_list', {})).items.map(({ id }) => id),
    ...(await priceAsks(asKey, asTeam)),
    'brands.id': await brandsToMove(stack, asTeam),
    'links.team': links,
    'cursors.team': [next ?? ''],
  };
};

const proposalsOf = async (stack: SharedStack, { brand }: Side) => {
  const { live, sandbox } = brand.workspaces;
  const list = await awaited(stack, stack.opsToken, 'ops_proposals_list', { limit: 200 }, ({ items }) =>
    [live, sandbox].every((id) => items.some(({ workspace }) => workspace === id)),
  );
  return list.items.filter(({ workspace }) => [live, sandbox].includes(workspace));
};

/** The links of creators whose place was not given to somebody else. */
const linksTo = async (
  stack: SharedStack,
  proposals: readonly { id: string; handle: string | null }[],
): Promise<Link[]> => {
  const links: Link[] = [];
  for (const { id, handle } of proposals) {
    const made = await ask(stack, stack.opsToken, 'ops_proposal_link', { id, reason });
    if (made.status !== 200) continue;
    const { link } = made.body as { link: string };
    links.push({ token: link.split('/').at(-1) ?? '', handle: handle ?? '' });
  }
  return links;
};

export const aSpentSide = async (stack: SharedStack): Promise<Spent> => {
  const asTeam = callWith(stack, { key: stack.opsToken });
  const side = await aSide(stack, { drafts: false });
  const { brand, pools } = side;
  const asKey = callWith(stack, { key: brand.keys[0] ?? '' });
  const asLive = callWith(stack, { key: brand.liveKey });
  const order = await asKey('order_get', { id: brand.ids['orders.id'] });
  const played = await playedLines(stack, asKey, asTeam, order.campaign_id);
  const open = await signPlan(stack, brand.keys[0] ?? '');
  const [paid, asked] = [await signedByInvoice(asLive), await signedByInvoice(asLive)];
  const total = await payInvoice(asTeam, paid);
  const proposals = await proposalsOf(stack, side);
  const links = [];
  for (const email of (pools['people.email'] ?? []).slice(1)) links.push(await linkOf(stack, 'brand', email));
  const ofBrand = {
    ...pools,
    ...played,
    'orders.id': [brand.ids['orders.id'] ?? '', open.orderId, paid, asked],
    'orders.total': [String(total)],
    'links.token': links,
  };
  return {
    ...side,
    pools: ofBrand,
    operators: {
      ...ofBrand,
      ...(await teamPools(stack, asKey, asTeam)),
      'proposals.id': proposals.map(({ id }) => id),
    },
    links: await linksTo(stack, proposals),
  };
};
