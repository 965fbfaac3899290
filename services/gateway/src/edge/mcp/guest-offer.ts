import { AppError, claimAt, guestTools, needsAccount } from '@cds/contracts';
import type { Edge } from '../edge.js';
import { GUEST_PATH } from '../steps/host.js';
import { CACHE_MS, type Offer, type ToolRequest } from './offer.js';
import { RPC, rpcError } from './rpc.js';
import { callTool } from './tool-call.js';
import { toolSet } from './tools.js';

const INSTRUCTIONS = [
  'Look before you have an account: which audiences paid posts by vetted creators reach, and what they cost.',
  'guest_status says what answers without a key, what needs an account and how to get one. inventory and resolve_audience count creators, plan_quote_guest gives a price range; no answer names a creator.',
  'Money is whole US cents in fields ending _cents. On rate_limited wait details.retry_after seconds.',
].join('\n');

const TOOLS = toolSet(guestTools);
const NEED_ACCOUNT: ReadonlySet<string> = new Set(needsAccount());

/** Arguments that name something of an account, by tool (docs/domain/mcp.md#guests). */
const OF_ACCOUNTS: Readonly<Record<string, readonly string[]>> = { resolve_audience: ['intent_id', 'campaign_id'] };

const namesAccount = (name: string, sent: Record<string, unknown>): boolean =>
  (OF_ACCOUNTS[name] ?? []).some((argument) => sent[argument] !== undefined && sent[argument] !== null);

const accountNeeded = ({ appUrl }: Edge, name: string, { id }: ToolRequest) => {
  const claim = claimAt(appUrl);
  return rpcError(
    401,
    {
      code: RPC.unauthorized,
      message: `${name} needs an account. Make one at ${claim.url}. ${claim.key}`,
      data: { code: 'unauthorized', claim },
    },
    id,
    {},
    { code: 'unauthorized', reason: 'needs_account' },
  );
};

const ofAccounts = ({ appUrl }: Edge): AppError => {
  const claim = claimAt(appUrl);
  return new AppError(
    'unauthorized',
    `Campaigns need an account. Make one at ${claim.url}, or describe the audience in product, audience and geography.`,
    { reason: 'needs_account', claim },
  );
};

export const guestOffer = (edge: Edge): Offer => ({
  path: GUEST_PATH,
  instructions: INSTRUCTIONS,
  capabilities: { tools: {} },
  listCache: { ttlMs: CACHE_MS, cacheScope: 'public' },
  toolsFor: async () => TOOLS,
  call: async (request, name, sent) =>
    NEED_ACCOUNT.has(name)
      ? { refusal: accountNeeded(edge, name, request) }
      : callTool(edge, request, async () => {
          if (namesAccount(name, sent)) throw ofAccounts(edge);
          return { name, sent, who: 'A guest', tools: TOOLS };
        }),
});
