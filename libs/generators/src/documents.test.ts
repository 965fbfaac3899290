import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  API_VERSION,
  DEPRECATED_FIELDS,
  deprecatedAt,
  LIMITS,
  operationByName,
  operations,
  pathOf,
  publishedOperations,
  toolNameOf,
  toolOperations,
} from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, test } from '@jest/globals';
import { documents } from './documents.js';
import { recordedExamples, WITHOUT_EXAMPLE } from './examples.js';
import { generatedFiles } from './generated-files.js';

const made = documents();

type Schema = { [key: string]: unknown };
type Media = { 'application/json'?: { schema?: Schema; examples?: Record<string, { value: unknown }> } };
type Entry = {
  operationId: string;
  summary: string;
  description: string;
  parameters: { $ref?: string; description?: string; name?: string; required?: boolean }[];
  requestBody?: { content: Media };
  responses: Record<string, { headers: Record<string, unknown>; content?: Media }>;
  'x-scope': string | null;
  'x-mcp-tool'?: { name: string; listed: string };
  'x-limits': { name: string; scopes: string[]; limit: number | null; per_creator?: number }[];
};

type Document = {
  info: { version: string };
  paths: Record<string, Record<string, Entry>>;
  components: { schemas: Record<string, unknown> };
};
const openapi = JSON.parse(made['openapi.json']) as Document;
const entries = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({ path, method: method.toUpperCase(), entry })),
);

describe('the generated documents', () => {
  test.each(Object.entries(generatedFiles()))('in %s are checked in as generated', async (folder, files) => {
    const root = join(import.meta.dirname, '../../..', folder);
    for (const [name, text] of Object.entries(files)) expect(await readFile(join(root, name), 'utf8')).toBe(text);
  });

  test('carry the one version', () => {
    proves('version.root');
    expect(openapi.info.version).toBe(API_VERSION);
  });

  test('the tools are in order', () => {
    const tools = JSON.parse(made['tools.json']) as { name: string }[];
    expect(tools.map((tool) => tool.name)).toEqual(toolOperations().map((operation) => operation.name));
  });

  test('the index has one line for each operation, with its audience and its name', () => {
    const lines = made['operations.txt'].trimEnd().split('\n');
    const listed = lines.map((line) => line.split(/ {2,}/)).map(([audience, , , name]) => `${audience} ${name}`);
    expect(listed.sort()).toEqual(operations.map(({ audience, name }) => `${audience} ${name}`).sort());
  });
});

