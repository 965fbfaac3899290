import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { pathOf } from '../endpoints.js';
import { operations, publishedOperations, toolOperations } from '../registry.js';
import { proves } from '../testing/proves.js';
import { API_VERSION } from '../version.js';
import { documents } from './documents.js';

const made = documents();

type Document = {
  info: { version: string };
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown> };
};
const openapi = JSON.parse(made['openapi.json']) as Document;
const entries = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({ path, method: method.toUpperCase(), entry })),
);

describe('the generated documents', () => {
  test.each(Object.entries(made))('%s is checked in as generated', async (name, text) => {
    expect(await readFile(join(import.meta.dirname, '../../generated', name), 'utf8')).toBe(text);
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
});
