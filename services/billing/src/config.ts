import { createSecretKey } from 'node:crypto';
import type { Seller } from '@cds/contracts';
import { Base64, HttpUrl, Keys32Bytes, readEnvironment, secret, serviceVariables } from '@cds/service';
import { z } from 'zod';
import { receiptKeyOf } from './domain/receipt-key.js';

/** Lines of text: separated by line breaks or by `|`, which fits on one line of an environment file. */
const Lines = z
  .string()
  .max(1_000)
  .default('')
  .transform((text) =>
    text
      .split(/[\n|]/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

const Settings = z.object({
  CDS_APP_URL: HttpUrl.transform((url) => url.replace(/\/+$/, '')).describe("The root URL of the application's pages."),
  CDS_SANDBOX_RAIL_SECRET: secret(z.string().min(16)).describe('What the sandbox rail signs its events with.'),
  CDS_PAY_TOKEN_KEYS: secret(Keys32Bytes).describe(
    'The AES-256-GCM keys that seal payment links, of 32 bytes, by version: the highest seals new links, every one opens what it sealed.',
  ),
  CDS_PAY_FORM_KEY: secret(
    Base64.refine((key) => key.length === 32, 'must be 32 bytes in base64').transform((key) => createSecretKey(key)),
  ).describe('The key that authenticates the forms of payment pages, of 32 bytes in base64.'),
  CDS_RECEIPT_KEYS: secret(
    Keys32Bytes.transform((seeds) =>
      Object.fromEntries(Object.entries(seeds).map(([version, seed]) => [version, receiptKeyOf(seed.export())])),
    ),
  ).describe(
    'The seeds of the Ed25519 keys that sign receipts, of 32 bytes, by version: the highest signs, the public keys of all are published.',
  ),
  CDS_STRIPE_SECRET_KEY: secret(
    z
      .string()
      .regex(/^((sk|rk)_(live|test)_\w+)?$/, 'must begin with rk_ or sk_, or be empty')
      .default(''),
  ).describe('A restricted secret key of Stripe (docs/guides/rails.md). Empty: live orders are paid by invoice alone.'),
  CDS_STRIPE_WEBHOOK_SECRETS: secret(
    z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== ''),
      ),
  ).describe("The signing secrets of Stripe's webhook endpoint, with commas between: two while one is replaced."),
  CDS_STRIPE_API_URL: z
    .literal('')
    .or(HttpUrl)
    .default('')
    .describe("Where Stripe's API is, for a test server. Empty: Stripe itself."),
  CDS_SELLER_NAME: z
    .string()
    .min(1)
    .max(200)
    .default('Creator Distribution Service')
    .describe('Who sells, as payment pages, invoices and receipts name it.'),
  CDS_SELLER_ADDRESS: Lines.describe('Its address; | separates lines.'),
  CDS_SELLER_TAX_ID: z.string().max(50).default('').describe('Its tax number.'),
  CDS_SELLER_EMAIL: z.email().default('billing@localhost.localdomain').describe('Whom a payer asks.'),
  CDS_SELLER_BANK: Lines.describe('Where a bank transfer goes, as an invoice shows it; | separates lines.'),
});

const Own = Settings.refine((own) => own.CDS_STRIPE_SECRET_KEY === '' || own.CDS_STRIPE_WEBHOOK_SECRETS.length > 0, {
  path: ['CDS_STRIPE_WEBHOOK_SECRETS'],
  message: 'must name the signing secret of the webhook endpoint, because CDS_STRIPE_SECRET_KEY is set',
});

export type BillingConfig = z.output<typeof Own>;

export const sellerOf = (own: BillingConfig): Seller => ({
  name: own.CDS_SELLER_NAME,
  address: own.CDS_SELLER_ADDRESS,
  tax_id: own.CDS_SELLER_TAX_ID,
  email: own.CDS_SELLER_EMAIL,
  bank: own.CDS_SELLER_BANK,
});

export const variables = serviceVariables('billing', Settings);

export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('billing', Own, env);
