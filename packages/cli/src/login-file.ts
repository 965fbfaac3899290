import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A key, and the one address that it is sent to. */
export type KeyLogin = { url: string; key: string };

/** A sign-in by browser: tokens that act as the key which the person chose, and the one address they are sent to. */
export type SignIn = {
  url: string;
  clientId: string;
  accessToken: string;
  /** When the access token ends by this machine's clock, in milliseconds. */
  endsAt: number;
  /** Works once, for the next pair of tokens. */
  refreshToken: string;
  scope: string;
};

export type Login = KeyLogin | SignIn;

export const isSignIn = (login: Login): login is SignIn => 'refreshToken' in login;

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

export const loginFile = (folder: string): string => join(folder, 'login.json');

const TEXTS_OF_SIGN_IN = ['url', 'clientId', 'accessToken', 'refreshToken', 'scope'] as const;

const loginIn = (value: unknown): Login | null => {
  const found = (value ?? {}) as Partial<Record<keyof KeyLogin | keyof SignIn, unknown>>;
  if (typeof found.url === 'string' && typeof found.key === 'string') return { url: found.url, key: found.key };
  const whole = TEXTS_OF_SIGN_IN.every((name) => typeof found[name] === 'string') && typeof found.endsAt === 'number';
  return whole ? (found as SignIn) : null;
};

/** What `cds login` saved; null if it did not, or if the file is not one of its own. */
export const readLogin = async (folder: string): Promise<Login | null> => {
  const text = await readFile(loginFile(folder), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return loginIn(JSON.parse(text));
  } catch {
    return null;
  }
};

export const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
};

/** Saves a login that only its owner can read, and replaces the old one at once. Returns the file's path. */
export const saveLogin = async (folder: string, login: Login): Promise<string> => {
  await makeFolder(folder);
  const path = loginFile(folder);
  const next = `${path}.${randomUUID()}`;
  await writeFile(next, `${JSON.stringify(login, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  await chmod(next, OWNER_ONLY);
  await rename(next, path);
  return path;
};

export const removeLogin = async (folder: string): Promise<Login | null> => {
  const was = await readLogin(folder);
  await rm(loginFile(folder), { force: true });
  return was;
};
