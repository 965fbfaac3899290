import { extensionTools, operationOfTool, toolOperations } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { toolsUnder } from '../mcp/tools.js';
import { answerNamedFor, namedFor, restNames, toolNames } from './named-operations.js';

const plain = toolNames(toolsUnder({ extensions: false }, false).operations);
const extended = toolNames(toolsUnder({ extensions: true }, false).operations);
const OF = { service: 'planning' } as const;

describe('the name of an operation in a sentence for a caller', () => {
  test.each([
    ['REST', restNames, 'POST /api/v1/lines/{id}/replace'],
    ['MCP without extensions', plain, 'the REST API'],
    ['MCP with extensions', extended, 'line_replace'],
  ])('of %s is what it can call', (_transport, nameOf, name) => {
    const said = (by: string) => ({ notes: [{ kind: 'replacement_choice', text: `Choose with ${by} today.` }] });
    const bytes = new TextEncoder().encode(JSON.stringify(said('line_replace')));
    expect(JSON.parse(Buffer.from(answerNamedFor(OF, bytes, nameOf)).toString())).toEqual(said(name));
  });

  test.each([...toolOperations(), ...extensionTools()].map(({ name, tool }) => [tool.name ?? name]))(
    'of %s is one that REST and MCP have',
    (name) => {
      const json = JSON.stringify({ message: name });
      expect(namedFor(json, restNames)).toMatch(/"(?:GET|POST|PUT|PATCH|DELETE) \/api\/|"[a-z]+"/);
      if (operationOfTool(name)?.extension === undefined) expect(namedFor(json, plain)).toBe(json);
    },
  );

  test('leaves what a person wrote, and answers that are no JSON', () => {
    const json = JSON.stringify({ campaign: 'plan_quote', plan_quote: 'approve_plan', lines: [1.5] });
    expect(namedFor(json, restNames)).toBe(json);
    expect(answerNamedFor({ service: 'billing', mediaType: 'application/x-ndjson' }, 'a,plan_quote', restNames)).toBe(
      'a,plan_quote',
    );
  });
});
