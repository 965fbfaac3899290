import { rmSync } from 'node:fs';
import { readJson, writeJson } from './home.js';

/**
 * `$CDS_HOME/runtime.json` (0600): everything a tool needs to reach the running system. It exists only while the system
 * runs.
 * @param {import('./home.js').Home} home
 */
export function runtimeFile(home) {
  const file = home.at('runtime.json');
  return {
    file,
    /** @returns {ReturnType<typeof runtimeContent> | undefined} */
    read: () => readJson(file),
    /** @param {unknown} content */
    write: (content) => writeJson(file, content),
    remove: () => rmSync(file, { force: true }),
  };
}

/**
 * @param {{
 *   urls: import('./urls.js').Urls,
 *   opsToken: string,
 *   relayToken: string,
 *   mongod: { uri: string, pids: () => (number | undefined)[] },
 *   nats: { rootUrl: string, pids: () => (number | undefined)[] },
 *   versions: Record<string, string>,
 *   services: { byName: Record<string, readonly { pid: number | undefined, opsPort: () => number | undefined }[]> },
 *   workspaces: import('./seed.js').SeededWorkspace[],
 * }} system
 */
export function runtimeContent({ urls, opsToken, relayToken, mongod, nats, versions, services, workspaces }) {
  return {
    ...urls,
    ops_token: opsToken,
    relay_token: relayToken,
    mongodb_uri: mongod.uri,
    nats_url: nats.rootUrl,
    versions,
    processes: {
      launcher: process.pid,
      mongod: oneOrAll(mongod.pids()),
      nats: oneOrAll(nats.pids()),
      ...ofEach(services.byName, ({ pid }) => pid),
    },
    ops_ports: ofEach(services.byName, ({ opsPort }) => opsPort()),
    workspaces,
  };
}

/**
 * What each process of every service has, by the name of the service.
 * @template T, V
 * @param {Record<string, readonly T[]>} byName
 * @param {(process: T) => V} of
 */
const ofEach = (byName, of) =>
  Object.fromEntries(Object.entries(byName).map(([name, list]) => [name, list.map((one) => of(one))]));

/**
 * The process of an engine: null for the user's own, a list for a cluster.
 * @param {readonly (number | undefined)[]} pids
 */
const oneOrAll = (pids) => (pids.length > 1 ? pids : (pids[0] ?? null));
