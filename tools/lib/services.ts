import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleOf, compileCacheOf } from './bundle.ts';
import { howItEnded, launch } from './child.ts';
import { Failure } from './failure.ts';
import { REPOSITORY, shortPath } from './home.ts';
import { type Keeper, keep, type Supervision } from './keeper.ts';
import { freePort, isFree } from './ports.ts';
import type { Say } from './progress.ts';
import { writePublicKeys } from './secrets.ts';
import { environmentOf, type Settings } from './service-environment.ts';

export type ServiceProcess = ReturnType<typeof startOne>;
export type Services = ReturnType<typeof startServices>;
export type ServicesOptions = Settings &
  Supervision & {
    httpPorts: readonly number[];
    replicas?: Record<string, number>;
    entryFor?: (service: string) => string | undefined;
  };

const READY_LIMIT_MS = 90_000;
/** A process on a busy machine may take seconds to say that it is ready. */
const ANSWER_LIMIT_MS = 10_000;
const WHOLE_LIMIT_MS = 30_000;
/** Only a service that does not end by itself within 30 s is killed (libs/service/src/process/service.ts). */
export const STOP_GRACE_MS = 35_000;
const DEATHS_BEFORE_GIVING_UP = 3;
/** Two arenas of the allocator for all threads save 15 MiB a process. The image sets the same. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };

/** Starts bus-admin and every service `replicas[name]` times, and returns at once; `whenReady` waits. */
export function startServices(options: ServicesOptions) {
  const { contracts, home, httpPorts, replicas = {}, secrets } = options;
  writePublicKeys(home, contracts.services.map(secrets.auditKey));
  // First, because no service is ready before the streams and durables exist.
  const byName: Record<string, ServiceProcess[]> = { [contracts.busAdmin]: [startOne(contracts.busAdmin, 0, options)] };
  for (const service of contracts.services) {
    byName[service] = Array.from({ length: replicas[service] ?? 1 }, (_none, index) =>
      startOne(service, index, options),
    );
  }
  const all = Object.values(byName).flat();
  return {
    byName,
    /** Waits until every process is ready and every gateway sees the whole system. */
    async whenReady(say: Say = () => {}) {
      let ready = 0;
      const one = async (process_: ServiceProcess) => {
        await process_.started;
        await process_.whenReady();
        ready += 1;
        say(`${ready} of ${all.length} processes are ready`);
      };
      await Promise.all(all.map(one));
      say('waiting for the gateway to see them all');
      const late = 'The gateway does not see all services';
      for (const port of httpPorts)
        await untilReady(byName.gateway[0], () => `http://127.0.0.1:${port}/readyz`, options, late, WHOLE_LIMIT_MS);
    },
    /** The gateways stop first, so that nothing new arrives while the others finish their work. */
    async stop() {
      await Promise.all(byName.gateway.map((one) => one.stop()));
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}

function startOne(service: string, index: number, options: ServicesOptions) {
  const { home, httpPorts, supervise, onDied, onChange } = options;
  const count = options.replicas?.[service] ?? 1;
  const name = count > 1 ? `${service}-${index + 1}` : service;
  let opsPort: number | undefined;
  const process_ = keep({
    name,
    spawn: async () => {
      if (!opsPort || !(await isFree(opsPort))) opsPort = await freePort();
      const env = environmentOf(service, { ...options, opsPort, httpPort: httpPorts[index] ?? httpPorts[0] });
      return launch({
        home,
        name,
        command: process.execPath,
        args: [options.entryFor?.(service) ?? entryOf(service, env)],
        cwd: REPOSITORY,
        env: { ...ALLOCATOR, NODE_COMPILE_CACHE: compileCacheOf(service), ...env },
      });
    },
    supervise,
    graceMs: STOP_GRACE_MS,
    onDied,
    onChange,
  });
  return Object.assign(process_, {
    opsPort: () => opsPort,
    started: process_.start(),
    whenReady: () => {
      const url = () => `http://127.0.0.1:${opsPort}/readyz`;
      return untilReady(process_, url, options, `${name} was not ready`, READY_LIMIT_MS);
    },
  });
}

/** The automatic instrumentations patch packages as they are loaded, which a bundle no longer does. */
function entryOf(service: string, env: Record<string, string>) {
  return env.CDS_OTEL_AUTO === '1' ? join('services', service, 'dist', 'main.js') : bundleOf(service);
}

/** Waits for an answer of 200; a process that ends for good before that is a failure at once. */
async function untilReady(
  process_: Keeper,
  url: () => string,
  { supervise }: Supervision,
  late: string,
  limitMs: number,
) {
  const said = () =>
    process_
      .said(1_000)
      .filter((line) => !line.includes('/readyz'))
      .slice(-12);
  for (const end = Date.now() + limitMs; ; await pause(50)) {
    const answer = await ask(url());
    if (answer.ok) return;
    const how = process_.lastEnd();
    if (how && (!supervise || process_.deaths() >= DEATHS_BEFORE_GIVING_UP))
      throw new Failure(`${process_.name} does not start (${howItEnded(how)}).`, fixesFor(process_), said());
    if (Date.now() > end)
      throw new Failure(`${late} within ${limitMs / 1000} s.`, fixesFor(process_), [...answer.lines, ...said()]);
  }
}

function fixesFor(process_: Keeper) {
  return [
    `Read ${shortPath(process_.log ?? 'its log')}: the last lines say why`,
    'CDS_LOG_LEVEL=debug npm start  (the same with more to read)',
    'npm start -- --fresh  (drops all data of this home)',
  ];
}

/** Whether the answer is 200, and its text otherwise: a process that is not ready gives the reason there. */
async function ask(url: string) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    const text = await answer.text();
    return { ok: answer.status === 200, lines: [`${new URL(url).pathname} answers ${answer.status}: ${text}`] };
  } catch (error) {
    return { ok: false, lines: [`${new URL(url).pathname} does not answer: ${error.cause?.message ?? error.message}`] };
  }
}