describe('OpenAPI', () => {
  test('lists exactly the public operations, each under its name', () => {
    expect(entries.map(({ path, method, entry }) => `${entry.operationId} ${method} ${path}`).sort()).toEqual(
      publishedOperations()
        .map((operation) => `${operation.name} ${operation.rest.method} ${pathOf(operation)}`)
        .sort(),
    );
  });

  test('names no operator or internal operation', () => {
    const text = made['openapi.json'];
    const hidden = operations.filter((operation) => ['operator', 'internal'].includes(operation.audience));
    expect(hidden.filter((operation) => text.includes(`"operationId": "${operation.name}"`))).toEqual([]);
    expect(text).not.toContain('/api/ops');
  });

  test('publishes open answers and closed requests', () => {
    const { CampaignInput, CreatorGuidelinesInput, ...answers } = openapi.components.schemas;
    for (const schema of [CampaignInput, CreatorGuidelinesInput])
      expect(schema).toMatchObject({ additionalProperties: false });
    for (const schema of Object.values(answers)) expect(schema).not.toMatchObject({ additionalProperties: false });
  });

  test('names the resources of the specification', () => {
    expect(Object.keys(openapi.components.schemas)).toEqual(
      expect.arrayContaining([
        'Error',
        'Segment',
        'ChannelFit',
        'Inventory',
        'CampaignSummary',
        'CampaignStatus',
        'CreatorGuidelines',
        'CampaignInput',
        'EvidenceItem',
        'ResultItem',
        'Brain',
        'Offering',
        'Creator',
        'CreatorSummary',
        'Creators',
        'Mandate',
        'QuoteLine',
        'PaymentOption',
        'Quote',
      ]),
    );
  });

  test('only a price request documents 502, for one that did not reach the team', () => {
    const documented = publishedOperations().filter(
      (operation) => openapi.paths[pathOf(operation)]?.[operation.rest.method.toLowerCase()]?.responses['502'],
    );
    expect(documented.map(({ name }) => name)).toEqual(['creator_ask_price']);
  });

  test('every operation with a key documents 401, 403 and 429', () => {
    for (const operation of publishedOperations().filter(({ scope }) => scope !== null)) {
      const entry = openapi.paths[pathOf(operation)]?.[operation.rest.method.toLowerCase()];
      expect(Object.keys(entry?.responses ?? {})).toEqual(expect.arrayContaining(['400', '401', '403', '429', '503']));
    }
  });

  test.each([
    ['inventory', []],
    ['creators_search', ['per_minute', 'locked', 'daily_lists', 'daily_seen']],
    ['creator_get', ['per_minute', 'locked', 'daily_reveals', 'daily_seen']],
    ['creator_ask_price', ['daily_writes', 'locked', 'daily_reveals', 'daily_seen', 'daily_limit']],
    ['create_campaign', ['daily_writes', 'daily_campaign_limit']],
    ['plan_add_creator', ['daily_writes', 'daily_campaign_limit', 'over_max_plan_total']],
    ['plan_swap_creator', ['daily_writes', 'over_max_plan_total']],
    ['approve_plan', ['daily_writes', 'over_max_plan_total', 'over_monthly_cap']],
    ['key_delegate', ['daily_writes', 'child_key_limit']],
    ['feedback_send', ['daily_writes', 'daily_feedback']],
    ['events_stream', ['stream_limit']],
  ] as const)('%s draws on the limits %j beside the requests of a minute', (name, limits) => {
    const operation = operationByName(name) as ReturnType<typeof publishedOperations>[number];
    const entry = openapi.paths[pathOf(operation)]?.[operation.rest.method.toLowerCase()] as Entry;
    expect(entry['x-limits'].map((limit) => limit.name)).toEqual(['request_rate', ...limits]);
  });

  test('the example of GET /limits has every limit of a key that makes no child keys', () => {
    const media = openapi.paths['/api/v1/limits']?.['get']?.responses['200']?.content?.['application/json'];
    const shown = media?.examples?.['sandbox']?.value as { limits: { name: string }[] } | undefined;
    const named = new Set(shown?.limits.map(({ name }) => name));
    expect(Object.keys(LIMITS).filter((name) => !named.has(name))).toEqual(['child_key_limit']);
  });

  test('a price request has its limit in all, and of one creator', () => {
    const path = pathOf(operationByName('creator_ask_price') as ReturnType<typeof publishedOperations>[number]);
    const entry = openapi.paths[path]?.['post'] as Entry;
    expect(entry['x-limits'].filter(({ per_creator }) => per_creator !== undefined)).toEqual([
      {
        name: 'daily_limit',
        limit: 20,
        per_creator: 3,
        window_seconds: 86_400,
        scopes: ['workspace'],
        unit: 'price_requests',
        refills: 'one_by_one',
      },
    ]);
  });

  test.each(publishedOperations().map((operation) => [operation.name, operation] as const))(
    '%s says its scope, tool and limits, and has an example of what is sent and answered',
    (name, operation) => {
      const entry = openapi.paths[pathOf(operation)]?.[operation.rest.method.toLowerCase()] as Entry;
      expect(entry['x-scope']).toBe(operation.scope);
      expect(entry['x-mcp-tool']?.name).toBe(operation.tool === undefined ? undefined : toolNameOf(operation));
      expect(/MCP tool: (\w+)/.exec(entry.description)?.[1]).toBe(entry['x-mcp-tool']?.name);
      expect(entry['x-limits'][0]).toMatchObject({ name: 'request_rate', limit: operation.scope === null ? 120 : 60 });
      for (const limit of entry['x-limits']) expect(Object.keys(LIMITS)).toContain(limit.name);
      expect(entry['x-limits'].length).toBeGreaterThan(operation.meters?.length ?? 0);

      const key = entry.parameters.find((parameter) => parameter.name === 'Idempotency-Key');
      expect(key?.required).toBe(
        operation.idempotency === undefined ? undefined : operation.idempotency === 'required',
      );
      for (const parameter of entry.parameters) expect(parameter.$ref ?? parameter.description).toBeTruthy();
      for (const { headers } of Object.values(entry.responses)) expect(Object.keys(headers)).toContain('x-request-id');

      if (name in WITHOUT_EXAMPLE) return;
      const answer = entry.responses[String(operation.success ?? 200)]?.content?.['application/json'];
      expect(Object.keys(answer?.examples ?? {})).toEqual(['sandbox']);
      const sent = entry.requestBody?.content['application/json'];
      expect(Object.keys(sent?.examples ?? {})).toEqual(operation.body === undefined ? [] : ['sandbox']);
      for (const [status, { content }] of Object.entries(entry.responses))
        if (status !== '409') expect([status, content?.['application/json']?.examples]).not.toEqual([status, {}]);
    },
  );

  test('an operation without an example is listed with its reason, and no other has one', () => {
    const without = publishedOperations().filter(({ name }) => !recordedExamples().has(name));
    expect(Object.keys(WITHOUT_EXAMPLE)).toEqual(without.map(({ name }) => name));
  });

  test('deprecated fields say the day they go, the day that the answers say', () => {
    const sunsets = (schema: unknown): string[] =>
      typeof schema !== 'object' || schema === null
        ? []
        : Object.entries(schema).flatMap(([key, inner]) => (key === 'x-sunset' ? [String(inner)] : sunsets(inner)));
    const published = new Set(sunsets(openapi.components.schemas));
    const declared = new Set(
      operations.flatMap(({ deprecated = [] }) =>
        deprecated.map((path) => DEPRECATED_FIELDS[deprecatedAt(path) ?? 'brief_id']),
      ),
    );
    expect(published).toEqual(declared);
    expect(published.size).toBeGreaterThan(0);
  });
});
