import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request as forwardTo } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';

const SUITE = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** A server in front of an MCP endpoint that adds the credentials, which the suite cannot send. */
export type Front = { url: string; close: () => void };

/**
 * Starts a front of `url`. Requests use the keys in turn, since each has a window of its own. A Host or Origin that
 * names the front becomes the one that names the endpoint; any other passes as it was sent.
 */
export const startFront = async (url: string, keys: readonly string[]): Promise<Front> => {
  const target = new URL(url);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address() as AddressInfo;
    const renamed = (value: string | undefined) =>
      value?.replace(new RegExp(`(127\\.0\\.0\\.1|localhost):${port}$`), target.host);
    const { host, origin, ...headers } = incoming.headers;
    turn += 1;
    const forwarded = forwardTo(
      target,
      {
        method: incoming.method ?? 'GET',
        headers: {
          ...headers,
          host: renamed(host) ?? '',
          ...(origin === undefined ? {} : { origin: renamed(origin) ?? '' }),
          authorization: `Bearer ${keys[turn % keys.length] ?? ''}`,
        },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/**
 * The checks that failed, by scenario. So do warnings: the suite warns of what a server should do, and of what it could
 * not try.
 */
export type Failed = Record<string, string[]>;

type Check = { id: string; status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED' };

/** The folder of a scenario's results: `server-<scenario>-<time>`, or `authorization-server-…`. */
const SCENARIO = /^(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** The scenarios that a revision requires of a server. Others, such as extensions, run but do not count. */
const requiredBy = async (revision: string): Promise<Set<string>> => {
  const file = await readFile(join(SUITE, '../../requirements', `${revision}.yaml`), 'utf8');
  return new Set((parse(file) as { server: string[] }).server);
};

/** Runs what a revision requires of a server. */
export const runSuite = async (url: string, revision: string): Promise<Failed> => {
  const results = await mkdtemp(join(tmpdir(), 'cds-conformance-'));
  try {
    const args = [SUITE, 'server', '--url', url, '--requirements', revision, '--output-dir', results];
    const suite = spawn(process.execPath, args, { stdio: 'ignore' });
    await once(suite, 'close');
    return await failedIn(results, await requiredBy(revision));
  } finally {
    await rm(results, { recursive: true, force: true });
  }
};

/** What failed of these scenarios. One that did not run has failed. */
const failedIn = async (results: string, scenarios: ReadonlySet<string>): Promise<Failed> => {
  const missing = new Set(scenarios);
  const failed: Failed = {};
  for (const folder of (await readdir(results)).sort()) {
    const scenario = SCENARIO.exec(folder)?.[1] ?? folder;
    if (!missing.has(scenario)) continue;
    const checks = JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8')) as Check[];
    if (checks.every(({ status }) => status === 'SKIPPED')) continue;
    missing.delete(scenario);
    const ids = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id);
    if (ids.length > 0) failed[scenario] = [...new Set(ids)].sort();
  }
  for (const scenario of missing) failed[scenario] = ['it did not run'];
  return failed;
};

/** What the suite asks of an authorization server; revisions require none of it, since servers may use any. */
const OF_AUTHORIZATION: ReadonlySet<string> = new Set([
  'authorization-server-metadata-endpoint',
  'authorization-code-grant',
]);

/** A client that is registered for the suite, which listens for its answer at this port of 127.0.0.1. */
export type SuiteClient = { issuer: string; clientId: string; resource: string; port: number };

/** Runs the scenarios of an authorization server, with a person who decides on the page that the suite names. */
export const runAuthorizationSuite = async (
  { issuer, clientId, resource, port }: SuiteClient,
  revision: string,
  person: (page: string) => Promise<void>,
): Promise<Failed> => {
  const results = await mkdtemp(join(tmpdir(), 'cds-conformance-'));
  const options = {
    url: issuer,
    'client-id': clientId,
    resource,
    port,
    'spec-version': revision,
    'output-dir': results,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const suite = spawn(process.execPath, [SUITE, 'authorization', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(suite, 'close');
  try {
    for await (const line of createInterface({ input: suite.stdout }))
      if (line.startsWith(`${issuer}/connect?`)) await person(line);
    await closed;
    return await failedIn(results, OF_AUTHORIZATION);
  } finally {
    suite.kill();
    await rm(results, { recursive: true, force: true });
  }
};
