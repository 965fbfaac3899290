import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const ENVIRONMENT = {
  CDS_NATS_URL: 'nats://127.0.0.1',
  CDS_NATS_USER: 'billing',
  CDS_NATS_PASSWORD: 'x',
  CDS_MONGODB_URI: 'mongodb://127.0.0.1',
  CDS_MONGODB_DB: 'cds_billing',
  CDS_OPS_PORT: '0',
  CDS_AUDIT_DIR: '/tmp/audit',
  CDS_AUDIT_KEY: 'MC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',
  CDS_CTX_KEYS: JSON.stringify({
    to: { planning: key(1), proposals: key(1) },
    from: { gateway: key(1), planning: key(1) },
  }),
  CDS_APP_URL: 'https://app.example.com/',
  CDS_SANDBOX_RAIL_SECRET: 'a secret of the rail',
  CDS_PAY_TOKEN_KEYS: JSON.stringify({ 1: key(2), 2: key(3) }),
  CDS_PAY_FORM_KEY: key(4),
  CDS_RECEIPT_KEYS: JSON.stringify({ 1: key(5), 2: key(6) }),
};

describe("billing's payment link keys", () => {
  it('are read by version, with the form key beside them', () => {
    const { own } = readConfig(ENVIRONMENT);
    expect(Object.keys(own.CDS_PAY_TOKEN_KEYS)).toEqual(['1', '2']);
    expect(own.CDS_PAY_FORM_KEY.export()).toEqual(Buffer.alloc(32, 4));
  });

  it.each([
    ['no version', {}, 'no version is in use'],
    ['a version that is not a number', { new: key(1) }, 'versions are 1, 2'],
    ['version 0', { 0: key(1) }, 'versions are 1, 2'],
    ['a short key', { 1: Buffer.alloc(16).toString('base64') }, 'must be JSON of version'],
  ])('are refused with %s', (_name, keys, problem) => {
    expect(() => readConfig({ ...ENVIRONMENT, CDS_PAY_TOKEN_KEYS: JSON.stringify(keys) })).toThrow(
      `CDS_PAY_TOKEN_KEYS: ${problem}`,
    );
  });

  it('are refused without a form key', () => {
    expect(() => readConfig({ ...ENVIRONMENT, CDS_PAY_FORM_KEY: undefined })).toThrow(/CDS_PAY_FORM_KEY/);
  });
});

describe("billing's receipt keys", () => {
  it('are the Ed25519 keys of their seeds, by version', () => {
    const { own } = readConfig(ENVIRONMENT);
    expect(
      Object.entries(own.CDS_RECEIPT_KEYS).map(([version, { asymmetricKeyType }]) => [version, asymmetricKeyType]),
    ).toEqual([
      ['1', 'ed25519'],
      ['2', 'ed25519'],
    ]);
    expect(own.CDS_RECEIPT_KEYS['1']?.export({ format: 'jwk' })['d']).toBe(Buffer.alloc(32, 5).toString('base64url'));
  });

  it.each([
    ['no version', {}, 'no version is in use'],
    ['a version that is not a number', { new: key(1) }, 'versions are 1, 2'],
    ['a short seed', { 1: Buffer.alloc(31).toString('base64') }, 'must be JSON of version'],
    ['an expanded key of 64 bytes', { 1: Buffer.alloc(64).toString('base64') }, 'must be JSON of version'],
  ])('are refused with %s', (_name, keys, problem) => {
    expect(() => readConfig({ ...ENVIRONMENT, CDS_RECEIPT_KEYS: JSON.stringify(keys) })).toThrow(
      `CDS_RECEIPT_KEYS: ${problem}`,
    );
  });
});
