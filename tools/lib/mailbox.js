/**
 * What a person is mailed. A development start has no mail server: its messages stay in the operators' list, where
 * their links can be read.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.js';

const PAGE = 200;
const POLL_MS = 200;
const LIMIT_MS = 60_000;

/** @typedef {{ id: string, kind: string, to: string, subject: string, text: string, link: string | null }} Message */

/**
 * @param {import('./seed.js').Ops} ops
 * @param {string} address
 */
export function openMailbox(ops, address) {
  /** @returns {Promise<Message[]>} */
  const received = async () => {
    const mine = [];
    let cursor = '';
    do {
      const { body } = await ops('GET', `/messages?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      mine.push(...body.items.filter((/** @type {Message} */ { to }) => to === address));
      cursor = body.next ?? '';
    } while (cursor);
    return mine;
  };
  /**
   * Waits for a message of a kind, and returns the newest; the list begins with the oldest.
   * @param {string} kind
   * @returns {Promise<Message>}
   */
  const wait = async (kind) => {
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
    /**
     * Waits for a message with a link.
     * @param {string} kind
     */
    async waitForLink(kind) {
      const message = await wait(kind);
      if (message.link === null)
        throw new Failure(`The message "${message.subject}" shows no link: it was handed to a mail server.`, [
          "npm start without CDS_SMTP_URL  (messages then stay in the operators' list)",
        ]);
      return { ...message, link: message.link };
    },
  };
}
