import { ApiFailure, type CallOptions, type Client } from '@cds/sdk';
import type { Command } from 'commander';
import { acting, type Context, credentials } from '../context.js';
import { isSignIn, type Login, loginFile } from '../login-file.js';
import { facts } from '../output.js';
import type { World } from '../world.js';
import { nameOf } from './key-name.js';

const ifAllowed = <T>(call: Promise<T>): Promise<T | null> =>
  call.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.code === 'forbidden') return null;
    throw error;
  });

/** A key says by its form which kind of workspace it opens. Of a sign-in, only a sandbox answers for its clock. */
const workspaceOf = async (login: Login, client: Client, call: CallOptions): Promise<'sandbox' | 'live'> => {
  if (!isSignIn(login)) return login.key.startsWith('cds_test_') ? 'sandbox' : 'live';
  return (await ifAllowed(client.sandboxClock({}, call))) === null ? 'live' : 'sandbox';
};

const whoami = async (world: World, { client, url, show, wait }: Context): Promise<void> => {
  const { login, from } = await credentials(world, url);
  if (login === null) return;
  const usage = await wait('Asking the service', (call) => client.keysUsage({ days: 7 }, call));
  const company = await wait('Asking the service', (call) => ifAllowed(client.brainGet({ section: 'name' }, call)));
  const workspace = await wait('Asking the service', (call) => workspaceOf(login, client, call));
  const value = {
    url,
    ...(isSignIn(login) ? { key: null, scopes: login.scope.split(' ') } : { key: nameOf(login.key), scopes: null }),
    workspace,
    from,
    company: company !== null && 'value' in company ? company.value : null,
    requests_in_7_days: 'total' in usage ? usage.total : null,
  };
  show(value, () =>
    facts([
      ['address', value.url],
      ['key', value.key ?? 'the one that you chose in the browser'],
      ['scopes', value.scopes?.join(', ')],
      ['workspace', value.workspace],
      ['company', value.company === null ? '' : String(value.company)],
      ['requests', value.requests_in_7_days === null ? '' : `${value.requests_in_7_days} in 7 days, of all keys`],
      ['from', from === 'login' ? loginFile(world.config.folder) : from],
    ]),
  );
};

export const addWhoami = (program: Command, world: World): void => {
  program
    .command('whoami')
    .alias('status')
    .description('Show the address, the key and the workspace in use')
    .action(acting(world, (context) => whoami(world, context)));
};
