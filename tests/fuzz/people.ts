import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { MongoClient } from 'mongodb';
import { openMailbox } from '../../tools/lib/mailbox.js';
import { ask, type SharedStack } from '../support/stack.js';

export type Cookie = string;

const AUDIENCES = {
  brand: { sign_in: 'sign_in', start: 'session_start', rows: 'sessions' },
  operator: { sign_in: 'ops_sign_in', start: 'ops_session_start', rows: 'operator_sessions' },
} as const;
export type Signed = keyof typeof AUDIENCES;

export const linkOf = async (stack: SharedStack, audience: Signed, email: string): Promise<string> => {
  const { sign_in: asks } = AUDIENCES[audience];
  const answer = await ask(stack, null, asks, { email });
  if (answer.status !== 202) throw new Error(`${asks} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const { link } = await openMailbox(stack, email).waitForLink(asks);
  return link.split('/').at(-1) ?? '';
};

export const signIn = async (stack: SharedStack, audience: Signed, email: string): Promise<Cookie> => {
  const { start } = AUDIENCES[audience];
  const answer = await ask(stack, null, start, { token: await linkOf(stack, audience, email) });
  if (answer.status !== 200) throw new Error(`${start} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
};

const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Another session of the same person in the same workspace, for a request that may end it. */
export const copyOf = async (
  stack: SharedStack,
  mongo: MongoClient,
  audience: Signed,
  cookie: Cookie,
): Promise<Cookie> => {
  const [name = '', token = ''] = cookie.split(/=(.*)/s);
  const rows = mongo.db(`${stack.prefix}cds_gateway`).collection<{ _id: string }>(AUDIENCES[audience].rows);
  const row = await rows.findOne({ token: tokenHash(token) });
  if (row === null) throw new Error(`a ${audience}'s session has ended that others need`);
  const fresh = randomBytes(24).toString('base64url');
  await rows.insertOne({ ...row, _id: randomUUID(), token: tokenHash(fresh) } as never);
  return `${name}=${fresh}`;
};
