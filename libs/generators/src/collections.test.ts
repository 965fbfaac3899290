import { hasEndpoint, operationByName, publishedOperations } from '@cds/contracts';
import { describe, expect, it, test } from '@jest/globals';
import { brunoFiles } from './bruno.js';
import { type CollectionRequest, requestsOf } from './collections.js';
import { openapiDocument } from './openapi.js';
import { postmanFiles } from './postman.js';

const requests = requestsOf(openapiDocument());
const names = publishedOperations().map(({ name }) => name);

type Item = {
  name: string;
  request: {
    method: string;
    header: { key: string; value: string }[];
    url: { raw: string; host: string[]; path: string[]; variable?: { key: string; value: string }[] };
    body?: { mode: string; raw: string };
  };
};
type Postman = {
  info: { schema: string };
  variable: { key: string }[];
  event: { listen: string; script: { exec: string[] } }[];
  item: { item: Item[] }[];
};
const postman = JSON.parse(postmanFiles(requests)['postman.json'] ?? '') as Postman;
const items = postman.item.flatMap(({ item }) => item);
const bruno = brunoFiles(requests);

/** What the scripts of a collection put into its variables. */
const FILLED: Readonly<Record<string, string>> = {
  window_start: '2027-03-10',
  window_end: '2027-03-31',
  expires_at: '2027-03-10T12:00:00.000Z',
  terms_fingerprint: 'f4L_WQ1sTw79zDVL1KxceOzqOgopgqLe8pC933rF4Ow',
  total_cents: '97000',
};
const filled = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => FILLED[name] ?? '7f6f0d52-6f2b-4a9e-9a53-1f0b6cf6a001');

/** The blocks of a file of Bruno by their names. */
const blocksOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([\w:-]+) \{\n(.*?)\n\}$/gms)].map(([, name = '', inside = '']) => [name, inside]),
  );

const declared = (name: string) => {
  const operation = operationByName(name);
  if (operation === undefined || !hasEndpoint(operation)) throw new Error(`${name} has no endpoint`);
  return operation;
};

/** Whether a body with its variables filled in is one that the operation accepts. */
const problemsOf = ({ name }: CollectionRequest, body: string | undefined): unknown => {
  const schema = declared(name).body;
  if (schema === undefined) return body === undefined ? [] : ['a body that is not accepted'];
  return schema.safeParse(JSON.parse(filled(body ?? '{}'))).error?.issues ?? [];
};

describe('the collections', () => {
  it('have every public operation once', () => {
    expect(items.map(({ name }) => name).sort()).toEqual([...names].sort());
    const files = Object.keys(bruno).flatMap((path) => /^bruno\/\w+\/(?!folder)(\w+)\.bru$/.exec(path)?.[1] ?? []);
    expect(files.filter((name) => name !== 'local').sort()).toEqual([...names].sort());
  });

  test.each(requests)('$name goes to the address of its operation, with a body and ids that it accepts', (request) => {
    const operation = declared(request.name);
    const { request: sent } = items.find(({ name }) => name === request.name) as Item;
    const path = `/${sent.url.path.join('/')}`;
    expect(sent.method).toBe(operation.rest.method);
    expect(path.replace(/:(\w+)/g, '{$1}')).toBe(request.path);
    expect(sent.url.raw).toBe(`{{url}}${path}`);
    expect(problemsOf(request, sent.body?.raw)).toEqual([]);
    const ids = Object.fromEntries((sent.url.variable ?? []).map(({ key, value }) => [key, filled(value)]));
    expect(operation.params?.safeParse(ids).error?.issues ?? []).toEqual([]);
    expect(sent.header.some(({ key }) => key === 'Idempotency-Key')).toBe(operation.idempotency !== undefined);
  });

  test.each(requests)('$name is the same request in Bruno', (request) => {
    const blocks = blocksOf(bruno[`bruno/${request.folder}/${request.name}.bru`] ?? '');
    const sent = blocks[request.method.toLowerCase()] ?? '';
    expect(sent).toContain(`url: {{url}}${request.path.replace(/\{(\w+)\}/g, ':$1')}\n`);
    expect(sent).toContain(`auth: ${declared(request.name).scope === null ? 'none' : 'inherit'}`);
    expect(problemsOf(request, blocks['body:json'])).toEqual([]);
    expect(blocks['headers']?.includes('Idempotency-Key: {{idempotency_key}}') ?? false).toBe(request.write);
    for (const { name, value } of request.params) expect(blocks['params:path']).toContain(`${name}: ${value}`);
  });

  it('show only values of optional fields that the operation accepts', () => {
    const refused = requests.flatMap(({ name, query }) =>
      query
        .filter((one) => {
          const schema = declared(name).query?.shape[one.name];
          return (
            schema !== undefined &&
            !(schema as { safeParse: (v: unknown) => { success: boolean } }).safeParse(filled(one.example)).success
          );
        })
        .map((one) => `${name} ${one.name}=${one.example}`),
    );
    expect(refused).toEqual([]);
  });

  it('have variables for address and key', () => {
    expect(postman.info.schema).toContain('/v2.1.0/');
    expect(postman.variable.map(({ key }) => key)).toEqual(['url', 'key', 'repeat_key']);
    expect(bruno['bruno/environments/local.bru']).toMatch(/url: http[\s\S]+vars:secret \[\n {2}key\n\]/);
  });
});

