import { OPERATOR_ROLES, operationByName } from '@cds/contracts';
import type { MongoClient } from 'mongodb';
import type { SharedStack } from '../support/stack.js';
import { placeOf } from './apart.js';
import { callWith } from './callers.js';
import { spareCreators } from './creators.js';
import { poolsOf } from './known.js';
import { type Cookie, copyOf, linkOf as sentLinkOf, signIn } from './people.js';
import type { Credential, FuzzRequest } from './requests.js';
import { aMember, aSide, ownerOf, type Pools, type Side } from './sides.js';
import { aSpentSide, type Link, type Spent } from './spent.js';

/** Nothing in the world has one of these: a request finds none, as for an unknown id. */
const EMPTY = ['context.proposal', 'dead-letters.id'];
const OF_LINK = 'links.url';
/** The number of a post that is made now: X's numbers hold their time. */
const postNow = (): bigint => BigInt(Date.now() - 1_288_834_974_657) << 22n;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const UNKNOWN_KEY = `cds_test_${'A'.repeat(12)}_${'A'.repeat(49)}`;

/** Texts of another brand, of a creator that nobody pays, and of the team. */
const CANARY = {
  text: 'canary-kestrel-orchid',
  handle: 'canary_kestrel',
  notes: 'canary-heron-notes',
} as const;
/** The handles of the generated network: whoever has no credential is shown none. */
const GENERATED_HANDLE = /demo_[a-z]/;

export type Forbidden = { what: string; found: string | RegExp };

export type Installation = {
  headersFor: (request: FuzzRequest) => Promise<Record<string, string>>;
  valueFor: (request: FuzzRequest, pool: string) => string;
  forbiddenTo: (request: FuzzRequest) => readonly Forbidden[];
  workspaces: readonly string[];
};

const at = <T>(items: readonly T[], index: number): T => {
  const found = items[index % items.length];
  if (found === undefined) throw new Error('the world has nothing of a kind that requests name');
  return found;
};

/** The team's credentials: a token and a session of each role, leads most often. */
const theTeam = async (stack: SharedStack): Promise<{ tokens: string[]; cookies: Cookie[] }> => {
  const asTeam = callWith(stack, { key: stack.opsToken });
  const tokens = [];
  for (const role of OPERATOR_ROLES) tokens.push((await asTeam('ops_token_make', { name: role, role })).secret);
  const cookies = [];
  for (const role of ['lead', 'network', 'viewer']) {
    const email = `${role}@team.example`;
    await asTeam('ops_operator_make', { email, name: role, role });
    cookies.push(await signIn(stack, 'operator', email));
  }
  return { tokens, cookies };
};

const allPools = (side: Side, spent: Spent, creators: Pools): Pools => {
  const empty = Object.fromEntries(EMPTY.map((pool) => [pool, [NOBODY]]));
  return { ...spent.operators, ...creators, ...empty, ...side.pools };
};

