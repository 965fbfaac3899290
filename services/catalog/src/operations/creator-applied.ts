import { change, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Creator } from '../domain/creator/creator.js';
import { goneBecause } from '../domain/creator/leaving.js';
import { creatorApplied as taskOf } from '../domain/vetting/application.js';
import type { Identities } from '../identity/identities.js';
import type { Importer } from '../imports/importer.js';
import type { OperatedCreators } from '../store/operated-creators.js';

type Deps = { importer: Pick<Importer, 'importRows'>; identities: Identities; operated: OperatedCreators };

/** Changes nothing of a known creator, since anybody may have typed it (docs/domain/network.md#applications). */
export const creatorApplied: WriteHandler<'creator_applied', Deps> = async (ctx, input, deps) => {
  const at = ctx.networkNow;
  const known = await holderOf(input.handle, deps);
  if (known === null) await importNew(input, at, deps);
  const creator = known ?? (await holderOf(input.handle, deps));

  const answer = { received: true as const };
  // Who was erased is not in the network and cannot come back by an application.
  if (creator === null || goneBecause(creator) !== null) return change(answer, { save: async () => {} });
  return change(answer, {
    save: async () => {},
    events: [{ name: 'catalog_task.opened', payload: taskOf(creator._id, input, known !== null, at) }],
    audit: [
      {
        ws: '',
        actor: 'system',
        action: 'creator.applied',
        object: creator._id,
        payload: { known: known !== null, followers: input.followers, units: input.units, consent: input.consent },
      },
    ],
  });
};

const holderOf = async (handle: string, { identities, operated }: Deps): Promise<Creator | null> => {
  const [identity] = await identities.holding([handle.toLowerCase()]);
  return identity === undefined ? null : operated.byId(identity._id);
};

const importNew = async (
  { handle, followers, units }: Parameters<typeof taskOf>[1] & { handle: string },
  at: Date,
  { importer }: Deps,
): Promise<void> => {
  const asked = units.map(({ format, ask_cents }) => ({
    format,
    ask_cents,
    label: null,
    deliverable: null,
    as_of: dayOf(at),
    source: 'creator' as const,
    method: 'stated' as const,
  }));
  const stated = { network_id: null, handle, followers, units: asked };
  await importer.importRows([{ row: 0, stated, refused: [] }], {
    asOf: at,
    recordedAt: at,
    viewsSource: 'creator',
    setBy: 'application',
  });
};
