import type { ReadHandler } from '@cds/service';
import type { Identities } from '../identity/identities.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Creators } from '../store/creators.js';
import type { PaidOrders } from '../store/paid-orders.js';

const sandboxIdentity = (creatorId: string) => {
  const handle = `sbx_${creatorId.slice(0, 8)}`;
  return { creator_id: creatorId, handle, url: `https://example.com/${handle}` };
};

const namesOf = async (
  ids: readonly string[],
  { creators, memory }: { creators: Creators; memory: Pick<NetworkMemory, 'held'> },
): Promise<ReadonlyMap<string, string | null>> => {
  const listed = ids.flatMap((id) => memory.held(id) ?? []);
  const known = new Set(listed.map(({ _id }) => _id));
  const missing = ids.filter((id) => !known.has(id));
  const others = missing.length === 0 ? [] : await creators.rowsOf(missing);
  return new Map([...listed, ...others].map(({ _id, name }) => [_id, name]));
};

/**
 * Only for orders that catalog itself knows as paid (docs/reliability.md#handles). A merged creator reveals its
 * survivor; a sandbox sees only generated creators.
 */
export const identityReveal: ReadHandler<
  'identity_reveal',
  { identities: Identities; creators: Creators; memory: Pick<NetworkMemory, 'held'>; paidOrders: PaidOrders }
> = async (ctx, input, { identities, creators, memory, paidOrders }) => {
  const { workspace, sandbox } = ctx.principal;
  const held = await paidOrders.holding(workspace, [input.order_id, ...(input.order_ids ?? [])], input.creator_ids);
  const names = await namesOf(held, { creators, memory });
  const named = (id: string) => ({ name: names.get(id) ?? null });
  const merged = await creators.mergedAmong(held);
  const reveal = async (ids: readonly string[]) => {
    const found = await identities.reveal(ids.map((id) => merged.get(id) ?? id));
    const byId = new Map(found.map((one) => [one.creator_id, one]));
    return ids.flatMap((id) => {
      const one = byId.get(merged.get(id) ?? id);
      return one === undefined ? [] : [{ ...one, creator_id: id, ...named(id) }];
    });
  };
  if (!sandbox) return { creators: await reveal(held) };

  const generated = await creators.generatedAmong(held);
  const revealed = await reveal(held.filter((id) => generated.has(id)));
  return {
    creators: [
      ...revealed,
      ...held.filter((id) => !generated.has(id)).map((id) => ({ ...sandboxIdentity(id), ...named(id) })),
    ],
  };
};