describe('the scripts of the collections', () => {
  const QUOTE = {
    plan: { plan_id: 'p1', campaign_id: 'c1', terms_fingerprint: 'f1', total_cents: 97_000, lines: [{ id: 'l1' }] },
  };

  type Run = (listen: string, start?: Record<string, string>, answer?: object) => Record<string, unknown>;

  const inPostman: Run = (listen, start = {}, answer = QUOTE) => {
    const values: Record<string, unknown> = { ...start };
    const set = (name: string, value: unknown) => {
      values[name] = value;
    };
    const get = (name: string) => values[name];
    const pm = {
      variables: { get, replaceIn: () => 'random-1' },
      collectionVariables: { set },
      response: { json: () => answer },
    };
    const { exec } = postman.event.find((one) => one.listen === listen)?.script ?? { exec: [] };
    new Function('pm', exec.join('\n'))(pm);
    return values;
  };
  const inBruno: Run = (listen, start = {}, answer = QUOTE) => {
    const values: Record<string, unknown> = { ...start };
    const set = (name: string, value: unknown) => {
      values[name] = value;
    };
    const bru = { getVar: (name: string) => values[name], getEnvVar: () => '', setVar: set };
    const named = { prerequest: 'script:pre-request', test: 'script:post-response' }[listen] ?? '';
    const text = blocksOf(bruno['bruno/collection.bru'] ?? '')[named] ?? '';
    const random = () => ({ randomUUID: () => 'random-1' });
    new Function('bru', 'res', 'require', text)(bru, { getBody: () => answer }, random);
    return values;
  };

  it.each([
    ['Postman', inPostman],
    ['Bruno', inBruno],
  ])('of %s make a new Idempotency-Key, or repeat the one that was asked for', (_program, run) => {
    expect(run('prerequest')).toMatchObject({ idempotency_key: 'random-1', window_start: expect.any(String) });
    expect(run('prerequest', { repeat_key: 'again-01' })).toMatchObject({ idempotency_key: 'again-01' });
  });

  it.each([
    ['Postman', inPostman],
    ['Bruno', inBruno],
  ])('of %s keep the ids, the fingerprint and the total of an answer', (_program, run) => {
    expect(run('test', { order_id: 'o1' })).toEqual({
      plan_id: 'p1',
      campaign_id: 'c1',
      terms_fingerprint: 'f1',
      total_cents: 97_000,
      line_id: 'l1',
      order_id: 'o1',
    });
  });

  it.each([
    ['Postman', inPostman],
    ['Bruno', inBruno],
  ])('of %s find the plan in the status of its campaign, and take the total of a quote alone', (_program, run) => {
    expect(run('test', {}, { id: 'c1', plan: { id: 'p1', total_cents: 5, lines: [] } })).toEqual({ plan_id: 'p1' });
    expect(run('test', {}, { order: { total_cents: 5 }, total_cents: 5 })).toEqual({});
  });

  it('sign the plan for the total of its quote', () => {
    const raw = items.find(({ name }) => name === 'approve_plan')?.request.body?.raw ?? '';
    expect(JSON.parse(filled(raw))).toEqual({
      terms_fingerprint: FILLED['terms_fingerprint'],
      expected_total_cents: 97_000,
    });
  });
});
