import { ofNetwork, type Sweep } from '@cds/service';
import { createTransport, type Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { MessageRow, Messages } from './store/messages.js';

export type MailConfig = { smtpUrl: string; from: string; appUrl: string };

const LEASE_MS = 60_000;
const CONNECT_MS = 5_000;
const ANSWER_MS = 15_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** One line without control characters, which could end a header and begin another. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const mailOf = (row: MessageRow, link: string | null, { from, appUrl }: MailConfig) => ({
  from,
  to: { name: '', address: oneLine(row.to) },
  subject: oneLine(row.subject),
  text: link === null ? row.text : `${row.text}\n\n${link}\n`,
  messageId: `<${row._id}@${new URL(appUrl).hostname}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
});

/** Delivers each message at least once; after a crash again under the same Message-ID, so that it shows once. */
export class Mail {
  private readonly transport: Transporter;

  constructor(
    private readonly messages: Pick<Messages, 'due' | 'take' | 'delivered' | 'postpone' | 'linkOf'>,
    private readonly config: MailConfig,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.transport = createTransport({
      url: config.smtpUrl,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as never);
  }

  /** Delivers what is due, and returns how many messages the mail server took. */
  async deliver(): Promise<number> {
    let sent = 0;
    for (const row of await this.messages.due()) if (await this.deliverOne(row)) sent += 1;
    return sent;
  }

  close(): void {
    this.transport.close();
  }

  private async deliverOne(row: MessageRow): Promise<boolean> {
    if (!(await this.messages.take(row, LEASE_MS))) return false;
    try {
      await this.transport.sendMail(mailOf(row, this.messages.linkOf(row), this.config));
    } catch (error) {
      // An error of the mail server repeats the address, which the log does not get.
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
      this.log.warn({ message: row._id, tries: row.tries + 1, code }, 'the mail server did not take a message');
      await this.messages.postpone(row._id, Math.min(FIRST_PAUSE_MS * 2 ** row.tries, LONGEST_PAUSE_MS));
      return false;
    }
    await this.messages.delivered(row._id);
    return true;
  }
}

export const mailSweep = (mail: Pick<Mail, 'deliver'>): Sweep => ofNetwork('mail', 1_000, () => mail.deliver());
