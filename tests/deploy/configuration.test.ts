import { describe, expect, it } from '@jest/globals';
import { SECRET } from '../../tools/lib/deployment.js';
import { CONFIGS, PROCESSES } from './processes.js';

/** What a schema says of its variables, which docs/configuration.md is made from. */
describe('the variables', () => {
  const all = PROCESSES.flatMap((name) => CONFIGS[name].variables.map((variable) => ({ process: name, ...variable })));

  it('each have a meaning, in one sentence or more', () => {
    expect(all.length).toBeGreaterThan(80);
    expect(all.filter(({ description }) => !/^\S.*\.$/s.test(description))).toEqual([]);
  });

  it('mean the same wherever they are read, but for the address and the keys of a pair', () => {
    const meanings = Map.groupBy(all, ({ name }) => name);
    const several = [...meanings].filter(([, of]) => new Set(of.map(({ description }) => description)).size > 1);
    expect(several.map(([name]) => name)).toEqual(['CDS_APP_URL']);
  });

  it('are secrets where deployments keep them as such', () => {
    const secrets = new Set(all.filter(({ secret }) => secret).map(({ name }) => name));
    expect(secrets).toEqual(SECRET);
  });

  it('have a default, or are required', () => {
    for (const { name, required, fallback } of all)
      expect({ name, hasOne: fallback !== null }).toEqual({ name, hasOne: !required });
    expect(all.find(({ name }) => name === 'CDS_OPS_HOST')).toMatchObject({ required: false, fallback: '127.0.0.1' });
    expect(all.find(({ name }) => name === 'CDS_STRIPE_WEBHOOK_SECRETS')).toMatchObject({ fallback: '', secret: true });
  });
});
