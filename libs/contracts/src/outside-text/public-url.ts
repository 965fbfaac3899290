import { z } from 'zod';
import { hiddenIn } from '../hidden.js';
import { saying } from '../input.js';
import { mixesLookalikes } from '../names.js';
import { textKinds } from './kinds.js';
import { isLatinLookalike } from './skeleton.js';

/** Host names that are internal to a machine, a local network or a cluster. */
const INTERNAL = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|arpa|test|invalid|onion|svc)$/;
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** The scheme and the host with its port, as they were written; credentials and backslashes do not fit. */
const WRITTEN = /^(https?):\/\/([^/?#\\@\s]+)(?=$|[/?#])[^\s\\]*$/i;

/** Whether a text is an absolute URL of a public host name, without credentials. */
const isPublicUrl = (text: string, schemes: readonly string[]): boolean => {
  const [, scheme = '', host = ''] = WRITTEN.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase()) || !/^[\p{L}\p{M}\p{N}._:-]+$/u.test(host) || !URL.canParse(text))
    return false;
  const { hostname } = new URL(text);
  return NAME.test(hostname) && !INTERNAL.test(hostname);
};

/** Whether a part of a host name could be read as another: of two scripts, of lookalikes alone, or with a dotless i. */
const deceives = (label: string): boolean => {
  const foreign = [...label].filter((character) => /(?!\p{Script=Latin})\p{L}/u.test(character));
  return (
    (foreign.length > 0 && /\p{Script=Latin}/u.test(label)) ||
    mixesLookalikes(label) ||
    label.includes('ı') ||
    (foreign.length > 0 && foreign.every(isLatinLookalike))
  );
};

/** A URL as people are shown it: as it was written, with its host in ASCII where that could be read as another. */
const shown = (text: string): string =>
  text.replace(WRITTEN, (url, _scheme, host: string) =>
    host.split('.').some(deceives) ? url.replace(host, new URL(url).host) : url,
  );

type Opened = { max: number; schemes?: readonly string[]; accepts?: string };

/** The address of a page that people open (docs/domain/requests.md#text). */
export const publicUrlInput = ({ max, schemes = ['https'], accepts }: Opened) => {
  const error = saying(
    accepts ?? `must be an https URL of a public host name, without credentials, at most ${max} characters`,
  );
  return z
    .string({ error })
    .trim()
    .max(max, { error })
    .refine((text) => hiddenIn(text) === null && isPublicUrl(text, schemes), { error })
    .overwrite((text) => (isPublicUrl(text, schemes) ? shown(text) : text))
    .meta({ minLength: 1, maxLength: max })
    .register(textKinds, { kind: 'url' });
};
