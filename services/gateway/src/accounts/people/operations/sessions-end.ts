import { actorOf, type WriteHandler, type WriteShell } from '@cds/service';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../../../edge/port.js';
import { grantEnder } from '../../oauth/end-grant.js';
import { applied } from '../../rights/ending.js';
import { type MemberRightsDeps, NOTHING, presentRights, signOutEnds } from '../../rights/made-by-member.js';

type Deps = MemberRightsDeps & { shell: WriteShell };

/**
 * Ends the other sessions first, since one may be a thief's, then the clients, and this session last, so that a person
 * whose request failed can send it again (docs/domain/sign-in.md#sign-in). Raises unavailable.
 */
export const sessionsEnd: WriteHandler<'sessions_end', Deps> = async (ctx, input, deps) => {
  const { people, keys, workspaces, shell } = deps;
  const { id = '', session = '' } = ctx.principal.person ?? {};
  const members = await people.members.ofPerson(id);
  const endGrant = grantEnder(deps, shell);
  const endClients = async () => {
    const { ends, stays } = await signOutEnds(members, input.end_clients ?? false, deps);
    const children = (await Promise.all(ends.grants.map((grant) => keys.madeThrough(grant)))).flat();
    for (const { _id } of ends.grants) await endGrant(_id, 'signed out', actorOf(ctx));
    return { grants: ends.grants, children, stays };
  };

  await people.sessions.endOthersOf(id, session);
  const ended = await endClients();
  // A retry finds no client that has ended, but what it had in progress.
  const all = input.end_clients ? await workspaces.ofBrands(members.map(({ brand_id }) => brand_id)) : [];
  await applied(
    deps,
    all.map(({ _id }) => _id),
  );
  await people.sessions.endAllOf(id);
  // What a request of this session let a client do meanwhile.
  const late = await endClients();

  setCookie(ctx, sessionCookie(people.appUrl, SESSION_COOKIE, '', 0));
  const ends = { ...NOTHING, grants: [...ended.grants, ...late.grants] };
  return presentRights({ ends, stays: late.stays }, [...ended.children, ...late.children], deps);
};
