import type { Shell } from '@cds/service';
import type { Logger } from 'pino';
import type { MessageRow } from '../store/messages.js';
import type { PeopleModule } from './module.js';

/** How a development start shows messages, which no mail server delivers there; nothing elsewhere. */
export const printing = ({ config, log }: Pick<Shell<'gateway'>, 'config' | 'log'>) =>
  config.env === 'development'
    ? ({ kind, to, subject }: MessageRow, link: string | null) => log.info({ kind, to, subject, link }, 'a message')
    : () => undefined;

/** Prints the one-time link of the first lead, when there is nobody in the operator's team yet. */
export const printFirstLead = async (
  { operators }: Pick<PeopleModule, 'operators'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> => {
  const link = await operators.linkForFirstLead();
  if (link !== null) log.warn({ link }, 'open this link once to become the first lead of the operator team');
};
