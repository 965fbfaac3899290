import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SERVICES } from '@cds/contracts';
import { bundleOf } from '../../tools/lib/bundle.js';
import { REPOSITORY } from '../../tools/lib/home.js';

/** The field that the next version adds to its events. */
export const ADDED = 'added_by_the_next_version';

type Edit = { from: RegExp; to: string };

/** The next version declares the field as optional for one event, which is read with it, and sends it with each. */
const EDITS: readonly Edit[] = [
  {
    from: /(name:\s*"campaign\.changed",\s*service:[^(]*payload:\s*external_exports\.object\(\s*\{)/g,
    to: `$1${ADDED}:external_exports.string().optional(),`,
  },
  {
    from: /payload:\s*event\.payload,\s*state:\s*"new"/g,
    to: `payload:{...event.payload,${ADDED}:"of the next version"},state:"new"`,
  },
];

const edited = (source: string, service: string): string =>
  EDITS.reduce((text, { from, to }) => {
    const found = text.match(from)?.length ?? 0;
    if (found !== 1) throw new Error(`${from} fits the bundle of ${service} ${found} times`);
    return text.replace(from, to);
  }, source);

/** Makes the next version of every service, beside the bundle of this one; answers its entry by the service's name. */
export const makeNextVersion = (): ((service: string) => string) => {
  const entryOf = (service: string): string => join('services', service, 'dist', 'next', 'main.js');
  for (const service of SERVICES) {
    const file = join(REPOSITORY, entryOf(service));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, edited(readFileSync(join(REPOSITORY, bundleOf(service)), 'utf8'), service));
  }
  return entryOf;
};
