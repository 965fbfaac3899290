import { randomUUID } from 'node:crypto';
import type { Output } from '@cds/contracts';
import type { Page } from 'playwright-core';
import { openMailbox } from '../../tools/lib/mailbox.js';
import { operator } from '../../tools/lib/seed.js';
import { aBrand, type SharedStack } from '../support/stack.js';

/** A person of a company that was just approved, who has not signed in yet. */
export type Newcomer = {
  /** Signs in by the mailed link, which leads back to the client's request. */
  signIn: (page: Page) => Promise<void>;
  /** Makes a key that may sign, and accepts the terms for it. */
  makeKey: (page: Page) => Promise<void>;
};

const press = (page: Page, role: 'button' | 'link', name: string): Promise<void> =>
  page.getByRole(role, { name }).click();

const makeKey = async (page: Page): Promise<void> => {
  await press(page, 'link', 'Make a new key for it');
  if (!(await page.getByLabel('Search creators').isChecked())) throw new Error('the form begins without read scopes');
  if (await page.getByLabel(/^Sign plans/).isChecked()) throw new Error('the form begins with the scope to sign');
  await page.getByLabel(/^Work on campaigns/).check();
  await page.getByLabel(/^Sign plans/).check();
  await page.getByLabel('Set a mandate').check();
  await page.getByLabel('Most for one plan').fill('10,000');
  await page.getByLabel('Most in a month').fill('25,000');
  await page.getByLabel('May sign plans').check();
  await press(page, 'button', 'Make the key');
  await page.getByLabel('I have read these terms').check();
  await press(page, 'button', 'Accept the terms');
};

/** Lets a client act as the key that is chosen, once the page asks for it. */
export const allow = async (page: Page, client: string): Promise<void> => {
  await page.getByRole('heading', { name: `Connect ${client}?` }).waitFor();
  await press(page, 'button', 'Allow');
};

/** Signs up a company and approves it. */
export const aNewcomer = async (stack: SharedStack): Promise<Newcomer> => {
  // Seeding a brand publishes the terms, as each development start does; nothing else of it is used.
  await aBrand(stack);
  const email = `maya-${randomUUID().slice(0, 8)}@orbit.example`;
  const company = `Orbit ${randomUUID().slice(0, 6)}`;
  const ops = operator({ opsUrl: stack.opsUrl, opsToken: stack.opsToken });
  const mail = openMailbox(stack, email);
  const applied = await fetch(`${stack.appUrl}/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ company, website: 'https://orbit.example.com', name: 'Maya Lind', email }),
  });
  if (applied.status !== 202) throw new Error(`no sign-up: ${applied.status} ${await applied.text()}`);
  const { body } = await ops<Output<'ops_brands_list'>>('GET', '/brands?status=pending&limit=200');
  const found = body.items.find(({ applicant }) => applicant?.email === email);
  await ops('POST', `/brands/${found?.id}/approve`, { reason: 'a test looked at the company' });
  return {
    makeKey,
    signIn: async (page) => {
      await page.getByLabel('Email').fill(email);
      await press(page, 'button', 'Send me a link');
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
      await page.goto((await mail.waitForLink('sign_in')).link);
      await press(page, 'button', 'Sign in');
    },
  };
};
