import { type CallOptions, type Client, createClient } from '@cds/sdk';
import type { Command } from 'commander';
import { CliError, EXIT } from './failures.js';
import { isSignIn, type Login, readLogin } from './login-file.js';
import { createProgress } from './progress.js';
import { currentToken } from './sign-in/tokens.js';
import type { World } from './world.js';

const LOCAL = 'http://localhost:8080';
/** How long a write that moves a sandbox's clock far may be tried; other calls are tried as the SDK does. */
export const PATIENT = { totalMs: 300_000, attempts: 30 };

export type Context = {
  world: World;
  client: Client;
  url: string;
  json: boolean;
  /** Calls the service, and says so if that takes longer than two seconds. */
  wait: <T>(label: string, work: (call: CallOptions) => Promise<T>) => Promise<T>;
  /** Prints an answer: as it is with --json, otherwise in the words given. */
  show: (value: unknown, words: () => string) => void;
};

export type Common = { json?: boolean; url?: string; idempotencyKey?: string };

/** The address and the login in use, and where they come from. A login goes to the address it was saved for alone. */
type Credentials = { url: string; login: Login | null; from: 'CDS_API_KEY' | 'login' | null };

export const credentials = async ({ config }: World, asked: string | undefined): Promise<Credentials> => {
  const login = await readLogin(config.folder);
  const url = asked ?? config.url ?? login?.url ?? LOCAL;
  if (config.key !== undefined) return { url, login: { url, key: config.key }, from: 'CDS_API_KEY' };
  if (login !== null && new URL(url).origin === new URL(login.url).origin)
    return { url: login.url, login, from: 'login' };
  return { url, login: null, from: null };
};

export const clientFor = (world: World, login: Login, onRetry?: ReturnType<typeof createProgress>['onRetry']) => {
  const key = isSignIn(login) ? () => currentToken(world) : login.key;
  return createClient({ url: login.url, key, fetch: world.fetch, userAgent: 'cds-cli', onRetry });
};

const contextOf = async (world: World, common: Common): Promise<Context> => {
  const { url, login } = await credentials(world, common.url);
  if (login === null)
    throw new CliError(
      `You are not logged in to ${url}.`,
      'Run cds login, or set CDS_URL and CDS_API_KEY.',
      EXIT.access,
    );
  const progress = createProgress(world);
  const json = common.json === true;
  return {
    world,
    client: clientFor(world, login, progress.onRetry),
    url,
    json,
    wait: (label, work) =>
      progress.during(label, () => work({ signal: world.signal, idempotencyKey: common.idempotencyKey })),
    show: (value, words) => world.out(json ? `${JSON.stringify(value, null, 2)}\n` : words()),
  };
};

/** A command's work as commander calls it, with its arguments, then its options. */
export const acting =
  <O extends Record<string, unknown>>(
    world: World,
    act: (context: Context, args: readonly string[], options: O) => Promise<void>,
  ) =>
  async (...all: unknown[]): Promise<void> => {
    const command = all.at(-1) as Command;
    const options = command.optsWithGlobals<O & Common>();
    await act(await contextOf(world, options), command.processedArgs as string[], options);
  };
