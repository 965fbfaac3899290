import { randomUUID } from 'node:crypto';
import { conflict, type Output } from '@cds/contracts';
import {
  type Client,
  type Ctx,
  change,
  commitChange,
  isDuplicate,
  type WriteHandler,
  type WriteShell,
} from '@cds/service';
import {
  type CurrentTerms,
  type MadeKeys,
  newWorkspace,
  ownAgentKey,
  presentMandate,
  seedKeys,
} from '../brands/seed-workspace.js';
import { SEEDED_KEYS } from '../domain/seeded-keys.js';
import { random62 } from '../keys/base62.js';
import type { Peppers } from '../keys/key-format.js';
import { mandateAudit, mandateChanged } from '../keys/mandate-changes.js';
import { type MoveDeps, settleNow } from '../sandbox/move-clock.js';
import type { KeyChanges } from '../store/key-changes.js';
import type { KeyChange, KeyRow, Keys } from '../store/keys.js';
import type { Mandates } from '../store/mandates.js';
import type { BrandRow, WorkspaceRow, Workspaces } from '../store/workspaces.js';

/** What making a development brand uses. */
export type DevBrandDeps = {
  shell: WriteShell;
  workspaces: Workspaces;
  keys: Keys;
  keyChanges: KeyChanges;
  mandates: Mandates;
  peppers: Peppers;
  billing: Client<'terms_current' | 'terms_publish' | 'gate_raise'>;
  planning: Client<'context_set'>;
  move: Pick<MoveDeps, 'clocks'>;
};

/** The terms that a development start publishes when there are none. */
const FIRST_TERMS = {
  version: '2026-11-01',
  number: 1,
  text: 'These are the brand terms of a development start. A brand that signs a plan pays its total by the rail it chose; creators publish the posts that the plan names; a post that is missing or removed is reposted, replaced or credited.',
};

const DEFAULT_AUDIENCE = 'startup founders and AI builders';

/** The brand as asked for, every default filled in. */
type Wanted = { name: string; audience: string | null; sandbox: string | null; replaceKeys: boolean };

type Plan = { brand: BrandRow | null; fresh: WorkspaceRow[]; all: WorkspaceRow[]; replaced: KeyRow[] };

/**
 * Makes an approved brand with a live and a sandbox workspace and the seeded keys, for demos and tests; with
 * `replace_keys` the seeded keys of the brand that is there are revoked and made anew. Its answer holds secrets, so it
 * is kept nowhere: the name is what makes it happen once. Raises conflict (name_taken). Source: domain 4-doors 4.
 */
export const devBrandMake: WriteHandler<'dev_brand_make', DevBrandDeps> = async (ctx, input, deps) => {
  const wanted = wantedOf(input);
  const [terms, plan] = await Promise.all([currentTerms(ctx, deps), planOf(ctx, wanted, deps)]);

  const made = plan.all.map((workspace) => ({
    workspace,
    ...seedKeys(deps.peppers, workspace, terms, ctx.networkNow),
  }));
  const agents = plan.fresh.map((workspace) => ownAgentKey(deps.peppers, workspace, ctx.networkNow));

  await tellOthers(ctx, wanted, plan, [...made, ...agents], deps);
  await save(ctx, plan, [...made, ...agents], deps);
  await heard(ctx, plan, deps);

  return { workspaces: made.map(({ workspace, keys, texts }) => presentWorkspace(workspace, keys, texts)) };
};

const wantedOf = (input: {
  name?: string | undefined;
  audience?: string | null | undefined;
  sandbox?: string | null | undefined;
  replace_keys?: boolean | undefined;
}): Wanted => {
  const name = input.name ?? `Brand ${random62(4)}`;
  return {
    name,
    audience: (input.audience === undefined ? DEFAULT_AUDIENCE : input.audience) || null,
    sandbox: input.sandbox === undefined ? `${name}-sandbox` : input.sandbox,
    replaceKeys: input.replace_keys ?? false,
  };
};

const currentTerms = async (ctx: Ctx, { billing }: DevBrandDeps): Promise<CurrentTerms> => {
  const found = await billing.terms_current(ctx, {});
  if (found.terms === null) await billing.terms_publish(ctx, FIRST_TERMS);
  const { terms } = found.terms === null ? await billing.terms_current(ctx, {}) : found;
  if (terms === null) throw new Error('the terms just published are not there');
  return { version: terms.version, textSha256: terms.text_sha256 };
};

