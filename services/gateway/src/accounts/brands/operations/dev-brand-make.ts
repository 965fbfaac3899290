import type { Output } from '@cds/contracts';
import {
  type Client,
  type Ctx,
  change,
  commitChange,
  isDuplicate,
  type Tx,
  type WriteHandler,
  type WriteShell,
} from '@cds/service';
import type { Peppers } from '../../keys/key-format.js';
import { mandateAudit, mandateChanged } from '../../keys/mandate-changes.js';
import { presentMandate } from '../../keys/present-key.js';
import type { KeyChanges } from '../../keys/store/key-changes.js';
import type { KeyChange, KeyRow, Keys } from '../../keys/store/keys.js';
import type { Mandates } from '../../keys/store/mandates.js';
import { addMember } from '../../people/add-member.js';
import type { PeopleModule } from '../../people/module.js';
import { rightOf } from '../../rights/domain/rights.js';
import type { RightEnds } from '../../rights/store/right-ends.js';
import { type BrandPlan, nameTaken, ownerOf, planOf, type Wanted, wantedOf } from '../dev-brand-plan.js';
import { type CurrentTerms, type MadeKeys, ownAgentKey, seedKeys } from '../seed-workspace.js';
import type { WorkspaceRow, Workspaces } from '../store/workspaces.js';

export type DevBrandDeps = {
  shell: WriteShell;
  rightEnds: RightEnds;
  workspaces: Workspaces;
  keys: Keys;
  keyChanges: KeyChanges;
  mandates: Mandates;
  peppers: Peppers;
  people: Pick<PeopleModule, 'people' | 'members'>;
  billing: Client<'terms_current' | 'terms_publish' | 'gate_raise'>;
  planning: Client<'context_set'>;
  /** Waits until what a write caused has reached every service; never raises. */
  awaitPropagation: (ctx: Ctx) => Promise<void>;
};

const FIRST_TERMS = {
  version: '2026-11-01',
  number: 1,
  text: 'These are the brand terms of a development start. A brand that signs a plan pays its total by the rail it chose; creators publish the posts that the plan names; a post that is missing or removed is reposted, replaced or credited.',
};

/**
 * Makes an approved development brand (docs/domain/operators.md#development-brands). The answer holds secrets, so it is
 * stored nowhere; the unique name makes a repeat harmless. Raises conflict (name_taken).
 */
export const devBrandMake: WriteHandler<'dev_brand_make', DevBrandDeps> = async (ctx, input, deps) => {
  const wanted = wantedOf(input);
  const terms = await currentTerms(ctx, deps);
  const { plan, seeded } = await save(ctx, () => seededBrand(ctx, wanted, terms, deps), deps);
  await awaitContext(ctx, plan, deps);

  return { workspaces: seeded.map(({ workspace, keys, texts }) => presentWorkspace(workspace, keys, texts)) };
};

type SeededBrand = { plan: BrandPlan; seeded: (MadeKeys & { workspace: WorkspaceRow })[]; agents: MadeKeys[] };

const seededBrand = async (ctx: Ctx, wanted: Wanted, terms: CurrentTerms, deps: DevBrandDeps): Promise<SeededBrand> => {
  const plan = await planOf(ctx, wanted, deps);
  const seeded = [...plan.existing, ...plan.fresh].map((workspace) => ({
    workspace,
    ...seedKeys(deps.peppers, workspace, terms, ctx.networkNow),
  }));
  const agents = plan.fresh.map((workspace) => ownAgentKey(deps.peppers, workspace, ctx.networkNow));
  await raiseGatesAndSetContexts(ctx, wanted, plan, [...seeded, ...agents], deps);
  return { plan, seeded, agents };
};

const currentTerms = async (ctx: Ctx, { billing }: DevBrandDeps): Promise<CurrentTerms> => {
  const found = await billing.terms_current(ctx, {});
  if (found.terms === null) await billing.terms_publish(ctx, FIRST_TERMS);
  const { terms } = found.terms === null ? await billing.terms_current(ctx, {}) : found;
  if (terms === null) throw new Error('the terms just published were not found');
  return { version: terms.version, textSha256: terms.text_sha256 };
};

