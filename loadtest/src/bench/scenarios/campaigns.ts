import { Agent } from 'node:http';
import { type CopiedCampaign, type Grown, grownWorkspaces } from '../campaign-copies.js';
import { goal } from '../goals.js';
import { send, type Target, targetOf } from '../requests.js';
import { median } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { CAMPAIGNS, SAMPLES, say } from '../settings.js';
import { inTurn } from '../variants.js';

const WARM = 3;
const READ = 10;
/** Well below the limit of a key's minute, whenever that begins. */
const REQUESTS_OF_A_KEY = 50;

type Of = Record<keyof CopiedCampaign, string>;

const READS: Readonly<Record<string, (of: Of) => string>> = {
  campaigns: () => '/campaigns',
  evidence: () => '/evidence',
  results: () => '/results',
  orders: () => `/orders?limit=${CAMPAIGNS.small}`,
  status: ({ campaign }) => `/campaigns/${campaign}`,
  'evidence of one': ({ campaign }) => `/evidence?campaign_id=${campaign}`,
  'results of one': ({ campaign }) => `/results?campaign_id=${campaign}`,
  quote: ({ plan }) => `/plans/${plan}/quote`,
  history: ({ plan }) => `/plans/${plan}/history`,
  rationale: ({ plan }) => `/plans/${plan}/rationale`,
  order: ({ order }) => `/orders/${order}`,
  receipt: ({ receipt }) => `/receipts/${receipt}`,
};

type Measured = { times: number[]; bytes: number };

/** What a brand reads with 1,000 campaigns of 10,000 lines, against 10 with 100, in turn: gate 20. */
export const campaigns: Scenario = async ({ stack }) => {
  const requests = Object.keys(READS).length * (WARM + SAMPLES);
  const sizes = [CAMPAIGNS.small, CAMPAIGNS.big];
  const grown = await grownWorkspaces(stack, sizes, Math.ceil(requests / REQUESTS_OF_A_KEY));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const readers = grown.map((one) => readerOf(targetOf(stack, agent), one));
    const figures: Record<string, Record<string, number>> = {};
    const goals = [];
    for (const [name, pathOf] of Object.entries(READS)) {
      say(`reading ${name} of ${sizes.join(' and ')} campaigns`);
      const [small, big] = await readInTurn(readers, pathOf);
      if (small === undefined || big === undefined) throw new Error('there are not two workspaces');
      const [smallMs, bigMs] = [median(small.times), median(big.times)];
      figures[name] = {
        'small ms': Number(smallMs.toFixed(2)),
        'big ms': Number(bigMs.toFixed(2)),
        'small KB': Math.round(small.bytes / 1_000),
        'big KB': Math.round(big.bytes / 1_000),
      };
      goals.push(goal(20, `${name}, ${CAMPAIGNS.big} campaigns against ${CAMPAIGNS.small}`, '<=', 2, bigMs / smallMs));
    }
    return {
      comparisons: {},
      figures: { [`Reads in a workspace of ${grown.map(sizeOf).join(', and of ')}: p50`]: figures },
      goals,
    };
  } finally {
    agent.destroy();
  }
};

const sizeOf = ({ campaigns, lines }: Grown): string => `${campaigns.length} campaigns with ${lines} lines`;

type Read = (pathOf: (of: Of) => string) => Promise<{ ms: number; text: string }>;

const readerOf = (at: Target, { keys, campaigns }: Grown): Read => {
  const nextKey = inTurn(keys);
  const nextOf = inTurn(campaigns.filter((_one, index) => index % Math.ceil(campaigns.length / READ) === 0));
  return (pathOf) => send(at, { path: `/api/v1${pathOf(nextOf())}`, secret: nextKey().secret });
};

const readInTurn = async (readers: readonly Read[], pathOf: (of: Of) => string): Promise<Measured[]> => {
  const found: Measured[] = readers.map(() => ({ times: [], bytes: 0 }));
  for (let sample = -WARM; sample < SAMPLES; sample += 1)
    for (const [index, read] of readers.entries()) {
      const { ms, text } = await read(pathOf);
      const own = found[index];
      if (own === undefined || sample < 0) continue;
      own.times.push(ms);
      own.bytes = text.length;
    }
  return found;
};
