import { AppError, conflict, notFound } from '@cds/contracts';
import { actorOf, type Client, type Ctx, change, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { namedUuid } from '@cds/service/named-uuid';
import { MAX_SANDBOXES } from '../../keys/domain/constants.js';
import type { Peppers } from '../../keys/key-format.js';
import { UNUSED } from '../../keys/key-use.js';
import { mandateAudit, mandateChanged } from '../../keys/mandate-changes.js';
import { presentKey } from '../../keys/present-key.js';
import { secretIdOf, shownOnce } from '../../keys/shown-once.js';
import type { KeyRow, Keys } from '../../keys/store/keys.js';
import type { Mandates } from '../../keys/store/mandates.js';
import type { ShownSecrets } from '../../keys/store/shown-secrets.js';
import { type MadeKeys, newWorkspace, ownAgentKey, testKey } from '../seed-workspace.js';
import type { Brands } from '../store/brands.js';
import type { BrandRow, WorkspaceRow, Workspaces } from '../store/workspaces.js';

export type SandboxMakeDeps = {
  shell: WriteShell;
  brands: Brands;
  workspaces: Workspaces;
  keys: Keys;
  mandates: Mandates;
  shownSecrets: ShownSecrets;
  peppers: Peppers;
  billing: Client<'gate_raise'>;
};

/**
 * Makes a sandbox of the person's brand (docs/domain/access.md#developers-area). Ids follow from the command, so that a
 * repeat raises the same gates. Raises conflict (too_many_sandboxes, secret_gone), forbidden, unavailable.
 */
export const sandboxMake: WriteHandler<'sandbox_make', SandboxMakeDeps> = async (ctx, input, deps) => {
  const { shell, brands, workspaces, keys, mandates, shownSecrets, peppers, billing } = deps;
  const outcome = await runWrite(shell, ctx, 'sandbox_make', 201, async () => {
    const { brand, workspace } = await planned(ctx, input.name, deps);
    const actor = actorOf(ctx);
    const test = testKey(peppers, workspace, actor, ctx.networkNow);
    const made = [test, ownAgentKey(peppers, workspace, ctx.networkNow, actor)];
    const [shown, text] = shownOf(test);
    const rows = made.flatMap((one) => one.keys);
    for (const key of rows)
      await billing.gate_raise(ctx, { key_id: key.key_id, workspace: key.ws, version: key.mandate_version });

    const { _id: id, name } = workspace;
    return change(
      { workspace: { id, name, kind: 'sandbox' as const }, key: presentKey(shown, UNUSED), secret: '' },
      {
        save: async (tx) => {
          // A version of the brand, so that a suspension at the same time finds the new workspace.
          await brands.move(tx, brand, { ...brand, version: brand.version + 1 });
          await workspaces.insert(tx, [workspace]);
          await keys.insert(tx, rows);
          for (const { versions } of made) await mandates.add(tx, versions);
          await shownSecrets.add(tx, secretIdOf(ctx), text, ctx.networkNow);
        },
        events: rows.map((key) => mandateChanged(key, key.mandate_version)),
        audit: [
          { ws: id, actor, action: 'workspace.made', object: id, payload: { kind: 'sandbox', name } },
          ...rows.map((key) => ({
            ws: id,
            actor,
            action: 'key.made',
            object: key.key_id,
            payload: { name: key.name, scopes: key.scopes },
          })),
          ...made.flatMap(({ versions }) => versions.map(mandateAudit)),
        ],
      },
    );
  });

  return shownOnce(ctx, outcome, shownSecrets);
};

const planned = async (
  ctx: Ctx,
  wanted: string | undefined,
  { brands, workspaces }: SandboxMakeDeps,
): Promise<{ brand: BrandRow; workspace: WorkspaceRow }> => {
  const here = await workspaces.byId(ctx.principal.workspace);
  const brand = here === null ? null : await brands.byId(here.brand_id);
  if (here === null || brand === null) throw notFound('workspace');
  if (brand.status !== 'approved') throw new AppError('forbidden', 'This brand is suspended. Contact the team.');

  const all = await workspaces.ofBrand(brand._id);
  const sandboxes = all.filter(({ kind }) => kind === 'sandbox').length;
  if (sandboxes >= MAX_SANDBOXES)
    throw conflict(
      'too_many_sandboxes',
      `This brand already has ${MAX_SANDBOXES} sandboxes, the most it can have. Use one of them.`,
    );
  const number = Math.max(...all.map((one) => one.number)) + 1;
  const name = wanted ?? `${brand.name} sandbox ${sandboxes + 1}`;
  const workspace = newWorkspace(brand._id, 'sandbox', number, name, ctx.networkNow, here.reads_ws);
  return { brand, workspace: { ...workspace, _id: namedUuid('sandbox', secretIdOf(ctx)) } };
};

const shownOf = ({ keys, texts }: MadeKeys): [row: KeyRow, text: string] => {
  const [row] = keys;
  const text = texts.get(row?.key_id ?? '');
  if (row === undefined || text === undefined) throw new Error('a sandbox was made without a test key');
  return [row, text];
};
