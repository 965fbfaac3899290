import type { BaseShell, Sweep } from '@cds/service';
import type { KeyChanges } from '../store/key-changes.js';

/** How soon a change of a key is made that whoever committed it did not make, in milliseconds. */
const EVERY_MS = 1_000;

/** Makes the changes of keys that a crash or an absent database left between their commit and their keys. */
export const leftKeyChanges = (changes: Pick<KeyChanges, 'makeLeft'>, log: BaseShell['log']): Sweep => ({
  name: 'key changes',
  everyMs: EVERY_MS,
  run: (_time, only) =>
    changes.makeLeft(only, (err) => log.warn({ err }, 'a change of a key could not be made; it is tried again')),
});