const save = async (ctx: Ctx, make: () => Promise<SeededBrand>, deps: DevBrandDeps): Promise<SeededBrand> => {
  const { shell, keyChanges, rightEnds } = deps;
  const saved: { brand?: SeededBrand } = {};
  const decide = async () => {
    const brand = await make();
    const committed = () => {
      saved.brand = brand;
    };
    return change(null, { ...brandParts(ctx, brand, deps), committed });
  };
  try {
    await commitChange(shell, ctx, 'dev_brand_make', 201, decide, false);
  } catch (error) {
    throw isDuplicate(error) ? nameTaken() : error;
  }
  const { brand } = saved;
  if (brand === undefined) throw new Error('a brand was committed without being made');
  for (const { _id } of brand.plan.existing) await keyChanges.apply(await keyChanges.pending(_id, []));
  await rightEnds.settle(brand.plan.replaced.map(({ key_id }) => rightOf.key(key_id)));
  return brand;
};

const brandParts = (
  ctx: Ctx,
  { plan, seeded, agents }: SeededBrand,
  { workspaces, keys, keyChanges, mandates, people }: DevBrandDeps,
) => {
  const made = [...seeded, ...agents];
  const rows = made.flatMap((one) => one.keys);
  const versions = made.flatMap((one) => one.versions);
  const actor = 'operator';
  return {
    save: async (tx: Tx) => {
      if (plan.brand !== null) {
        await workspaces.insertBrand(tx, plan.brand);
        await addMember(tx, people, ownerOf(plan.brand), ctx.networkNow);
      }
      for (const workspace of plan.existing) await workspaces.lockKeys(tx, workspace);
      await workspaces.insert(tx, plan.fresh);
      await keyChanges.add(tx, revocations(plan, ctx.networkNow), ctx.networkNow);
      await keys.insert(tx, rows);
      await mandates.add(tx, versions);
      await mandates.addAcceptances(
        tx,
        made.flatMap((one) => one.acceptances),
      );
    },
    events: mandated(made).map((key) => mandateChanged(key, key.mandate_version)),
    audit: [
      ...plan.replaced.map((key) => ({ ws: key.ws, actor, action: 'key.revoked', object: key.key_id, payload: {} })),
      ...rows.map((key) => ({
        ws: key.ws,
        actor,
        action: 'key.made',
        object: key.key_id,
        payload: { name: key.name, scopes: key.scopes },
      })),
      ...versions.map(mandateAudit),
    ],
  };
};

const revocations = (plan: BrandPlan, at: Date): KeyChange[] =>
  plan.existing.flatMap(({ _id: ws }): KeyChange[] => {
    const key_ids = plan.replaced.filter((key) => key.ws === ws).map((key) => key.key_id);
    return key_ids.length === 0 ? [] : [{ kind: 'revoked', ws, key_ids, at }];
  });

const mandated = (made: readonly MadeKeys[]): KeyRow[] =>
  made.flatMap((one) => one.keys).filter((key) => key.mandate !== null);

/** Called before anything is stored here, so that the name is still free if billing or planning is unavailable. */
const raiseGatesAndSetContexts = async (
  ctx: Ctx,
  wanted: Wanted,
  plan: BrandPlan,
  made: readonly MadeKeys[],
  { billing, planning }: DevBrandDeps,
) => {
  const { audience } = wanted;
  const gates = mandated(made).map((key) =>
    billing.gate_raise(ctx, { key_id: key.key_id, workspace: key.ws, version: key.mandate_version }),
  );
  const contexts = (audience === null ? [] : plan.fresh).map((workspace) =>
    planning.context_set(ctx, {
      workspace: workspace._id,
      workspace_name: workspace.name,
      name: wanted.name,
      summary: null,
      audience,
    }),
  );
  await Promise.all([...gates, ...contexts]);
};

/** Catalog learns the audience by planning's event. Waits for it, so that the brand's first request finds it. */
const awaitContext = async (ctx: Ctx, { fresh }: BrandPlan, { awaitPropagation }: DevBrandDeps): Promise<void> => {
  const sandbox = fresh.find((workspace) => workspace.kind === 'sandbox');
  if (sandbox !== undefined)
    await awaitPropagation({ ...ctx, principal: { ...ctx.principal, workspace: sandbox._id } });
};

const presentWorkspace = (
  workspace: WorkspaceRow,
  keys: readonly KeyRow[],
  texts: ReadonlyMap<string, string>,
): Output<'dev_brand_make'>['workspaces'][number] => ({
  name: workspace.name,
  kind: workspace.kind,
  id: workspace._id,
  keys: keys.map((key) => ({
    name: key.name,
    id: key.key_id,
    secret: texts.get(key.key_id) ?? '',
    scopes: key.scopes,
    mandate: key.mandate === null ? null : presentMandate(key.key_id, key.mandate, 0),
  })),
});
