import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationByName, pathOf } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refilling } from '../support/refilling.js';
import { aBrand, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';
import { type Judged, problemsWith } from './judge.js';
import { anyRequest, type FuzzRequest } from './requests.js';
import { aFuzzBrand, type FuzzBrand } from './world.js';

/** Requests of a run; nightly runs send a million. */
const REQUESTS = Number(process.env['CDS_FUZZ_REQUESTS'] ?? 2_000);
const SEED = seedFrom('CDS_FUZZ_SEED');
/** Requests that are in flight together; a failure is shrunk to the one that causes it. */
const TOGETHER = 25;
const BRANDS = 6;
const LIMIT_MS = Math.max(600_000, REQUESTS * 60);

const CORPUS = join(import.meta.dirname, 'corpus');
const CANARY = 'canary-kestrel-orchid';

/** Calls that change a whole sandbox go to one that is used for nothing else. */
const OF_THE_SANDBOX = /^sandbox_(?:clock|fault|reset)/;

describe('requests nobody should send', () => {
  let stack: SharedStack;
  let brands: FuzzBrand[];
  let moved: string;
  let victim: FuzzBrand;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    stack = await sharedStack();
    brands = [];
    for (let count = 0; count < BRANDS; count += 1) brands.push(await aFuzzBrand(stack));
    moved = secretOf((await aBrand(stack)).sandbox, 'full');
    victim = await aFuzzBrand(stack);
    stop = await refilling(
      stack,
      brands.flatMap(({ workspaces }) => workspaces),
    );
    const named = { id: victim.ids['campaigns.id'] ?? '', name: CANARY };
    expect((await ask(stack, victim.keys[0] ?? '', 'rename_campaign', named)).status).toBe(200);
  }, 240_000);
  afterAll(() => stop?.());

  const senderOf = ({ sender, operation }: FuzzRequest): { key: string; ids: Record<string, string> } => {
    const brand = brands[sender % BRANDS] as FuzzBrand;
    // Every other request comes from a key that may do everything.
    const key = sender % 2 === 0 ? brand.keys[0] : brand.keys[Math.floor(sender / BRANDS) % brand.keys.length];
    return { key: OF_THE_SANDBOX.test(operation) ? moved : (key ?? ''), ids: brand.ids };
  };

  const send = async (request: FuzzRequest): Promise<Judged> => {
    const { key, ids } = senderOf(request);
    const named = (text: string): string =>
      text.replace(
        /\{\{(victim\.)?([\w.]+)\}\}/g,
        (_all, other, name: string) => (other ? victim.ids : ids)[name] ?? '',
      );
    const authorization = `Bearer ${key}`;
    if (request.transport === 'mcp') {
      const headers = {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      return judged(await fetch(stack.mcpUrl, { method: 'POST', headers, body: named(request.message) }));
    }
    const operation = operationByName(request.operation);
    if (operation?.rest === undefined) throw new Error(`no operation ${request.operation}`);
    const path = pathOf(operation as never).replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(named(String(request.params[name])).toWellFormed()),
    );
    const url = new URL(path, stack.appUrl);
    for (const [name, value] of request.query) url.searchParams.append(name, named(value).toWellFormed());
    const { method } = operation.rest;
    return judged(
      await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          authorization,
          ...(request.type === null ? {} : { 'content-type': request.type }),
          ...(request.key === null ? {} : { 'idempotency-key': request.key }),
        },
        ...(method === 'GET' || request.body === null ? {} : { body: named(request.body) }),
      }),
    );
  };

  const judged = async (response: Response): Promise<Judged> => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  });

  const problemsOf = async (request: FuzzRequest): Promise<string[]> =>
    problemsWith(request, await send(request), [CANARY, ...victim.keys]);

  /** Keeps a request that failed, so that every later run sends it first. */
  const keep = (request: FuzzRequest): string => {
    const text = `${JSON.stringify(request, null, 2)}\n`;
    const file = join(
      CORPUS,
      `${request.operation}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`,
    );
    mkdirSync(CORPUS, { recursive: true });
    writeFileSync(file, text);
    return file;
  };

  it('answers what once failed as it should', async () => {
    for (const file of readdirSync(CORPUS).filter((name) => name.endsWith('.json'))) {
      const request = JSON.parse(readFileSync(join(CORPUS, file), 'utf8')) as FuzzRequest;
      expect([file, await problemsOf(request)]).toEqual([file, []]);
    }
  });

  it(
    'never answers a 5xx without its cause, an undocumented status, a strange body, or what belongs to somebody else',
    async () => {
      proves('general.request-id-always');
      const statuses = new Map<number, number>();
      /** What was wrong with the newest batch that failed: sent again, its requests may be answered well. */
      let wrong: string[] = [];
      const property = fc.asyncProperty(
        fc.array(anyRequest(), { minLength: 1, maxLength: TOGETHER }),
        async (requests) => {
          const found = await Promise.all(
            requests.map(async (request) => {
              const answer = await send(request);
              statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
              return problemsWith(request, answer, [CANARY, ...victim.keys]);
            }),
          );
          const problems = found.flat();
          if (problems.length > 0) wrong = problems;
          return problems.length === 0;
        },
      );
      const count = () => [...statuses.values()].reduce((sum, one) => sum + one, 0);
      for (let round = 0; count() < REQUESTS; round += 1) {
        const numRuns = Math.max(1, Math.min(200, Math.ceil((REQUESTS - count()) / (TOGETHER / 2))));
        const result = await fc.check(property, { seed: SEED + round, numRuns, endOnFailure: false });
        if (!result.failed) continue;
        const [requests = []] = result.counterexample ?? [];
        const said: string[] = [];
        for (const request of requests) {
          const problems = await problemsOf(request);
          if (problems.length > 0) said.push(`${keep(request)}: ${problems.join('; ')}`);
        }
        throw new Error(
          [
            `seed ${SEED + round}`,
            ...said,
            ...(said.length === 0 ? [JSON.stringify(requests), `once: ${wrong.join('; ')}`] : []),
          ].join('\n'),
        );
      }
      process.stdout.write(
        `fuzz: seed ${SEED}, ${count()} requests, ${JSON.stringify(Object.fromEntries(statuses))}\n`,
      );
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 403, 404, 422]));
    },
    LIMIT_MS,
  );
});
