import { z } from 'zod';
import { publicText, Uuid } from '../fields.js';
import { closed, emailInput, stringInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { ofPeople } from '../operation-kinds.js';
import { queryBoolean } from '../query.js';
import { BRAND_ROLES } from '../roles.js';
import { rights } from './made-rights.js';

/** The token of a sign-in link: what follows `/sign-in/` (docs/domain/sign-in.md#sign-in). */
export const linkToken = () => stringInput('must be the token of a sign-in link').min(1).max(128);

const WorkspaceOfPerson = z.object({
  id: Uuid,
  name: publicText(),
  kind: z.enum(['live', 'sandbox']),
  brand: publicText(),
  role: z.enum(BRAND_ROLES),
});

/** Who is signed in, where, and where else that person may go (docs/domain/sign-in.md#sign-in). */
export const Me = z
  .object({
    person: z.object({ id: Uuid, email: publicText() }),
    role: z.enum(BRAND_ROLES),
    workspace: WorkspaceOfPerson.omit({ role: true }),
    /** The brand's: an approved one, or one that is suspended meanwhile. */
    status: z.enum(['approved', 'suspended']),
    workspaces: z.array(WorkspaceOfPerson),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

/** The answer to a request for a link, the same for every address (docs/domain/sign-in.md#sign-in). */
export const LinkSent = z.object({ status: z.literal('sent') });

export const visitorOperation = {
  audience: 'visitor',
  scope: null,
  effect: 'write',
  idempotency: 'optional',
  // An answer with a session is stored nowhere, and the others are the same for everyone.
  ownRecord: true,
} as const;

export const sessionOperations = defineOperations('gateway', {
  sign_in: {
    ...visitorOperation,
    rest: { method: 'POST', path: '/api/brand/sign-in', root: 'app' },
    summary: 'Sends a sign-in link to the address if somebody may sign in with it. The answer never says so.',
    body: closed({ email: emailInput() }),
    output: LinkSent,
    success: 202,
  },
  session_start: {
    ...visitorOperation,
    rest: { method: 'POST', path: '/api/brand/session', root: 'app' },
    summary: 'Starts a session with the token of a sign-in link, and sets its cookie.',
    body: closed({ token: linkToken() }),
    output: Me,
  },
  session_end: {
    ...ofPeople,
    rest: { method: 'DELETE', path: '/api/brand/session', root: 'app' },
    atLeast: 'viewer',
    effect: 'write',
    idempotency: 'optional',
    ownRecord: true,
    summary: 'Ends the session.',
    output: z.null(),
    success: 204,
  },
  sessions_end: {
    ...ofPeople,
    rest: { method: 'DELETE', path: '/api/brand/sessions', root: 'app' },
    atLeast: 'viewer',
    effect: 'write',
    idempotency: 'optional',
    ownRecord: true,
    summary: 'Ends every session of the person, this one too. The answer names what goes on without one.',
    query: closed({
      end_clients: queryBoolean()
        .optional()
        .describe('Also ends the clients that the person signed in, with the keys that these made. Default: false.'),
    }),
    output: z.object(rights()).meta({ id: 'EndedSessions' }),
  },
  session_workspace_set: {
    ...ofPeople,
    rest: { method: 'PUT', path: '/api/brand/session/workspace', root: 'app' },
    atLeast: 'viewer',
    effect: 'write',
    idempotency: 'optional',
    ownRecord: true,
    summary: "Changes the session's workspace to another one of the person's brands.",
    body: closed({ workspace: uuidInput() }),
    output: Me,
  },
  me_get: {
    ...ofPeople,
    rest: { method: 'GET', path: '/api/brand/me', root: 'app' },
    atLeast: 'viewer',
    effect: 'read',
    summary: 'Returns who is signed in, with which role and in which workspace.',
    output: Me,
  },
});
