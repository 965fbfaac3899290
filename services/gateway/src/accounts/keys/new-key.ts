import { type AppError, conflict } from '@cds/contracts';
import { type Outcome, opened, RecordedOutcome } from '@cds/service';
import { MAX_ACTIVE_KEYS } from './domain/constants.js';
import type { KeyChanges } from './store/key-changes.js';
import type { Keys } from './store/keys.js';
import type { ShownSecrets } from './store/shown-secrets.js';

/** Refuses another active key in a full workspace. What is committed counts, also a key revived at that moment. */
export const mustHaveRoom = async (
  { keys, keyChanges }: { keys: Pick<Keys, 'countActive'>; keyChanges: Pick<KeyChanges, 'apply' | 'pending'> },
  ws: string,
  now: Date,
): Promise<void> => {
  await keyChanges.apply(await keyChanges.pending(ws, []));
  if ((await keys.countActive(ws, now)) >= MAX_ACTIVE_KEYS) throw tooMany();
};

/**
 * The answer of a write that made a key, with the key's text: the record has none, it is stored apart, encrypted, for
 * ten minutes. `gone` says what to do when these are over.
 */
export const withSecret = async (
  outcome: Outcome & { ok: true },
  secrets: Pick<ShownSecrets, 'of'>,
  command: string,
  now: Date,
  gone: string = KEY_SECRET_GONE,
): Promise<RecordedOutcome> => {
  const secret = await secrets.of(command, now);
  if (secret === null) throw conflict('secret_gone', gone);
  return new RecordedOutcome({ ...outcome, json: opened(outcome.json, [['secret']], secret) });
};

const tooMany = (): AppError =>
  conflict(
    'too_many_keys',
    `This workspace already has ${MAX_ACTIVE_KEYS} active keys, the most it can have. Revoke one that is no longer used.`,
  );

const KEY_SECRET_GONE =
  'This key was made more than ten minutes ago, and its secret is shown no more. If nobody kept it, revoke the key and make another.';
