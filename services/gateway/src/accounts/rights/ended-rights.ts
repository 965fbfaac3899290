import { Deadline, inTx, ofNetwork, type RowRunner, type Sweep, type WriteShell } from '@cds/service';
import type { ListedKey } from '../keys/store/keys.js';
import { grantEnder } from '../oauth/end-grant.js';
import type { OAuthGrantRow } from '../oauth/store/oauth-rows.js';
import type { MadeBy, OperatorTokenRow, OperatorTokens } from '../operators/store/operator-tokens.js';
import type { Members } from '../people/store/members.js';
import { applied, type EndingDeps, ending } from './ending.js';

const ONE_MS = 10_000;

type Deps = EndingDeps & {
  shell: Pick<WriteShell, 'store' | 'audit'>;
  people: { members: Members };
  operatorTokens: OperatorTokens;
};

/**
 * Ends what requests already refuse because its source has ended, so that lists show it too. For rows of earlier
 * gateway versions it first finds the source (docs/domain/access.md#rights).
 */
export const endedRights = (deps: Deps, rows: RowRunner): Sweep =>
  ofNetwork('ended rights', 60_000, async () => {
    const of = <Row extends { _id: string }>(
      name: string,
      find: (without: readonly string[]) => Promise<Row[]>,
      handle: (row: Row) => Promise<void>,
    ) =>
      rows.run(
        {
          name,
          find,
          idOf: ({ _id }) => _id,
          handle: async (row) => {
            await handle(row);
            return 1;
          },
        },
        'kept',
      );
    return (
      (await of(
        'ended clients',
        (without) => deps.oauthRows.noLongerValid(without),
        (row) => endClient(deps, row),
      )) +
      (await of(
        'keys of ended clients',
        (without) => deps.keys.withoutGrant(without),
        (row) => endKey(deps, row),
      )) +
      (await of(
        'ended operator tokens',
        (without) => deps.operatorTokens.noLongerValid(without),
        (row) => endToken(deps, row),
      ))
    );
  });

const endClient = async (deps: Deps, grant: OAuthGrantRow): Promise<void> => {
  const member = grant.member_id === undefined ? await memberOf(deps, grant) : null;
  if (member === null) return grantEnder(deps, deps.shell)(grant._id, 'its person may not');
  await deps.oauthRows.nameMember(grant, member);
};

/** As which member a person allowed a client: somebody removed since and invited again is another member. */
const memberOf = async (
  { workspaces, people }: Deps,
  { ws, granted_by, created_at }: OAuthGrantRow,
): Promise<string | null> => {
  const workspace = await workspaces.byId(ws);
  const person = granted_by.replace('person:', '');
  const member = workspace === null ? null : await people.members.in(workspace.brand_id, person);
  return member !== null && member.created_at <= created_at ? member._id : null;
};

const endKey = async (deps: Deps, key: ListedKey): Promise<void> => {
  const { store, audit } = deps.shell;
  const at = await store.now();
  const end = await ending(deps, { grants: [], keys: [key] }, { actor: 'system', at });
  await inTx(store, Deadline.in(ONE_MS), async (tx) => {
    await end.save(tx);
    await audit.add(tx, end.audit, at);
  });
  await applied(deps, [key.ws]);
};

const endToken = async ({ operatorTokens, shell }: Deps, row: OperatorTokenRow): Promise<void> => {
  const maker = row.made_by === undefined ? await makerOf(shell, operatorTokens, row) : null;
  if (maker !== null) return operatorTokens.nameMaker(row, maker);
  const at = await shell.store.now();
  await inTx(shell.store, Deadline.in(ONE_MS), async (tx) => {
    await operatorTokens.revoke(tx, row, at);
    const entry = { ws: '', actor: 'system', action: 'token.revoked', object: row.token_id };
    await shell.audit.add(tx, [{ ...entry, payload: { name: row.name } }], at);
  });
};

const makerOf = async (
  { audit }: Deps['shell'],
  operatorTokens: OperatorTokens,
  { token_id }: OperatorTokenRow,
): Promise<MadeBy | null> => {
  const entry = await audit.rows.findOne({ ws: '', action: 'token.made', object: token_id });
  const id = entry?.actor.replace('operator:', '');
  if (id === undefined) return null;
  if (id === 'configured') return { person: null, tokens: [] };
  const token = await operatorTokens.byId(id);
  return token === null
    ? { person: id, tokens: [] }
    : { person: token.made_by?.person ?? null, tokens: [...(token.made_by?.tokens ?? []), id] };
};
