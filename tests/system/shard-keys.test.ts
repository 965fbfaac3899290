import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { collectionsOf } from '../contract/collections.js';
import { type SharedStack, sharedStack } from '../support/stack.js';

/**
 * Why a unique index does not begin with the workspace, and what happens to it when data are sharded by workspace.
 * `within`: its rows belong to one workspace, which then goes before its key; it stays as strict. `shared`: common to
 * all workspaces and small, so it stays on one shard. `random`: long and random, so each shard keeps its own index.
 */
type Reason = 'within' | 'shared' | 'random';

const EXCEPTIONS: Readonly<Record<string, Reason>> = {
  'billing.ledger order_id+rail_ref+kind': 'within',
  'billing.orders pay_token_hash': 'random',
  'billing.orders plan_id': 'within',
  'billing.terms number': 'shared',
  'catalog.creators network_id': 'shared',
  'gateway.brands applicant.email': 'shared',
  'gateway.brands name': 'shared',
  'gateway.key_versions key_id+version': 'within',
  'gateway.keys key_id': 'random',
  'gateway.mandates key_id+version': 'within',
  'gateway.members brand_id+person_id': 'shared',
  'gateway.operator_people email': 'shared',
  'gateway.operator_sessions token': 'shared',
  'gateway.operator_sign_in_links identifier': 'shared',
  'gateway.operator_tokens name': 'shared',
  'gateway.operator_tokens token_id': 'shared',
  'gateway.people email': 'shared',
  'gateway.sessions token': 'shared',
  'gateway.sign_in_links identifier': 'shared',
  'gateway.workspaces brand_id+number': 'shared',
  'identity.identities handle_lower': 'shared',
  'identity.uploads upload_id+number': 'shared',
  'metrics.posts post_id': 'within',
  'metrics.readings line_id+captured_at+source': 'within',
  'planning.plans campaign_id': 'within',
  'proposals.proposals line_id': 'within',
  'proposals.proposals replaces_in+creator_id': 'within',
  'proposals.proposals line_id+attempt': 'within',
};
/** Every service has these: `place` is random, and sealed entries have one sequence per workspace. */
const EVERYWHERE: Readonly<Record<string, Reason>> = { 'audit place': 'random' };

const SHARD_KEYS = ['ws', 'workspace'];

describe('sharding by workspace (docs/operating.md#sharding)', () => {
  let stack: SharedStack;
  let mongo: MongoClient;
  beforeAll(async () => {
    stack = await sharedStack();
    mongo = await MongoClient.connect(stack.mongodbUri);
  }, 120_000);
  afterAll(() => mongo?.close());

  /** `database.collection field+field` of every unique index of the system. */
  const uniqueIndexes = async (): Promise<string[]> => {
    const found = (await collectionsOf(mongo, stack)).map(async ({ rows, name }) =>
      (await rows.indexes())
        .filter(({ unique }) => unique === true)
        .map(({ key }) => `${name.replace('cds_', '')} ${Object.keys(key).join('+')}`),
    );
    return (await Promise.all(found)).flat();
  };

  it('each unique index begins with the workspace, or has a reason why it does not', async () => {
    const indexes = await uniqueIndexes();
    const withOwnKey = indexes.filter((one) => SHARD_KEYS.some((key) => one.split(' ')[1]?.startsWith(`${key}+`)));
    const everywhere = indexes.filter((one) => Object.keys(EVERYWHERE).some((known) => one.endsWith(`.${known}`)));
    const others = indexes.filter((one) => !withOwnKey.includes(one) && !everywhere.includes(one));
    expect(new Set(others)).toEqual(new Set(Object.keys(EXCEPTIONS)));
    expect(withOwnKey.length).toBeGreaterThan(0);
  });
});
