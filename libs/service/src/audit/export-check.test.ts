import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../pure/canonical-json.js';
import { anExport, type Tampered, tamperedFiles } from '../testing/audit-exports.js';
import { checkExport } from './export-check.js';

const key = generateKeyPairSync('ed25519').privateKey;
const whole = anExport(key);
const trusted = new Set([whole.key]);

/** The offline check of an exported audit (docs/guides/audit.md#what-it-finds). */
describe('the check of an export', () => {
  const files = tamperedFiles(whole);
  const seen = new Set<string>();
  afterAll(() => {
    expect(seen.size).toBe(files.length);
  });

  it('finds nothing in the untampered file, with and without the public key', () => {
    expect(checkExport(whole.text, trusted)).toMatchObject({ findings: [], entries: 36, checkpoints: 6, next: null });
    expect(checkExport(whole.text)).toMatchObject({ findings: [], keys: [whole.key] });
  });

  it('has a table of 200 files, each different', () => {
    expect(files).toHaveLength(200);
    expect(new Set(files.map(({ text }) => text)).size).toBe(200);
    expect(files.every(({ text }) => text !== whole.text)).toBe(true);
  });

  it.each(files.map((file): [string, Tampered] => [file.name, file]))('finds %s', (name, { text, finds }) => {
    seen.add(name);
    const { findings } = checkExport(text, trusted);
    expect(findings).toEqual(expect.arrayContaining(finds.map((one) => expect.objectContaining(one))));
    expect(finds.length).toBeGreaterThan(0);
  });

  it('finds a file that somebody else signed as a whole', () => {
    const forged = anExport(generateKeyPairSync('ed25519').privateKey);
    expect(checkExport(forged.text).findings).toEqual([]);
    const { findings } = checkExport(forged.text, trusted);
    expect(findings.filter(({ problem }) => problem === 'forged')).toHaveLength(7);
  });

  it('finds an entry that was rewritten together with everything after it', () => {
    const { findings } = checkExport(anExport(key, { rewriteFrom: ['billing', 5] }).text, trusted);
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ problem: 'rewritten', what: 'entry', service: 'billing', seq: 6 }),
        expect.objectContaining({ problem: 'rewritten', what: 'entry', service: 'billing', seq: 12 }),
      ]),
    );
  });

  it('names the next file of a long export', () => {
    const { text } = anExport(key, { next: 'export.1.2.3.4.5.6' });
    expect(checkExport(text, trusted)).toMatchObject({ findings: [], next: 'export.1.2.3.4.5.6' });
  });

  it('does not take a line that is spelled otherwise', () => {
    const [first = '', ...others] = whole.text.split('\n');
    const spaced = JSON.stringify(JSON.parse(first), null, 1).replaceAll('\n', '');
    expect(canonicalJson(JSON.parse(spaced))).toBe(first);
    expect(checkExport([spaced, ...others].join('\n'), trusted).findings).toContainEqual(
      expect.objectContaining({ problem: 'unreadable', line: 1 }),
    );
  });
});
