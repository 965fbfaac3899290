import { randomUUID } from 'node:crypto';
import type { BrandRole } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { addMember } from '../accounts/people/add-member.js';
import type { From } from '../accounts/people/domain/sign-in-from.js';
import type { Brand, EdgeApp } from './edge-app.js';
import { ask } from './http.js';

/** A signed-in person: `cookie` is a whole Cookie header. */
export type SignedIn = { cookie: string; person_id: string; email: string };

/** The cookie that an answer sets, as a client sends it back. */
export const cookieOf = (headers: Headers): string => (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';

/** Where a link was asked for that a test makes by itself. */
export const ELSEWHERE: From = { address: '198.51.100.9', user_agent: 'curl/8.5.0' };

let people = 0;

/** Makes a person a member of the brand, and signs in with a link, as a person does. */
export const signIn = async (
  edge: Pick<EdgeApp, 'url' | 'shell' | 'people'>,
  brand: Pick<Brand, 'workspaces'>,
  role: BrandRole = 'owner',
): Promise<SignedIn> => {
  people += 1;
  const email = `${role}-${people}-${randomUUID().slice(0, 8)}@people.example`;
  const { store } = edge.shell;
  const now = await store.now();
  const workspace = await edge.people.workspaces.byId(brand.workspaces.live);
  if (workspace === null) throw new Error('the brand has no live workspace');
  let id = '';
  await inTx(store, Deadline.in(30_000), async (tx) => {
    const wanted = { brandId: workspace.brand_id, email, name: '', role, actor: 'a test' };
    id = (await addMember(tx, edge.people, wanted, now)).person_id;
  });
  return { cookie: await startSession(edge, email), person_id: id, email };
};

/** A session of a known address, by a link that was never sent. */
export const startSession = async (edge: Pick<EdgeApp, 'url' | 'people'>, email: string): Promise<string> => {
  const token = await edge.people.auth.linkFor(email, ELSEWHERE);
  const started = await ask(edge.url, '/api/brand/session', { method: 'POST', body: { token } });
  if (started.status !== 200) throw new Error(`no session: ${started.status} ${started.text}`);
  return cookieOf(started.headers);
};
