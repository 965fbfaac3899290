import { describe, expect, test } from '@jest/globals';
import { hasEndpoint, pathOf } from './endpoints.js';
import { CONFLICT_REASONS } from './error.js';
import { subjectOf } from './operation.js';
import {
  eventMap,
  events,
  extensionTools,
  operationByName,
  operationOfTool,
  operations,
  publishedOperations,
  sandboxTools,
  toolNameOf,
  toolOperations,
} from './registry.js';
import { CALLS } from './service.js';
import { proves } from './testing/proves.js';

/**
 * The tools of the specification: name, title, hints, scope, endpoint (docs/domain/access.md#scopes,
 * docs/domain/mcp.md#mcp).
 */
const TOOLS = [
  ['inventory', 'Network coverage', 'R I', 'inventory:read', 'GET /inventory'],
  ['resolve_audience', 'Audience fit', 'R I', 'audience:read', 'GET /audience'],
  ['creators_search', 'Search creators', 'R I', 'creators:read', 'GET /creators'],
  ['creator_get', 'Open a creator', 'R I', 'creators:read', 'GET /creators/{id}'],
  ['creator_ask_price', 'Ask for a price', 'I O', 'creators:read', 'POST /creators/{id}/price-request'],
  ['campaigns_list', 'List campaigns', 'R I', 'campaigns:read', 'GET /campaigns'],
  ['create_campaign', 'Start a campaign', 'I', 'campaigns:write', 'POST /campaigns'],
  ['campaign_status', 'Campaign status', 'R I', 'campaigns:read', 'GET /campaigns/{id}'],
  ['rename_campaign', 'Rename a campaign', 'D I', 'campaigns:write', 'PATCH /campaigns/{id}'],
  [
    'set_creator_guidelines',
    'Set creator guidelines',
    'D I',
    'campaigns:write',
    'POST /campaigns/{id}/creator-guidelines',
  ],
  ['plan_quote', 'Quote a plan', 'R I', 'campaigns:read', 'GET /plans/{id}/quote'],
  ['plan_add_creator', 'Add a creator', 'I', 'campaigns:write', 'POST /plans/{id}/lines'],
  ['plan_remove_creator', 'Remove a creator', 'D I', 'campaigns:write', 'DELETE /plans/{id}/lines/{line_id}'],
  ['plan_swap_creator', 'Swap a creator', 'D I', 'campaigns:write', 'POST /plans/{id}/lines/{line_id}/swap'],
  ['plan_move_dates', 'Move the dates', 'D I', 'campaigns:write', 'POST /plans/{id}/dates'],
  ['approve_plan', 'Sign a plan', 'D I O', 'plans:approve', 'POST /plans/{id}/approve'],
  ['evidence_list', 'Proof of posts', 'R I', 'evidence:read', 'GET /evidence'],
  ['results_list', 'Results of posts', 'R I', 'results:read', 'GET /results'],
  ['brain_get', 'Company context', 'R I', 'brain:read', 'GET /brain'],
  ['feedback_send', 'Send feedback', 'O', 'any', 'POST /feedback'],
] as const;

describe('names agree', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(subjectOf(operation)).toBe(`cds.${operation.service}.${name}`);
    expect(operationByName(name)).toBe(operation);
    expect(operation.summary).toMatch(/^[A-Z].*\.$/);
  });

  test('every judge is an internal read of the operation’s own service', () => {
    const judged = operations.filter(({ judge }) => judge !== undefined);
    expect(judged.map(({ name }) => name)).toEqual(['create_campaign']);
    for (const { judge, service } of judged)
      expect(operationByName(judge ?? '')).toMatchObject({ service, audience: 'internal', effect: 'read' });
  });

  test('every event is in the map under its own name', () => {
    expect(Object.entries(eventMap).filter(([name, event]) => name !== event.name)).toEqual([]);
    for (const event of events) expect(event.name).toMatch(/^[a-z]+(?:_[a-z]+)?\.[a-z]+$/);
  });

  test('no two operations share a method and a path', () => {
    const endpoints = operations
      .filter(hasEndpoint)
      .map((operation) => `${operation.rest.method} ${pathOf(operation)}`);
    expect(new Set(endpoints).size).toBe(endpoints.length);
  });
});

