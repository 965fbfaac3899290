/** Signs in the owner of a seeded brand as a person does, by the link of a message. */
import { openMailbox } from './mailbox.ts';
import type { Stack } from './stack.ts';

export async function ownerSession(stack: Pick<Stack, 'appUrl' | 'relayToken'>, brand: string) {
  const email = `owner@${brand}.example`;
  await post(stack.appUrl, '/api/brand/sign-in', { email });
  const { link } = await openMailbox(stack, email).waitForLink('sign_in');
  const token = link.split('/').at(-1);
  const { headers } = await post(stack.appUrl, '/api/brand/session', { token });
  return (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

async function post(appUrl: string, path: string, body: object) {
  const answer = await fetch(`${appUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: appUrl },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
