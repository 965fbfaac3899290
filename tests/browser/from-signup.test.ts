import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { aBrand, type SharedStack, sharedStack } from '../support/stack.js';

/** A person and their agent take some seconds; a busy machine takes many times as long. */
const LIMIT_MS = 240_000;

type Ran = { code: number; out: string; error: string };

/** The command as somebody with this stack runs it. */
const demo = (stack: SharedStack, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> => {
  const home = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? '', 'demo-'));
  const runtime = {
    app_url: stack.appUrl,
    api_url: stack.apiUrl,
    ops_url: stack.opsUrl,
    ops_token: stack.opsToken,
    relay_token: stack.relayToken,
  };
  writeFileSync(join(home, 'runtime.json'), JSON.stringify(runtime));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['tools/demo.ts', ...args],
      { env: { ...process.env, CI: 'true', NO_COLOR: '1', CDS_HOME: home, ...env } },
      (error, out, errors) => resolve({ code: error === null ? 0 : Number(error.code), out, error: errors }),
    );
  });
};

/** Every page that the newcomer sees, in order. */
const MET = [
  'home',
  'sign-up',
  'sign-up-sent',
  'sign-in',
  'sign-in-sent',
  'sign-in-link',
  'developers',
  'terms',
  'terms-accepted',
  'key-new',
  'key-made',
  'key',
  'key-terms',
  'key-may-sign',
  'usage',
  'payment',
];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

describe('npm run demo -- --from-signup', () => {
  let stack: SharedStack;
  let mongo: MongoClient;
  beforeAll(async () => {
    stack = await sharedStack();
    // Seeding a brand publishes the terms, as each development start does; the newcomer uses nothing else from it.
    await aBrand(stack);
    mongo = await MongoClient.connect(stack.mongodbUri);
  }, 150_000);
  afterAll(() => mongo?.close());

  const rows = (service: string, name: string) => mongo.db(`${stack.prefix}cds_${service}`).collection(name);

  test(
    'a newcomer signs up, gets a key and has a plan signed, with pages, messages and answers alone',
    async () => {
      const folder = process.env['CDS_SCREENSHOTS'] ?? mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? '', 'pages-'));
      const asked = join(folder, 'from-signup');
      const ran = await demo(stack, ['--from-signup', '--screenshots', asked]);
      expect(ran).toMatchObject({ code: 0, error: '' });
      expect(ran.out).not.toContain('\u001b');

      const company = /company +(Orbit \w+),/.exec(ran.out)?.[1];
      const brand = await rows('gateway', 'brands').findOne({ name: company });
      expect(brand).toMatchObject({ status: 'approved', applicant: { name: 'Maya Lind' } });
      const workspaces = await rows('gateway', 'workspaces').find({ brand_id: brand?._id }).toArray();
      expect(workspaces).toMatchObject([{ kind: 'live' }]);
      const ws = workspaces[0]?._id;
      const keys = await rows('gateway', 'keys').find({ ws }).sort({ name: 1 }).toArray();
      expect(keys.map(({ name }) => name)).toEqual(['Launch agent', 'app']);
      const accepted = await rows('gateway', 'terms_acceptances').find({ ws }).sort({ at: 1 }).toArray();
      expect(accepted).toMatchObject([{ own: true }, { own: false, key_id: keys[0]?.['key_id'] }]);

      const orders = await rows('billing', 'orders').find({ ws }).toArray();
      expect(orders).toMatchObject([{ key_id: keys[0]?.['key_id'], sandbox: false, payment_state: 'unpaid' }]);
      const plans = await rows('planning', 'plans').find({ ws }).toArray();
      expect(plans).toMatchObject([{ _id: orders[0]?.['plan_id'], status: 'approved' }]);

      const files = MET.flatMap((name, at) =>
        ['desktop', 'phone'].map((size) => `${String(at + 1).padStart(2, '0')}-${name}-${size}.png`),
      );
      expect(readdirSync(asked).sort()).toEqual(files);
      for (const file of files) expect(readFileSync(join(asked, file)).subarray(0, 4)).toEqual(PNG);
      expect(ran.out).toContain(`${files.length} pictures are in ${asked}`);
    },
    LIMIT_MS,
  );

  test('says what to do when Chromium is not there', async () => {
    const ran = await demo(stack, ['--from-signup'], { CDS_TEST_CHROMIUM: '/nonexistent/chromium' });
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.error).toContain('Chromium does not start: /nonexistent/chromium.');
    expect(ran.error).toContain('apt-get install chromium');
  }, 60_000);

  test('takes no option that does not belong to it', async () => {
    const ran = await demo(stack, ['--screenshots', 'somewhere']);
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.error).toContain("Option '--screenshots' needs '--from-signup'.");
  }, 60_000);
});