describe('tools', () => {
  test('are those of the specification, in its order', () => {
    expect(toolOperations().map((operation) => operation.name)).toEqual(TOOLS.map(([name]) => name));
  });

  test('are ranked from 1, those of extensions after the specified ones and those of the sandbox last', () => {
    const ranks = [...toolOperations(), ...extensionTools(), ...sandboxTools()].map(({ tool }) => tool.rank);
    expect(ranks).toEqual(ranks.map((_rank, index) => index + 1));
  });

  test.each(TOOLS)('%s', (name, title, hints, scope, endpoint) => {
    proves('mcp.hints');
    const operation = operationByName(name);
    const letters = hints.split(' ');
    expect(operation?.tool?.title).toBe(title);
    expect(operation?.tool?.hints).toEqual({
      readOnly: letters.includes('R'),
      destructive: letters.includes('D'),
      idempotent: letters.includes('I'),
      openWorld: letters.includes('O'),
    });
    expect(operation?.scope).toBe(scope);
    expect(`${operation?.rest?.method} ${operation?.rest?.path}`).toBe(endpoint);
    expect(operation?.rest?.root).toBe('v1');
    expect(operation?.audience).toBe('brand');
    expect(operation?.tool?.description).toContain(scope === 'any' ? 'Any valid key' : `Scope ${scope}`);
    if (operation?.meters !== undefined) expect(operation.tool?.description).toMatch(/\bcosts\b/);
  });

  test('of the sandbox have names of their own, by which their operations are found', () => {
    expect(sandboxTools().map((operation) => [toolNameOf(operation), operation.name])).toEqual([
      ['sandbox_status', 'sandbox_clock'],
      ['sandbox_advance', 'sandbox_clock_advance'],
      ['sandbox_pay', 'sandbox_order_payment'],
    ]);
    for (const operation of [...toolOperations(), ...extensionTools(), ...sandboxTools()])
      expect(operationOfTool(toolNameOf(operation))).toBe(operation);
    expect(operationOfTool('sandbox_clock')).toBeUndefined();
  });

  test('of extensions are the only ones marked as such', () => {
    expect(extensionTools().map(({ name }) => name)).toEqual([
      'plan_rationale',
      'key_delegate',
      'plan_preflight',
      'order_get',
      'line_replace',
      'events_list',
      'limits_get',
    ]);
    for (const operation of operations)
      expect(operation.extension === true).toBe(extensionTools().includes(operation as never));
  });

  test('that return text of creators say that it is untrusted', () => {
    const carriers = [
      'creators_search',
      'creator_get',
      'plan_quote',
      'evidence_list',
      'results_list',
      'approve_plan',
      'plan_rationale',
    ];
    for (const name of carriers) expect(operationByName(name)?.tool?.description).toContain('untrusted data');
  });
});

describe('declarations', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s is complete',
    (_name, operation) => {
      const { rest, audience, effect } = operation;
      expect(rest === undefined).toBe(audience === 'internal' || audience === 'guest');
      if (rest !== undefined) {
        // A draft is too large for a query, so trying one is a read by POST.
        if (operation.name !== 'key_mandate_try') expect(effect === 'read').toBe(rest.method === 'GET');
        expect(operation.idempotency === undefined).toBe(effect === 'read');
        const inPath = [...rest.path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]);
        expect(Object.keys(operation.params?.shape ?? {})).toEqual(inPath);
        if (['GET', 'DELETE'].includes(rest.method)) expect(operation.body).toBeUndefined();
        else if (operation.upload === undefined) expect(operation.query).toBeUndefined();
      }
      if (audience === 'sandbox')
        expect(effect === 'read' ? ['any'] : ['campaigns:write', 'plans:approve']).toContain(operation.scope);
      if (['operator', 'person', 'visitor', 'guest', 'public', 'creator', 'relay'].includes(audience))
        expect(operation.scope).toBeNull();
      expect(operation.atLeast !== undefined).toBe(audience === 'person');
      for (const reason of operation.conflicts ?? []) expect(CONFLICT_REASONS).toContain(reason);
    },
  );

  test('every caller of an internal operation is in the map of calls', () => {
    const strangers = operations.flatMap((operation) =>
      (operation.callers ?? [])
        .filter((caller) => !(CALLS[caller] as readonly string[]).includes(operation.service))
        .map((caller) => `${caller} -> ${operation.name}`),
    );
    expect(strangers).toEqual([]);
  });

  test('no service consumes its own events', () => {
    expect(events.filter((event) => event.consumers.includes(event.service))).toEqual([]);
  });

  test('the public documents list brands, sandboxes and the public, tools first', () => {
    const names = publishedOperations().map((operation) => operation.name);
    const tools = [...toolOperations(), ...extensionTools()].map((operation) => operation.name);
    expect(names.slice(0, tools.length)).toEqual(tools);
    expect(names).toContain('network_facts');
    expect(names.filter((name) => name.startsWith('dev_'))).toEqual([]);
  });
});
