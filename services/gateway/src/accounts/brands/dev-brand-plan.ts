import { randomUUID } from 'node:crypto';
import { type AppError, conflict } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { random62 } from '../keys/base62.js';
import type { KeyChanges } from '../keys/store/key-changes.js';
import type { KeyRow, Keys } from '../keys/store/keys.js';
import type { NewMember } from '../people/add-member.js';
import { SEEDED_KEYS } from './domain/seeded-keys.js';
import { newWorkspace } from './seed-workspace.js';
import { type BrandRow, newBrand, type WorkspaceRow, type Workspaces } from './store/workspaces.js';

const DEFAULT_AUDIENCE = 'startup founders and AI builders';

export type Wanted = { name: string; audience: string | null; sandbox: string | null; replaceKeys: boolean };

export type BrandPlan = {
  brand: BrandRow | null;
  existing: WorkspaceRow[];
  fresh: WorkspaceRow[];
  replaced: KeyRow[];
};

export const wantedOf = (input: {
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

export const nameTaken = (): AppError =>
  conflict(
    'name_taken',
    'A brand with this name already exists. Choose another name, or send replace_keys to replace its seeded keys.',
  );

/** The owner of a development brand, at an address that receives no mail (RFC 2606). */
export const ownerOf = ({ _id, name }: Pick<BrandRow, '_id' | 'name'>): NewMember => {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return { brandId: _id, email: `owner@${slug || 'brand'}.example`, name: 'Owner', role: 'owner', actor: 'operator' };
};

const devBrand = (name: string) => ({ name, status: 'approved', website: null, applicant: null }) as const;

export const planOf = async (
  ctx: Ctx,
  wanted: Wanted,
  { workspaces, keys, keyChanges }: { workspaces: Workspaces; keys: Keys; keyChanges: KeyChanges },
): Promise<BrandPlan> => {
  const known = await workspaces.brandNamed(wanted.name);
  if (known !== null && !wanted.replaceKeys) throw nameTaken();

  const brand: BrandRow = known ?? newBrand(randomUUID(), devBrand(wanted.name), ctx.networkNow);
  const existing = known === null ? [] : await workspaces.ofBrand(known._id);
  // A revocation that is committed counts, though the key may not have it yet.
  for (const { _id } of existing) await keyChanges.apply(await keyChanges.pending(_id, []));
  const has = (kind: WorkspaceRow['kind']) => existing.some((workspace) => workspace.kind === kind);
  const live = existing.find((workspace) => workspace.kind === 'live')?._id ?? randomUUID();
  const fresh = [
    ...(has('live') ? [] : [newWorkspace(brand._id, 'live', 1, wanted.name, ctx.networkNow, live)]),
    ...(has('sandbox') || wanted.sandbox === null
      ? []
      : [newWorkspace(brand._id, 'sandbox', 2, wanted.sandbox, ctx.networkNow, live)]),
  ];
  const names = SEEDED_KEYS.map((seeded) => seeded.name);
  const replaced = (await Promise.all(existing.map((workspace) => keys.activeNamed(workspace._id, names)))).flat();
  return { brand: known === null ? brand : null, existing, fresh, replaced };
};
