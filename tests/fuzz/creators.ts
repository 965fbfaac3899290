import type { SharedStack } from '../support/stack.js';
import { callWith } from './callers.js';
import type { Pools } from './sides.js';

const DAY_MS = 86_400_000;
/** Too expensive for every mandate of the world, so that nobody is ever shown who it is. */
const TOO_DEAR_CENTS = 70_000_000;

/** Imports creators that only operators name, and one on sale whom nobody can afford. */
export const spareCreators = async (stack: SharedStack, canary: { handle: string; notes: string }): Promise<Pools> => {
  const asTeam = callWith(stack, { key: stack.opsToken });
  const { newest_synced_at: newest } = await asTeam('dev_network', {});
  const asOf = Date.parse(newest ?? '') - 60_000;
  const daysAgo = (days: number): string => new Date(asOf - days * DAY_MS).toISOString();
  const creator = (handle: string, number: number, ask_cents: number) => ({
    network_id: String(70_001 + number),
    handle,
    name: `Creator ${number}`,
    followers: 40_000,
    account_created_at: '2019-01-01T00:00:00Z',
    posts: Array.from({ length: 12 }, (_none, back) => ({
      id: `${handle}-${back}`,
      created_at: daysAgo(back + 2),
      text: 'Notes on startup founders.',
      views: 5_000 + back,
      likes: 100,
    })),
    units: [{ format: 'post', ask_cents }],
  });
  const spares = Array.from({ length: 8 }, (_none, number) => creator(`fuzz_spare_${number}`, number, 3_000));
  const imported = await asTeam('ops_creators_import', {
    version: 1,
    as_of: daysAgo(0),
    source: 'network',
    creators: [...spares, creator(canary.handle, spares.length, TOO_DEAR_CENTS)],
  });
  if (imported.created !== spares.length + 1) throw new Error(`an import went wrong: ${JSON.stringify(imported)}`);

  const [hidden] = (await asTeam('ops_creators_list', { q: canary.handle })).creators;
  const id = hidden?.id ?? '';
  await asTeam('ops_creator_vet', { id, decision: 'approved', reason: 'for the fuzzer' });
  await asTeam('ops_creator_change', { id, notes: canary.notes, reason: canary.notes });
  const found = await asTeam('ops_creators_list', { q: 'fuzz_spare_' });
  return { 'creators.id': found.creators.map((one) => one.id), 'imports.id': [imported.id] };
};
