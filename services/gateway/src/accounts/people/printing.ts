import type { Shell } from '@cds/service';
import type { PeopleModule } from './module.js';
import type { MessageRow } from './store/messages.js';

type Printing = Pick<Shell<'gateway'>, 'config' | 'log'>;

/** How a development start shows messages, which no mail server delivers there; nothing elsewhere. */
export const printing = ({ config, log }: Printing) =>
  config.env === 'development'
    ? ({ kind, to, subject }: MessageRow, link: string | null) => log.info({ kind, to, subject, link }, 'a message')
    : () => undefined;

/** Only in development: elsewhere a log has more readers than whoever installs. */
export const printFirstLead = async (
  { operators }: Pick<PeopleModule, 'operators'>,
  { config, log }: Printing,
): Promise<void> => {
  if (config.env !== 'development') return;
  const link = await operators.linkForFirstLead();
  if (link !== null) log.warn({ link }, 'open this link once to become the first lead of the operator team');
};
