// @night: random histories; the feed has tests beside it.
import type { Creators } from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Random } from '../faults/random.js';
import { FeedHistory, type Network } from '../support/feed-history.js';
import { aBrand, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

/**
 * Random histories of sandboxes: after every step, what a reader makes of the feed alone is what the reads answer
 * (docs/domain/access.md#events). `CDS_FEED_SEED` replays a run.
 */
const SEED = seedFrom('CDS_FEED_SEED');
const RUNS = Number(process.env['CDS_FEED_RUNS'] ?? 1);
const STEPS = Number(process.env['CDS_FEED_STEPS'] ?? 20);
/** How long each step of a run may take on a busy machine. */
const STEP_MS = 20_000;

describe(`the feed of random histories, seed ${SEED}`, () => {
  let stack: SharedStack;
  let mongo: MongoClient;
  let network: Network;

  beforeAll(async () => {
    stack = await sharedStack();
    mongo = await new MongoClient(stack.mongodbUri).connect();
    const reader = secretOf((await aBrand(stack)).sandbox, 'full');
    const list = async (input: object) =>
      (await ask(stack, reader, 'creators_search', input as never)).body as Creators;
    const cheap = await list({ sort: 'price', dir: 'asc', limit: 50 });
    const last = { sort: 'price', followers_min: 0, limit: 30 };
    const { creators } = await list({ ...last, offset: (await list(last)).total - last.limit });
    network = {
      units: cheap.creators.flatMap(({ offerings }) => offerings.flatMap((one) => (one.buyable ? [one.unit_id] : []))),
      unpriced: creators.flatMap(({ id, ask_price }) => (ask_price ? [id] : [])),
    };
  }, 180_000);
  afterAll(() => mongo?.close());

  it.each(Array.from({ length: RUNS }, (_none, at) => at))(
    'folded, it is what the reads answer at every step (run %i)',
    async (at) => {
      const history = await FeedHistory.begin(stack, mongo, new Random(SEED + at), network);
      try {
        await history.launch();
        await history.compare();
        for (let step = 0; step < STEPS; step += 1) {
          await history.step();
          await history.compare();
        }
        process.stderr.write(`feed: ${JSON.stringify(history.size)} after ${STEPS} steps\n`);
        await history.reset();
        await history.step();
        await history.compare();
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        throw new Error(`${said}\n\nafter\n  ${history.done.join('\n  ')}`, { cause: error });
      }
    },
    (STEPS + 10) * STEP_MS,
  );
});
