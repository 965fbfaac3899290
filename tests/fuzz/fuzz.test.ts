import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { refilling } from '../support/refilling.js';
import { isWasteful, noteStatements, scansOf } from '../support/scans.js';
import { type Stack, startWholeStack } from '../support/stack.js';
import { APART, placeOf, WEIGHTS } from './apart.js';
import { anInstallation, type Installation } from './installation.js';
import { problemsWith } from './judge.js';
import { anyRequest, type FuzzRequest, lastRequest, requestBy, WAYS, type Way } from './requests.js';
import { type Send, sendTo } from './send.js';
import { shrunk } from './shrink.js';
import { statisticsOf } from './statistics.js';

/** Requests of a run: `npm run test:fuzz` sends 20,000, by night a million. */
const REQUESTS = Number(process.env['CDS_FUZZ_REQUESTS'] ?? 250);
const SEED = seedFrom('CDS_FUZZ_SEED');
/** Requests to one system: after these, everything they may use up is used up, and its lists are long. */
const PER_SYSTEM = 20_000;
const SYSTEMS = Math.ceil(REQUESTS / PER_SYSTEM);
const EACH = Math.ceil(REQUESTS / SYSTEMS);
/** The part of a run for requests that change what everybody finds. */
const LAST_PART = 0.02;
const LIMIT_MS = Math.max(600_000, EACH * 150);

/** Requests that are in flight together. */
const TOGETHER = 24;
const DRAWN = 100;
/** A run ends once so many kinds of failures were found. */
const MOST_FAILURES = 20;

const CORPUS = join(import.meta.dirname, 'corpus');

const nameOf = ({ operation, transport }: Way): string => `${operation.name} by ${transport}`;

describe('what is drawn', () => {
  it('is every operation that has an endpoint, in every way to call it', () => {
    const called = operations.filter(({ audience }) => audience !== 'internal');
    const ways = called.flatMap(({ name, rest, tool, audience }) => [
      ...(rest === undefined ? [] : [`${name} by rest`]),
      ...(tool === undefined ? [] : [`${name} by ${audience === 'guest' ? 'guest' : 'mcp'}`]),
    ]);
    // The one tool of brands that guests are shown, too.
    expect(new Set(WAYS.map(nameOf))).toEqual(new Set([...ways, 'feedback_send by guest']));
    expect(called.filter(({ name }) => !WAYS.some(({ operation }) => operation.name === name))).toEqual([]);
  });

  it('names declared operations alone in its tables', () => {
    const names = operations.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(APART), ...Object.keys(WEIGHTS)]));
  });
});

function* drawn(request: fc.Arbitrary<FuzzRequest>, count: number, seed: number): Generator<FuzzRequest> {
  for (let from = 0; from < count; from += DRAWN)
    yield* fc.sample(request, { seed: seed + from, numRuns: Math.min(DRAWN, count - from) });
}

type Failure = { request: FuzzRequest; problems: string[] };

/** What makes two failures the same kind: ids and amounts differ from one to the next. */
const kindOf = ({ request, problems }: Failure): string =>
  `${request.operation} ${request.transport} ${problems[0]?.slice(0, 40)}`;

