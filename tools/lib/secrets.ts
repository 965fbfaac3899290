import { createHmac, createPrivateKey, createPublicKey, randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Home, readJson, writeJson, writePrivate } from './home.ts';
import type { SeededWorkspace } from './seed.ts';

export type Secrets = ReturnType<typeof openSecrets>;

// Begins with a letter and has letters and digits only: configurations of NATS read a bare number as one.
const password = () => `p${randomBytes(24).toString('hex')}`;
const key = () => randomBytes(32).toString('base64');

const MAKERS = {
  master: key,
  mongodb_key_file: () => randomBytes(192).toString('base64'),
  mongodb_root_password: password,
  nats_root_password: password,
  ops_token: () => makeToken('cds_ops_'),
  relay_token: () => makeToken('cds_relay_'),
  key_peppers: () => ({ 1: key() }),
  seal_keys: () => ({ 1: key() }),
  sandbox_rail_secret: key,
  pay_token_keys: () => ({ 1: key() }),
  pay_form_key: key,
  receipt_keys: () => ({ 1: key() }),
  creator_link_keys: () => ({ 1: key() }),
};

type Made = { [Name in keyof typeof MAKERS]: ReturnType<(typeof MAKERS)[Name]> };
type Values = Made & { service_passwords: Record<string, string>; workspaces?: SeededWorkspace[] };

/** Every random value that must survive restarts. `made`: the file was missing, so beside data it was lost. */
export function openSecrets(home: Home) {
  const file = home.at('secrets.json');
  const stored = readJson<Partial<Values>>(file);
  const made = Object.entries(MAKERS).map(([name, make]) => [name, stored?.[name as keyof Values] ?? make()]);
  const values: Values = { ...stored, ...Object.fromEntries(made), service_passwords: stored?.service_passwords ?? {} };
  const save = () => writeJson(file, values);
  if (JSON.stringify(values) !== JSON.stringify(stored)) save();

  return {
    file,
    made: stored === undefined,
    values,
    /** One password per service user, the same one for the database and the bus. */
    servicePassword(name: string): string {
      if (!values.service_passwords[name]) {
        values.service_passwords[name] = password();
        save();
      }
      return values.service_passwords[name];
    },
    /** The key with which one service signs its requests to another, which verifies them with it. */
    contextKey: (issuer: string, audience: string) =>
      createHmac('sha256', Buffer.from(values.master, 'base64')).update(`ctx:${issuer}>${audience}`).digest('base64'),
    auditKey: (service: string) => auditKey(values.master, service),
    workspaces: (): SeededWorkspace[] => values.workspaces ?? [],
    saveWorkspaces(workspaces: SeededWorkspace[]) {
      values.workspaces = workspaces;
      save();
    },
  };
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function random62(length: number) {
  return Array.from({ length }, () => ALPHABET[randomInt(62)]).join('');
}

function checksum62(text: string) {
  let rest = crc32(text);
  let digits = '';
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = ALPHABET[rest % 62] + digits;
  return digits.padStart(6, '0');
}

/** Prefix, 12 characters of public id, 43 of secret, 6 of checksum over all before it. */
function makeToken(prefix: string) {
  const head = `${prefix}${random62(12)}_${random62(43)}`;
  return head + checksum62(head);
}

/** PKCS #8 of an Ed25519 key is this and the 32 bytes of its seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key with which a service signs its audit: PKCS #8 in DER, in base64. */
function auditKey(master: string, service: string) {
  const seed = createHmac('sha256', Buffer.from(master, 'base64')).update(`audit:${service}`).digest();
  return Buffer.concat([PKCS8, seed]).toString('base64');
}

const publicPem = (key: string) =>
  createPublicKey(createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })).export({
    format: 'pem',
    type: 'spki',
  });

/** Writes the public keys of all services beside the checkpoints, for `npm run audit:verify -- --public-key`. */
export function writePublicKeys(home: Home, keys: readonly string[]) {
  writePrivate(join(home.folder('audit'), 'public-keys.pem'), keys.map(publicPem).join(''));
}
