import { API_VERSION, DEFAULT_SWITCHES } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { versionDocument } from './version.js';

describe('the capability document', () => {
  test('names the version, the endpoints that are served, and what is switched on', () => {
    const served = new Set(['/api/v1', '/api/mcp', '/docs/']);
    const document = versionDocument('https://cds.example', DEFAULT_SWITCHES, (path) => served.has(path));
    expect(document.version).toBe(API_VERSION);
    expect(document.endpoints).toEqual({
      rest: 'https://cds.example/api/v1',
      mcp: 'https://cds.example/api/mcp',
      docs: 'https://cds.example/docs/',
    });
    expect(document.mcp.protocol_versions).toContain('2026-07-28');
    expect(document.extensions).toEqual({ enabled: false, tools: expect.arrayContaining(['plan_preflight']) });
    expect(document.deprecated.fields).toContainEqual({
      operation: 'evidence_list',
      field: 'items[].brief_id',
      sunset: '2026-11-10',
    });
  });

  test('follows the switches of the operator', () => {
    const switches = { ...DEFAULT_SWITCHES, extensions: true, invoice_rail: false, payments_open: false };
    const document = versionDocument('https://cds.example', switches, () => true);
    expect(document.extensions.enabled).toBe(true);
    expect(document.payments).toEqual({ open: false, rails: ['checkout'] });
    expect(Object.keys(document.endpoints)).toContain('mcp_guest');
  });
});