describe.each(Array.from({ length: SYSTEMS }, (_none, index) => [index + 1]))('requests to system %i', (system) => {
  const seed = SEED + (system - 1) * PER_SYSTEM;
  let stack: Stack;
  let mongo: MongoClient;
  let stopRefilling: () => Promise<void>;
  let world: Installation;
  let send: Send;
  const statistics = statisticsOf();

  beforeAll(async () => {
    // Some operations change the whole installation, so no other suite uses it.
    stack = await startWholeStack({ env: { CDS_TRUSTED_PROXIES: '127.0.0.1/32' } });
    mongo = await new MongoClient(stack.mongodbUri).connect();
    const workspaces: string[] = [];
    stopRefilling = await refilling(stack, workspaces, { everybody: true });
    world = await anInstallation(stack, mongo, REQUESTS > 1_000 ? 2 : 1);
    workspaces.push(...world.workspaces);
    send = sendTo(stack, world);
    await noteStatements(mongo, stack.prefix);
  }, 300_000);
  afterAll(async () => {
    await stopRefilling?.();
    await mongo?.close();
    await stack?.stop();
  });

  const problemsOf = async (request: FuzzRequest): Promise<string[]> => {
    const answer = await send(request);
    statistics.add(request, answer);
    return problemsWith(request, answer, world.forbiddenTo(request));
  };

  const failuresOf = async (requests: Iterable<FuzzRequest>): Promise<Failure[]> => {
    const failures = new Map<string, Failure>();
    const shared = requests[Symbol.iterator]();
    const sender = async (): Promise<void> => {
      for (let next = shared.next(); next.done !== true; next = shared.next()) {
        if (failures.size >= MOST_FAILURES) return;
        const request = next.value;
        const problems = await problemsOf(request);
        const failure = { request, problems };
        if (problems.length > 0) failures.set(kindOf(failure), failures.get(kindOf(failure)) ?? failure);
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, sender));
    return [...failures.values()];
  };

  const kept = (request: FuzzRequest): string => {
    const text = `${JSON.stringify(request, null, 2)}\n`;
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
    const file = join(CORPUS, `${request.operation}-${digest}.json`);
    writeFileSync(file, text);
    return file;
  };

  /** A failure in words. One that can be repeated is shrunk and kept; one that needs other requests is only shown. */
  const explained = async ({ request, problems }: Failure): Promise<string> => {
    const fails = async (one: FuzzRequest): Promise<boolean> => (await problemsOf(one)).length > 0;
    const again = await fails(request);
    const where = again ? kept(await shrunk(request, fails)) : `once, ${JSON.stringify(request)}`;
    return `${problems.join('; ')}: ${where}`;
  };

  const expectNone = async (failures: readonly Failure[]): Promise<void> => {
    const explanations = [];
    for (const failure of failures) explanations.push(await explained(failure));
    expect({ seed: SEED, failures: explanations }).toEqual({ seed: SEED, failures: [] });
  };

  const sendCorpus = async (last: boolean): Promise<void> => {
    for (const file of readdirSync(CORPUS).filter((name) => name.endsWith('.json'))) {
      const request = JSON.parse(readFileSync(join(CORPUS, file), 'utf8')) as FuzzRequest;
      if ((placeOf(request.operation) === 'last') !== last) continue;
      expect([file, await problemsOf(request)]).toEqual([file, []]);
    }
  };

  it('answers what once failed as it should', () => sendCorpus(false));

  it('answers one request to each operation as it should', async () => {
    const ways = WAYS.filter(({ operation }) => placeOf(operation.name) !== 'last');
    // Each has its own seed, since with the same one all would have the same Idempotency-Key.
    const requests = ways.flatMap((way, index) => [...drawn(requestBy(way), 1, seed + index)]);
    await expectNone(await failuresOf(requests));
  }, 120_000);

  it(
    'never answers a 5xx without its cause, an undocumented status, a body outside the declared form, or somebody else’s data',
    async () => {
      proves('general.request-id-always');
      await expectNone(await failuresOf(drawn(anyRequest(), EACH * (1 - LAST_PART), seed)));
      expect(statistics.statuses()).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 409, 422]));
    },
    LIMIT_MS,
  );

  it(
    'stays so while operators change what everybody finds',
    async () => {
      await expectNone(await failuresOf(drawn(lastRequest(), EACH * LAST_PART, seed)));
      await sendCorpus(true);
      process.stdout.write(`fuzz: seed ${SEED}, ${statistics.report()}\n`);
    },
    LIMIT_MS,
  );

  it('reads little more of the database than it uses', async () => {
    const scans = await scansOf(mongo, stack.prefix);
    expect(scans.length).toBeGreaterThan(300);
    expect(scans.filter(isWasteful)).toEqual([]);
  }, 120_000);
});
