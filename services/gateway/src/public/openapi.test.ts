import { DEFAULT_SWITCHES } from '@cds/contracts';
import { expect, test } from '@jest/globals';
import { openapiAt } from './openapi.js';

test('the published document loses each field on its day, and says the day of one that was extended', () => {
  const text = JSON.stringify({
    components: {
      schemas: {
        Creator: { properties: { id: {}, median_views_30d: { 'x-sunset': '2027-01-11' } } },
        Summary: { properties: { median_views: { 'x-sunset': '2027-01-11' } } },
        Evidence: { properties: { brief_id: { 'x-sunset': '2026-11-10' } } },
        Other: { properties: { median_views: {} } },
      },
    },
  });
  const document = openapiAt(text);
  const fields = (day: string, deprecated_until = {}) => {
    const file = document({ switches: { ...DEFAULT_SWITCHES, deprecated_until }, networkNow: new Date(day) });
    const { schemas } = JSON.parse(file.text).components;
    return Object.values<{ properties: object }>(schemas).map(({ properties }) => properties);
  };
  const median = { 'x-sunset': '2027-01-11' };
  expect(fields('2026-11-10')).toEqual([
    { id: {}, median_views_30d: median },
    { median_views: median },
    {},
    { median_views: {} },
  ]);
  expect(fields('2027-01-11', { median_views_30d: '2027-02-01' })).toEqual([
    { id: {}, median_views_30d: { 'x-sunset': '2027-02-01' } },
    {},
    {},
    { median_views: {} },
  ]);
});
