/** Fills an empty system through its operators' API: the generated network, then two brands with their keys. */
import { randomUUID } from 'node:crypto';
import { Failure } from './failure.ts';
import type { Say } from './progress.ts';
import type { Secrets } from './secrets.ts';

export type SeededKey = { name: string; id: string; secret: string; scopes: string[]; mandate: unknown };
export type SeededWorkspace = { name: string; kind: string; id: string; keys: SeededKey[] };
export type Wanted = { creators: number; seed: number };
export type Ops = <Body>(method: string, path: string, body?: object) => Promise<{ status: number; body: Body }>;
type Network = { creators: number; newest_synced_at: string | null };

const DAY_MS = 24 * 60 * 60 * 1000;
const REQUEST_LIMIT_MS = 5 * 60_000;
/** A load without progress for so long has stopped; its total time depends on its size and on the machine. */
const STANDSTILL_MS = 2 * 60_000;
const POLL_MS = 500;
const SEED_BRANDS = [
  { name: 'acme', audience: 'startup founders and AI builders', sandbox: 'acme-sandbox' },
  { name: 'blank', audience: null, sandbox: null },
];

/**
 * A client of the operators' API. It returns the parsed body; anything but 2xx raises a Failure that quotes the answer.
 */
export function operator({ opsUrl, opsToken }: { opsUrl: string; opsToken: string }): Ops {
  return async (method, path, body) => {
    const answer = await fetch(`${opsUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${opsToken}`,
        ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Failure(
        `${method} ${path} answered ${answer.status} from the operators' API.`,
        [
          'Read logs/gateway.log in the home folder',
          'Start again: seeding continues where it stopped',
          'npm start -- --fresh  (drops all data of this home)',
        ],
        [text.slice(0, 400)],
      );
    }
    return { status: answer.status, body: text ? JSON.parse(text) : undefined };
  };
}

/** Loads or refreshes the generated network when it is missing, another or too old. Says what was done, in words. */
export async function ensureNetwork({
  ops,
  wanted,
  loaded,
  say = () => {},
  now = Date.now(),
}: {
  ops: Ops;
  wanted: Partial<Wanted>;
  loaded?: Wanted;
  say?: Say;
  now?: number;
}) {
  const { body: found } = await ops<Network>('GET', '/dev/network');
  const target = { creators: wanted.creators ?? loaded?.creators ?? 2000, seed: wanted.seed ?? loaded?.seed ?? 1 };
  const other = loaded && (loaded.creators !== target.creators || loaded.seed !== target.seed);
  const old = !found.newest_synced_at || now - Date.parse(found.newest_synced_at) > DAY_MS;
  const enough = found.creators > 0 && !other && (loaded || found.creators >= target.creators);
  const count = target.creators.toLocaleString('en');
  if (enough && !old) return { ...target, detail: `${found.creators.toLocaleString('en')} creators, as they were` };

  const doing = found.creators > 0 && !other ? 'refreshing' : 'loading';
  say(`${doing} ${count} creators`);
  const { body: begun } = await ops<{ loaded: number }>('POST', '/dev/network', target);
  if (begun.loaded < target.creators) await untilLoaded(ops, target, say);
  const done =
    doing === 'refreshing' ? 'refreshed, the last figures were over a day old' : `made from seed ${target.seed}`;
  return { ...target, detail: `${count} creators, ${done}` };
}

async function untilLoaded(ops: Ops, { creators }: Wanted, say: Say) {
  let last = { creators: -1, at: Date.now() };
  for (;;) {
    const { body } = await ops<Network>('GET', '/dev/network');
    if (body.creators === creators && body.newest_synced_at) return;
    const now = Date.now();
    if (body.creators !== last.creators) last = { creators: body.creators, at: now };
    say(`${body.creators.toLocaleString('en')} of ${creators.toLocaleString('en')} creators`);
    if (now - last.at > STANDSTILL_MS)
      throw new Failure(`Loading the network stopped at ${body.creators.toLocaleString('en')} creators.`, [
        'Read logs/catalog.log in the home folder',
        'npm start -- --creators 2000',
        'npm start -- --fresh',
      ]);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export async function makeBrand(
  ops: Ops,
  {
    name,
    audience,
    sandbox,
    replaceKeys = false,
  }: { name: string; audience?: string | null; sandbox?: string | null; replaceKeys?: boolean },
): Promise<SeededWorkspace[]> {
  const { body } = await ops<{ workspaces: SeededWorkspace[] }>('POST', '/dev/brands', {
    name,
    audience,
    sandbox,
    ...(replaceKeys && { replace_keys: true }),
  });
  return body.workspaces;
}

/** The brands of every home. Secrets of keys are shown once: without the data or `secrets.json` there are new keys. */
export async function ensureBrands({ ops, secrets, hadData }: { ops: Ops; secrets: Secrets; hadData: boolean }) {
  const kept = hadData ? secrets.workspaces() : [];
  if (SEED_BRANDS.every(({ name }) => kept.some((workspace) => workspace.name === name))) {
    return { workspaces: kept, detail: 'the same as before' };
  }
  const workspaces: SeededWorkspace[] = [];
  for (const brand of SEED_BRANDS) workspaces.push(...(await makeBrand(ops, { ...brand, replaceKeys: hadData })));
  secrets.saveWorkspaces(workspaces);
  const lost = hadData && secrets.made;
  const names = workspaces.map(({ name }) => name).join(', ');
  return { workspaces, detail: lost ? 'The seeded keys were replaced because secrets.json was lost' : names };
}
