import { rmSync } from 'node:fs';
import { Failure } from './failure.ts';
import { type Home, openHome, readJson, writeJson } from './home.ts';
import type { SeededWorkspace } from './seed.ts';

export type Urls = ReturnType<typeof urlsOf>;
type Pid = number | undefined;
type Engine = { members: readonly { pid: Pid }[] };
export type Running = {
  urls: Urls;
  opsToken: string;
  relayToken: string;
  mongod: Engine & { uri: string };
  nats: Engine & { rootUrl: string };
  versions: Record<string, string | undefined>;
  services: { byName: Record<string, readonly { pid: Pid; opsPort: () => number | undefined }[]> };
  workspaces: SeededWorkspace[];
};

export type Runtime = ReturnType<typeof contentOf>;

/** `$CDS_HOME/runtime.json` (0600): everything a tool needs to reach the system, while it runs. */
export function runtimeFile(home: Home) {
  const file = home.at('runtime.json');
  return {
    read: () => readJson<Runtime>(file),
    write: (running: Running) => writeJson(file, contentOf(running)),
    remove: () => rmSync(file, { force: true }),
  };
}

/** The system that runs on the home of this user, for a tool that needs one. */
export function runningSystem() {
  const home = openHome();
  const runtime = runtimeFile(home).read();
  if (runtime) return { home, runtime };
  throw new Failure('The system is not running: this home has no runtime.json.', [
    'npm start  (in another terminal)',
    'CDS_HOME=... before this command  (if the system uses another home)',
  ]);
}

type Processes = { launcher: Pid; [name: string]: Pid | null | (Pid | null)[] };

function contentOf({ urls, opsToken, relayToken, mongod, nats, versions, services, workspaces }: Running) {
  const all = Object.entries(services.byName);
  // None for the user's own engine, a list for a cluster.
  const pidOf = ({ members }: Engine) => {
    const pids = members.map(({ pid }) => pid);
    return pids.length > 1 ? pids : (pids[0] ?? null);
  };
  return {
    ...urls,
    ops_token: opsToken,
    relay_token: relayToken,
    mongodb_uri: mongod.uri,
    nats_url: nats.rootUrl,
    versions,
    processes: {
      launcher: process.pid,
      mongod: pidOf(mongod),
      nats: pidOf(nats),
      ...Object.fromEntries(all.map(([name, list]) => [name, list.map(({ pid }) => pid)])),
    } as Processes,
    ops_ports: Object.fromEntries(all.map(([name, list]) => [name, list.map(({ opsPort }) => opsPort())])),
    workspaces,
  };
}

export function urlsOf(port: number) {
  const app = `http://localhost:${port}`;
  return {
    app_url: app,
    api_url: `${app}/api/v1`,
    mcp_url: `${app}/api/mcp`,
    guest_mcp_url: `${app}/api/mcp/guest`,
    ops_url: `${app}/api/ops`,
  };
}