const nameTaken = () =>
  conflict(
    'name_taken',
    'A brand has this name already. Choose another, or send replace_keys to make its seeded keys anew.',
  );

const planOf = async (ctx: Ctx, wanted: Wanted, { workspaces, keys }: DevBrandDeps): Promise<Plan> => {
  const known = await workspaces.brandNamed(wanted.name);
  if (known !== null && !wanted.replaceKeys) throw nameTaken();

  const brand: BrandRow = known ?? { _id: randomUUID(), name: wanted.name, status: 'approved', at: ctx.networkNow };
  const there = known === null ? [] : await workspaces.ofBrand(known._id);
  const has = (kind: WorkspaceRow['kind']) => there.some((workspace) => workspace.kind === kind);
  const live = there.find((workspace) => workspace.kind === 'live')?._id ?? randomUUID();
  const fresh = [
    ...(has('live') ? [] : [newWorkspace(brand._id, 'live', 1, wanted.name, ctx.networkNow, live)]),
    ...(has('sandbox') || wanted.sandbox === null
      ? []
      : [newWorkspace(brand._id, 'sandbox', 2, wanted.sandbox, ctx.networkNow, live)]),
  ];
  const names = SEEDED_KEYS.map((seeded) => seeded.name);
  const replaced = (await Promise.all(there.map((workspace) => keys.activeNamed(workspace._id, names)))).flat();
  return { brand: known === null ? brand : null, fresh, all: [...there, ...fresh], replaced };
};

const save = async (ctx: Ctx, plan: Plan, made: readonly MadeKeys[], deps: DevBrandDeps): Promise<void> => {
  const { shell, workspaces, keys, keyChanges, mandates } = deps;
  let committed: Awaited<ReturnType<typeof keyChanges.add>> = [];
  const rows = made.flatMap((one) => one.keys);
  const versions = made.flatMap((one) => one.versions);
  const actor = 'operator';
  const decided = change(null, {
    save: async (tx) => {
      if (plan.brand !== null) await workspaces.insertBrand(tx, plan.brand);
      await workspaces.insert(tx, plan.fresh);
      committed = await keyChanges.add(tx, endings(plan, ctx.networkNow), ctx.networkNow);
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
  });
  try {
    await commitChange(shell, ctx, 'dev_brand_make', 201, async () => decided, false);
  } catch (error) {
    throw isDuplicate(error) ? nameTaken() : error;
  }
  await keyChanges.make(committed);
};

/** The seeded keys that new ones replace, by workspace. */
const endings = (plan: Plan, at: Date): KeyChange[] =>
  plan.all.flatMap(({ _id: ws }): KeyChange[] => {
    const key_ids = plan.replaced.filter((key) => key.ws === ws).map((key) => key.key_id);
    return key_ids.length === 0 ? [] : [{ kind: 'revoked', ws, key_ids, at }];
  });

const mandated = (made: readonly MadeKeys[]): KeyRow[] =>
  made.flatMap((one) => one.keys).filter((key) => key.mandate !== null);

/**
 * Billing's gates stand and planning knows the company before anything is kept here: when one of them is away, the same
 * name can be made again.
 */
const tellOthers = async (
  ctx: Ctx,
  wanted: Wanted,
  plan: Plan,
  made: readonly MadeKeys[],
  { billing, planning }: DevBrandDeps,
) => {
  const { audience } = wanted;
  const gates = mandated(made).map((key) =>
    billing.gate_raise(ctx, { key_id: key.key_id, workspace: key.ws, version: key.mandate_version }),
  );
  // A brand without an audience on file keeps the empty context, version 0.
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

/** Catalog follows the audience on file by planning's event: the brand's first request finds it there. */
const heard = async (ctx: Ctx, { fresh }: Plan, { move }: DevBrandDeps): Promise<void> => {
  const sandbox = fresh.find((workspace) => workspace.kind === 'sandbox');
  if (sandbox !== undefined)
    await settleNow({ ...ctx, principal: { ...ctx.principal, workspace: sandbox._id } }, move.clocks);
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
    mandate: presentMandate(key.key_id, key.mandate),
  })),
});
