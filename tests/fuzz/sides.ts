import type { BrandRole } from '@cds/contracts';
import { aClient, formBrowser, signedIn } from '@cds/gateway/testing';
import type { SharedStack } from '../support/stack.js';
import { type Call, callWith } from './callers.js';
import { type Cookie, signIn } from './people.js';
import { aFuzzBrand, type FuzzBrand } from './world.js';

export type Pools = Record<string, readonly string[]>;

/** A brand with its people, and with keys and members that nobody uses and requests may end. */
export type Side = {
  brand: FuzzBrand;
  asOwner: Call;
  cookie: Cookie;
  tokens: ClientTokens;
  pools: Pools;
};

/** Lines of the paid plan that requests name, and how many of them have a day. */
const LINES = 6;
const BOOKED = 3;

const MANDATE = {
  max_plan_cents: 500_000,
  monthly_cap_cents: 2_000_000,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
};

export const ownerOf = ({ name }: Pick<FuzzBrand, 'name'>): string => `owner@${name}.example`;

/** A brand whose texts all say `text`. A sandbox starts three campaigns: with `drafts` the third has no plan. */
export const aSide = async (
  stack: SharedStack,
  { text = 'A brand of the fuzzer', drafts = true }: { text?: string; drafts?: boolean } = {},
): Promise<Side> => {
  const brand = await aFuzzBrand(stack);
  const { ids, name, workspaces } = brand;
  const cookie = await signIn(stack, 'brand', ownerOf(brand));
  const asOwner = callWith(stack, { cookie });
  const asKey = callWith(stack, { key: brand.keys[0] ?? '' });
  await asOwner('session_workspace_set', { workspace: workspaces.sandbox });

  const keys = [];
  for (const scopes of [['campaigns:read', 'campaigns:write'], ['plans:approve'], ['creators:read']])
    keys.push(await asOwner('key_make', { name: text, scopes }));
  await asOwner('key_mandate_set', { id: keys[1]?.key.id, ...MANDATE });
  const full = (await asOwner('keys_list', {})).keys.find((key) => key.name === 'full');
  await asOwner('key_change', { id: full?.id, may_delegate: true });
  const clients = await clientsOf(stack, { asOwner, cookie, keyId: full?.id ?? '' });
  const members = [];
  for (const mailbox of ['ann', 'ben', 'cleo'])
    members.push(await asOwner('member_invite', { email: `${mailbox}@${name}.example`, role: 'viewer' }));
  const webhook = await asOwner('webhook_make', { url: 'https://hooks.example.com/in' });
  await asOwner('context_put', { name, summary: text, audience: 'startup founders and AI builders' });
  const { current } = await asOwner('terms_get', {});
  await asOwner('terms_accept', { version: current?.version });
  await asKey('rename_campaign', { id: ids['campaigns.id'], name: text });
  await asKey('set_creator_guidelines', { id: ids['campaigns.id'], pitch: text });
  const campaigns = [ids['campaigns.id'] ?? '', ids['campaigns.id'] ?? ''];
  if (drafts) campaigns.push((await asOwner('campaign_draft', { product: text })).campaign.id);
  const order = await asKey('order_get', { id: ids['orders.id'] });
  const { plan } = await asKey('campaign_status', { id: order.campaign_id });
  const lines = (plan?.lines ?? []).slice(0, LINES).map(({ id }) => id);
  for (const id of lines.slice(0, BOOKED)) await asKey('sandbox_line_answer', { id, answer: 'accept' });
  const { terms_fingerprint } = await asKey('plan_quote', { id: ids['plans.id'] });
  const { next } = await asKey('events_list', { limit: 1 });
  return {
    brand,
    asOwner,
    cookie,
    tokens: clients.tokens,
    pools: {
      ...Object.fromEntries(Object.entries(ids).map(([pool, value]) => [pool, [value]])),
      'campaigns.id': campaigns,
      'lines.id': lines,
      'workspaces.id': Object.values(workspaces),
      'keys.id': keys.map(({ key }) => key.id),
      'clients.id': clients.spare,
      'keys.secret': keys.map(({ secret }) => secret),
      'members.id': members.map(({ id }) => id),
      'people.email': [ownerOf(brand), ...members.map(({ email }) => email)],
      'webhooks.id': [webhook.webhook.id],
      'context.version': ['1', '2'],
      'plans.fingerprint': [terms_fingerprint],
      'terms.version': [current?.version ?? ''],
      'cursors.next': [next],
    },
  };
};

export const aMember = async (stack: SharedStack, { brand, asOwner }: Side, role: BrandRole): Promise<Cookie> => {
  const email = `${role}@${brand.name}.example`;
  await asOwner('member_invite', { email, role });
  const cookie = await signIn(stack, 'brand', email);
  await callWith(stack, { cookie })('session_workspace_set', { workspace: brand.workspaces.sandbox });
  return cookie;
};

/** The access tokens of clients that a person signed in as a key: one for MCP, and one for REST. */
export type ClientTokens = { mcp: string; rest: string };

/** Clients signed in as a key, and the ids of others that nobody uses, which requests may end. */
type Clients = { tokens: ClientTokens; spare: readonly string[] };

const SPARE = 'spare client';

/** Signs clients in as a key of the session's workspace (docs/domain/sign-in.md#mcp-sign-in). */
const clientsOf = async (
  stack: SharedStack,
  { asOwner, cookie, keyId }: { asOwner: Call; cookie: Cookie; keyId: string },
): Promise<Clients> => {
  const tokenFor = async (path: string, name: string): Promise<string> => {
    const client = await aClient(stack.appUrl, { client_name: name }, `${stack.appUrl}${path}`);
    return (await signedIn(formBrowser(stack.appUrl, cookie), client, keyId)).access_token;
  };
  const tokens = { mcp: await tokenFor('/api/mcp', 'for MCP'), rest: await tokenFor('/api/v1', 'for REST') };
  await tokenFor('/api/mcp', SPARE);
  const { clients } = await asOwner('clients_list', {});
  return { tokens, spare: clients.filter(({ name }) => name === SPARE).map(({ id }) => id) };
};
