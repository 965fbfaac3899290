import { API_VERSION, DEFAULT_SWITCHES } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { versionDocument } from './version.js';

describe('the capability document', () => {
  test('names the version, the endpoints that are served, and what is switched on', () => {
    const served = new Set(['/api/v1', '/api/mcp', '/docs/']);
    const document = versionDocument(
      'https://cds.example',
      { switches: DEFAULT_SWITCHES, networkNow: new Date('2026-11-09T23:59:59.999Z') },
      (path) => served.has(path),
    );
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
    const switches = {
      ...DEFAULT_SWITCHES,
      extensions: true,
      invoice_rail: false,
      payments_open: false,
      deprecated_until: { median_views_30d: '2027-03-01' },
    };
    const document = versionDocument(
      'https://cds.example',
      { switches, networkNow: new Date('2026-11-10T00:00:00.000Z') },
      () => true,
    );
    expect(document.extensions.enabled).toBe(true);
    expect(document.deprecated.fields.map(({ field, sunset }) => [field, sunset])).toEqual([
      ['creators[].median_views_30d', '2027-03-01'],
      ['median_views_30d', '2027-03-01'],
      ['posts_summary.median_views', '2027-01-11'],
      ['confirm_over_budget_cents', null],
      ['mandate.may_exceed_budget', null],
    ]);
    expect(document.payments).toEqual({ open: false, rails: ['checkout'] });
    expect(Object.keys(document.endpoints)).toContain('mcp_guest');
  });
});