/** An installation with so many steady brands, which most requests come from. */
export const anInstallation = async (stack: SharedStack, mongo: MongoClient, brands: number): Promise<Installation> => {
  const asTeam = callWith(stack, { key: stack.opsToken });
  await asTeam('ops_switches_put', { extensions: true, reason: 'for the fuzzer' });
  const creators = await spareCreators(stack, CANARY);
  const [victim, moved, spent, ...steady] = await Promise.all([
    aSide(stack, { text: CANARY.text }),
    aSide(stack),
    aSpentSide(stack),
    ...Array.from({ length: brands }, () => aSide(stack)),
  ]);
  const team = await theTeam(stack);
  const roles: Cookie[] = [];
  for (const role of ['admin', 'member', 'viewer'] as const) roles.push(await aMember(stack, at(steady, 0), role));
  const sides = [victim, moved, spent, ...steady];

  const sideOf = ({ operation, sender }: FuzzRequest): Side => {
    const place = placeOf(operation);
    if (place === 'moved') return moved;
    const audience = operationByName(operation)?.audience ?? 'guest';
    return place === 'spent' || audience === 'operator' || audience === 'creator' ? spent : at(steady, sender);
  };
  const linkOf = ({ sender }: FuzzRequest): Link => at(spent.links, sender);
  const spentPools = allPools(spent, spent, creators);
  const operatorPools = { ...spentPools, ...spent.operators, ...creators };
  const poolsFor = new Map(sides.map((side) => [side, allPools(side, spent, creators)]));
  for (const pools of [...poolsFor.values(), operatorPools]) {
    const missing = poolsOf().filter(
      (pool) => pool !== OF_LINK && (pools[pool] ?? []).filter((value) => value !== '').length === 0,
    );
    if (missing.length > 0) throw new Error(`the world has nothing for ${missing.join(', ')}`);
  }

  const valueFor = (request: FuzzRequest, pool: string): string => {
    const turn = Math.floor(request.sender / brands);
    if (pool === OF_LINK) return `https://x.com/${linkOf(request).handle}/status/${postNow()}`;
    if (pool.startsWith('victim.')) return at(victim.pools[pool.slice('victim.'.length)] ?? [], turn);
    const isTeams = ['operator', 'relay'].includes(operationByName(request.operation)?.audience ?? '');
    const pools = isTeams ? operatorPools : poolsFor.get(sideOf(request));
    return at(pools?.[pool] ?? [], turn);
  };

  /** Every other request comes from somebody who may do everything. */
  const turnOf = ({ sender }: FuzzRequest, others: number): number =>
    sender % 2 === 0 ? 0 : Math.floor(sender / 2) % others;

  const cookieOf = async (request: FuzzRequest, audience: 'brand' | 'operator'): Promise<Cookie> => {
    const side = sideOf(request);
    const ofBrand = side === steady[0] ? [side.cookie, ...roles] : [side.cookie];
    const cookies = audience === 'brand' ? ofBrand : team.cookies;
    const cookie = at(cookies, turnOf(request, cookies.length));
    return placeOf(request.operation) === 'own' ? copyOf(stack, mongo, audience, cookie) : cookie;
  };

  const credentialOf = async (request: FuzzRequest): Promise<Record<string, string>> => {
    const {
      brand: { keys, liveKey },
      tokens,
    } = sideOf(request);
    const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
    const byCredential: Record<Credential, () => Record<string, string> | Promise<Record<string, string>>> = {
      key: () => bearer(at([...keys, liveKey], turnOf(request, keys.length + 1))),
      'mcp-client': () => bearer(tokens.mcp),
      'rest-client': () => bearer(tokens.rest),
      session: async () => ({ cookie: await cookieOf(request, 'brand'), origin: stack.appUrl }),
      token: () => bearer(at([stack.opsToken, ...team.tokens], turnOf(request, team.tokens.length + 1))),
      operator: async () => ({ cookie: await cookieOf(request, 'operator'), origin: stack.appUrl }),
      link: () => bearer(linkOf(request).token),
      relay: () => bearer(stack.relayToken),
      none: () => ({}),
      foreign: async () => ({ cookie: await cookieOf(request, 'brand'), origin: 'https://elsewhere.example' }),
      unknown: () => bearer(UNKNOWN_KEY),
    };
    return byCredential[request.as]();
  };

  const toRelay = [
    ...victim.brand.keys,
    victim.brand.liveKey,
    ...Object.values(victim.tokens),
    ...(victim.pools['keys.secret'] ?? []),
    ...[victim.cookie, ...team.cookies].map((cookie) => cookie.split('=')[1] ?? ''),
    stack.opsToken,
    stack.relayToken,
    ...team.tokens,
  ].map((found) => ({ what: 'a secret', found }));
  // A link that waits to be mailed, and that nobody uses.
  const link = await sentLinkOf(stack, 'brand', ownerOf(victim.brand));
  const secrets = [...toRelay, { what: 'a sign-in link', found: link }];
  const unpaid = [
    { what: "another brand's text", found: CANARY.text },
    { what: 'the handle of a creator that nobody paid', found: CANARY.handle },
    { what: "the team's notes", found: CANARY.notes },
  ];
  const handles = [...new Set(spent.links.map(({ handle }) => handle))].filter((handle) => handle !== '');

  return {
    headersFor: async (request) => ({
      ...(await credentialOf(request)),
      // Callers without a credential count by address: each has its own, and some share one.
      'x-forwarded-for': `198.51.100.${request.sender % 250}`,
    }),
    valueFor,
    forbiddenTo: (request) => {
      if (request.as === 'relay') return toRelay;
      if (request.as === 'token' || request.as === 'operator') return secrets;
      if (request.as === 'none') return [...secrets, ...unpaid, { what: 'a handle', found: GENERATED_HANDLE }];
      if (request.as !== 'link') return [...secrets, ...unpaid];
      const others = handles.filter((handle) => handle !== linkOf(request).handle);
      return [...secrets, ...unpaid, ...others.map((found) => ({ what: "another creator's handle", found }))];
    },
    workspaces: sides.flatMap(({ brand }) => Object.values(brand.workspaces)),
  };
};
