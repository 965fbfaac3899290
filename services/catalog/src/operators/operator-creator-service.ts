import { conflict, notFound, type Output } from '@cds/contracts';
import { actorOf, type Change, type Ctx, change, type Tx } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { cleanerFor } from '../domain/creator/cleaning.js';
import type { Creator, Identity, PriceRow } from '../domain/creator/creator.js';
import { goneBecause } from '../domain/creator/leaving.js';
import type { OpenedTask } from '../domain/import/tasks.js';
import type { Identities } from '../identity/identities.js';
import { presentOpsCreator } from '../present/ops-creator.js';
import { pricesChanged, repriced } from '../present/price-changed.js';
import type { OperatedCreators } from '../store/operated-creators.js';

export type Operated = { creator: Creator; identity: Identity | null; clean: (text: string) => string };

export class OperatorCreatorService {
  constructor(
    private readonly creators: OperatedCreators,
    private readonly identities: Identities,
  ) {}

  async load(id: string): Promise<Operated> {
    const creator = await this.creators.byId(id);
    if (creator === null) throw notFound('creator');
    const [identity = null] = await this.identities.ofCreators([creator._id]);
    return { creator, identity, clean: cleanerFor(identity?.handle ?? '\n') };
  }

  /** Raises conflict (bad_state) for a creator that has left the network. */
  async toChange(id: string): Promise<Operated> {
    const held = await this.load(id);
    const gone = goneBecause(held.creator);
    if (gone !== null) throw conflict('bad_state', gone);
    return held;
  }

  change(
    ctx: Ctx,
    { creator, identity, clean }: Operated,
    of: {
      action: string;
      reason: string;
      set: Partial<Creator>;
      price?: PriceRow;
      tasks?: readonly OpenedTask[];
      also?: (tx: Tx) => Promise<void>;
      committed?: () => void;
    },
  ): Change<Output<'ops_creator_get'>> {
    return change(presentOpsCreator({ ...creator, ...of.set }, identity, dayOf(ctx.networkNow)), {
      save: async (tx) => {
        await this.creators.change(tx, creator, of.set);
        if (of.price !== undefined) await this.creators.addPrice(tx, of.price);
        await of.also?.(tx);
      },
      ...(of.committed === undefined ? {} : { committed: of.committed }),
      events: [
        ...(of.tasks ?? []).map((payload) => ({ name: 'catalog_task.opened' as const, payload })),
        ...pricesChanged(creator._id, repriced(creator.units, of.set.units ?? creator.units), ctx.networkNow),
      ],
      audit: [
        auditedBy(ctx, of.action, creator._id, clean(of.reason), { ...audited(of.set), price: of.price?._id ?? null }),
      ],
    });
  }
}

/** The audited part of a change: without the chore, which names the creator that left. */
const audited = ({ chore: _chore, ...set }: Partial<Creator>): Partial<Creator> => set;

export const auditedBy = (ctx: Ctx, action: string, object: string, reason: string, payload: unknown) => ({
  ws: '',
  actor: actorOf(ctx),
  action,
  object,
  reason,
  payload: JSON.parse(JSON.stringify(payload)) as unknown,
});
