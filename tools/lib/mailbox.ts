/** What a person is mailed: messages of a development start wait for the mail relay, whose part is taken here. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.ts';

const PAGE = 200;
const POLL_MS = 200;
const LIMIT_MS = 60_000;

export type Message = { id: string; kind: string; to: string; subject: string; text: string; link: string | null };

export function openMailbox(where: { appUrl: string; relayToken: string }, address: string) {
  const received = async (): Promise<Message[]> => {
    const mine = [];
    let cursor = '';
    do {
      const { items, next } = await waitingMessages(where, cursor);
      mine.push(...items.filter(({ to }) => to === address));
      cursor = next ?? '';
    } while (cursor);
    return mine;
  };
  const wait = async (kind: string): Promise<Message> => {
    for (const end = performance.now() + LIMIT_MS; ; await delay(POLL_MS)) {
      const message = (await received()).findLast((one) => one.kind === kind);
      if (message) return message;
      if (performance.now() > end)
        throw new Failure(`No message "${kind}" arrived for ${address} within ${LIMIT_MS / 1000} s.`, [
          'Read logs/gateway.log in the home folder',
        ]);
    }
  };
  return {
    wait,
    async waitForLink(kind: string) {
      const message = await wait(kind);
      if (message.link === null)
        throw new Failure(`The link of the message "${message.subject}" cannot be read: its seal key is gone.`, [
          'Put the former key back into seal_keys in secrets.json of the home folder',
        ]);
      return { ...message, link: message.link };
    },
  };
}

async function waitingMessages(
  { appUrl, relayToken }: { appUrl: string; relayToken: string },
  cursor: string,
): Promise<{ items: Message[]; next: string | null }> {
  const query = `limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
  const answer = await fetch(`${appUrl}/api/relay/messages?${query}`, {
    headers: { authorization: `Bearer ${relayToken}` },
  });
  if (answer.ok) return (await answer.json()) as { items: Message[]; next: string | null };
  throw new Failure(
    `The mail relay was answered ${answer.status}.`,
    ['npm start without CDS_SMTP_URL  (with it, messages are handed to that mail server alone)'],
    [(await answer.text()).slice(0, 400)],
  );
}
