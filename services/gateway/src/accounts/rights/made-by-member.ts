import type { BrandRole, MadeRight } from '@cds/contracts';
import { type Ctx, LostRace, type Tx } from '@cds/service';
import type { ListedKey } from '../keys/store/keys.js';
import type { OAuthGrantRow } from '../oauth/store/oauth-rows.js';
import type { PeopleModule } from '../people/module.js';
import type { MemberRow } from '../people/store/members.js';
import { rolesThatMay } from './domain/roles-that-may.js';
import { applied, type EndedBy, type Ending, type EndingDeps, ending } from './ending.js';

type MadeWebhook = { _id: string; ws: string; url: string };

/** The webhook endpoints that people made, which end with their rights if somebody says so. */
export type MadeWebhooks = {
  madeBy: (workspaces: readonly string[], actor: string) => Promise<MadeWebhook[]>;
  /** Removes an endpoint with what waits for it. Raises LostRace. */
  remove: (tx: Tx, row: MadeWebhook) => Promise<void>;
};

export type MemberRightsDeps = EndingDeps & { people: PeopleModule; madeWebhooks: MadeWebhooks };

type Made = {
  grants: OAuthGrantRow[];
  invitations: MemberRow[];
  members: MemberRow[];
  keys: ListedKey[];
  webhooks: MadeWebhook[];
};

export const NOTHING: Made = { grants: [], invitations: [], members: [], keys: [], webhooks: [] };

/** What becomes of it once the member has this role, or none: `ends` and `stays` together are everything. */
export type MemberEnds = { member: MemberRow; ends: Made; stays: Made };

const madeBy = async (member: MemberRow, ids: readonly string[], deps: MemberRightsDeps): Promise<Made> => {
  const actor = `person:${member.person_id}`;
  const [grants, invitations, members, keys, webhooks] = await Promise.all([
    deps.oauthRows.grantsOf(member._id),
    deps.people.members.invitedBy(member.brand_id, actor),
    deps.people.members.joinedBy(member.brand_id, actor),
    deps.keys.madeBy(ids, actor),
    deps.madeWebhooks.madeBy(ids, actor),
  ]);
  return { grants, invitations, members, keys, webhooks };
};

/**
 * Which of a member's rights end with a role that could not have made them. Keys and webhook endpoints are the brand's,
 * and end only with `endMade`; members whom they invited stay.
 */
export const memberEnds = async (
  member: MemberRow,
  to: BrandRole | null,
  endMade: boolean,
  deps: MemberRightsDeps,
): Promise<MemberEnds> => {
  const workspaces = (await deps.workspaces.ofBrand(member.brand_id)).map(({ _id }) => _id);
  const made = await madeBy(member, workspaces, deps);
  const lost = (what: Parameters<typeof rolesThatMay>[0]): boolean => to === null || !rolesThatMay(what).includes(to);
  const [clients, invitations] = [lost('client'), lost('invitation')];
  const pick = (ends: boolean): Made => ({
    grants: clients === ends ? made.grants : [],
    invitations: invitations === ends ? made.invitations : [],
    members: ends ? [] : made.members,
    keys: endMade === ends ? made.keys : [],
    webhooks: endMade === ends ? made.webhooks : [],
  });
  return { member, ends: pick(true), stays: pick(false) };
};

/** What ends as a person signs out everywhere: clients without a token yet, or every client (`clients`). */
export const signOutEnds = async (
  members: readonly MemberRow[],
  clients: boolean,
  deps: MemberRightsDeps,
): Promise<Pick<MemberEnds, 'ends' | 'stays'>> => {
  const each = await Promise.all(members.map((member) => memberEnds(member, member.role, false, deps)));
  const made = each.map(({ stays }) => stays);
  const [ends, stays] = [true, false].map((end) =>
    made.flatMap(({ grants }) => grants.filter(({ renewed_at }) => (clients || renewed_at === null) === end)),
  );
  return {
    ends: { ...NOTHING, grants: ends ?? [] },
    stays: {
      grants: stays ?? [],
      invitations: made.flatMap(({ invitations }) => invitations),
      members: made.flatMap((one) => one.members),
      keys: made.flatMap(({ keys }) => keys),
      webhooks: made.flatMap(({ webhooks }) => webhooks),
    },
  };
};

export const memberEnding = async (
  { member, ends, stays }: MemberEnds,
  by: EndedBy,
  ws: string,
  deps: MemberRightsDeps,
): Promise<Ending> => {
  const { people, madeWebhooks } = deps;
  const end = await ending(deps, ends, by);
  return {
    ...end,
    save: async (tx: Tx) => {
      await end.save(tx);
      // The owners are locked: invitations sent since the decision show, and later ones are refused.
      const sent = await people.members.invitedBy(member.brand_id, `person:${member.person_id}`, tx);
      if (sent.length !== ends.invitations.length + stays.invitations.length) throw new LostRace('invitations');
      for (const invited of ends.invitations) await people.members.remove(tx, invited);
      for (const row of ends.webhooks) await madeWebhooks.remove(tx, row);
    },
    audit: [
      ...end.audit,
      ...ends.invitations.map(({ _id, person_id: person, role }) => ({
        ws,
        actor: by.actor,
        action: 'member.removed',
        object: _id,
        payload: { person, role },
      })),
      ...ends.webhooks.map((row) => ({
        ws: row.ws,
        actor: by.actor,
        action: 'webhook.removed',
        object: row._id,
        payload: {},
      })),
    ],
  };
};

export const presentRights = async (
  { ends, stays }: Pick<MemberEnds, 'ends' | 'stays'>,
  children: readonly ListedKey[],
  { people }: Pick<MemberRightsDeps, 'people'>,
): Promise<{ ended: MadeRight[]; stays: MadeRight[] }> => {
  const invited = [...ends.invitations, ...stays.invitations, ...stays.members].map(({ person_id }) => person_id);
  const emails = new Map((await people.people.all(invited)).map(({ _id, email }) => [_id, email]));
  const ofPerson = (kind: 'invitation' | 'member', { _id: id, person_id }: MemberRow): MadeRight => {
    return { kind, id, name: emails.get(person_id) ?? '', workspace: null };
  };
  const present = ({ grants, invitations, members, keys, webhooks }: Made): MadeRight[] => [
    ...grants.map((one) => ({ kind: 'client' as const, id: one._id, name: one.client_name, workspace: one.ws })),
    ...invitations.map((one) => ofPerson('invitation', one)),
    ...members.map((one) => ofPerson('member', one)),
    ...keys.map((one) => ({ kind: 'key' as const, id: one.key_id, name: one.name, workspace: one.ws })),
    ...webhooks.map((one) => {
      return { kind: 'webhook' as const, id: one._id, name: new URL(one.url).host, workspace: one.ws };
    }),
  ];
  const own = new Set(ends.keys.map(({ key_id }) => key_id));
  const through = children.filter(({ key_id }) => !own.has(key_id));
  return {
    ended: [...present(ends), ...present({ ...NOTHING, keys: through })],
    stays: present(stays).filter(({ id }) => !children.some(({ key_id }) => key_id === id)),
  };
};

/** Applies what ended to the keys of the brand: after the commit, and again when the write is replayed. */
export const appliedIn = async (ctx: Ctx, deps: MemberRightsDeps): Promise<void> => {
  const here = await deps.workspaces.byId(ctx.principal.workspace);
  const all = here === null ? [] : await deps.workspaces.ofBrand(here.brand_id);
  await applied(
    deps,
    all.map(({ _id }) => _id),
  );
};
