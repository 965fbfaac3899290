import { rmSync } from 'node:fs';
import { type Home, readJson, writeJson } from './home.ts';
import type { SeededWorkspace } from './seed.ts';
import type { Urls } from './urls.ts';

/**
 * `$CDS_HOME/runtime.json` (0600): everything a tool needs to reach the running system. It exists only while the system
 * runs.
 */
export function runtimeFile(home: Home) {
  const file = home.at('runtime.json');
  return {
    file,
    read: (): ReturnType<typeof runtimeContent> | undefined => readJson(file),
    write: (content: unknown) => writeJson(file, content),
    remove: () => rmSync(file, { force: true }),
  };
}

export function runtimeContent({
  urls,
  opsToken,
  relayToken,
  mongod,
  nats,
  versions,
  services,
  workspaces,
}: {
  urls: Urls;
  opsToken: string;
  relayToken: string;
  mongod: { uri: string; pids: () => (number | undefined)[] };
  nats: { rootUrl: string; pids: () => (number | undefined)[] };
  versions: Record<string, string>;
  services: { byName: Record<string, readonly { pid: number | undefined; opsPort: () => number | undefined }[]> };
  workspaces: SeededWorkspace[];
}) {
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

/** What each process of every service has, by the name of the service. */
const ofEach = <T, V>(byName: Record<string, readonly T[]>, of: (process: T) => V) =>
  Object.fromEntries(Object.entries(byName).map(([name, list]) => [name, list.map((one) => of(one))]));

/** The process of an engine: null for the user's own, a list for a cluster. */
const oneOrAll = (pids: readonly (number | undefined)[]) => (pids.length > 1 ? pids : (pids[0] ?? null));
