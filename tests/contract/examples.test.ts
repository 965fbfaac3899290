import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ErrorResource, operationByName, publishedOperations } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Seen } from '../support/examples/recorder.js';
import { sanitiser } from '../support/examples/sanitise.js';
import { runExamples } from '../support/examples/script.js';
import { differences, skeletonOf } from '../support/examples/skeleton.js';
import { aBrand, sharedStack } from '../support/stack.js';
import { StackWindows } from '../support/windows.js';

const FOLDER = join(import.meta.dirname, '../../libs/contracts/examples');
const WRITES = process.env['CDS_EXAMPLES'] === 'write';

const stored = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
/** Writes an example unless the one that is there differs in nothing but its values. */
const write = (name: string, value: unknown): void => {
  const file = join(FOLDER, `${name}.json`);
  if (existsSync(file) && differences(skeletonOf(value), skeletonOf(stored(name))).length === 0) return;
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
};

/** A stream has no answer to record. */
const SCRIPTED = publishedOperations()
  .filter(({ mediaType }) => mediaType === undefined)
  .map(({ name }) => name);

/** The examples of the documents are what the running system answers (CONTRIBUTING.md#examples). */
describe('the examples of the documents', () => {
  let seen: Seen;
  let mongo: MongoClient;
  let windows: StackWindows;
  let clean: (value: unknown) => unknown;

  beforeAll(async () => {
    const stack = await sharedStack();
    mongo = await new MongoClient(stack.mongodbUri).connect();
    const { sandbox } = await aBrand(stack);
    clean = sanitiser(new Date());
    windows = await StackWindows.open(stack);
    const keys = mongo.db(`${stack.prefix}cds_gateway`).collection<{ _id: string }>('keys');
    seen = await runExamples(stack, sandbox, {
      refill: () => windows.beginAgain(),
      letDelegate: () => windows.changeKeys(keys, { ws: sandbox.id, own: false }, { may_delegate: true }),
    });
    if (!WRITES) return;
    for (const [name, example] of seen.operations) write(name, clean(example));
    write('errors', clean(Object.fromEntries(seen.errors)));
  }, 180_000);
  afterAll(async () => {
    await mongo?.close();
    await windows?.close();
  });

  it('are of the published operations, and of errors', () => {
    const files = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
    expect(new Set(files)).toEqual(new Set([...seen.operations.keys(), 'errors']));
    for (const name of seen.operations.keys()) expect(SCRIPTED).toContain(name);
  });

  it.each(SCRIPTED)('%s is sent and answered as its example says', (name) => {
    const example = seen.operations.get(name);
    expect(example).toBeDefined();
    expect(differences(skeletonOf(clean(example)), skeletonOf(stored(name)))).toEqual([]);
    const operation = operationByName(name);
    const { answers } = stored(name) as { answers: Record<string, unknown> };
    for (const [status, answer] of Object.entries(answers)) {
      const shape = Number(status) < 300 ? operation?.output : ErrorResource;
      expect(shape?.safeParse(answer).error).toBeUndefined();
    }
  });

  it('errors have the bodies that their examples show', () => {
    const errors = stored('errors') as Record<string, unknown>;
    expect(new Set(Object.keys(errors))).toEqual(new Set(seen.errors.keys()));
    for (const [code, body] of seen.errors) {
      expect(ErrorResource.safeParse(errors[code]).error).toBeUndefined();
      expect([code, differences(skeletonOf(clean(body)), skeletonOf(errors[code]))]).toEqual([code, []]);
    }
  });

  it('hold no address of this machine, no secret and no handle', () => {
    for (const file of readdirSync(FOLDER)) {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      expect([file, /127\.0\.0\.1|localhost/.exec(text)?.[0]]).toEqual([file, undefined]);
      expect([file, /cds_(?:live|test)_(?!A{12}_A{49})\w{12}_\w{49}/.exec(text)?.[0]]).toEqual([file, undefined]);
      expect([file, /\bdemo_[0-9a-z]+/.exec(text)?.[0]]).toEqual([file, undefined]);
    }
  });
});
