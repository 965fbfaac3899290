/**
 * The way of a newcomer, from sign-up to a first signed plan: a person in a browser and then their agent by REST, with
 * nothing but what pages, messages and answers said. The operator only approves the application.
 */
import type { Output } from '@cds/contracts';
import { Failure } from '../lib/failure.ts';
import { openMailbox } from '../lib/mailbox.ts';
import type { Runtime } from '../lib/runtime-file.ts';
import { type Ops, operator } from '../lib/seed.ts';
import { openBrowser, type PersonsBrowser } from './browser.ts';
import { restEndpoint } from './endpoints.ts';
import { signFirstPlan } from './main-job.ts';
import type { Stage } from './stage.ts';

type Newcomer = { company: string; website: string; name: string; email: string };
type Scene = { browser: PersonsBrowser; stage: Stage; newcomer: Newcomer; mail: ReturnType<typeof openMailbox> };

const AUDIENCE = 'startup founders and AI builders';
const KEY_NAME = 'Launch agent';

export async function runFromSignup(runtime: Runtime, newcomer: Newcomer, folder: string, stage: Stage) {
  const { app_url: appUrl, relay_token: relayToken } = runtime;
  const ops = operator({ opsUrl: runtime.ops_url, opsToken: runtime.ops_token });
  const browser = await openBrowser({ folder });
  try {
    const scene = { browser, stage, newcomer, mail: openMailbox({ appUrl, relayToken }, newcomer.email) };
    await signedUp(scene, appUrl);
    await approved(scene, ops);
    await signedIn(scene);
    await acceptedInPerson(scene);
    const { secret, apiUrl } = await madeKey(scene);
    await acceptedForKey(scene);
    const endpoint = await restEndpoint({ url: apiUrl, secret });
    const order = await signFirstPlan({ endpoint, stage, now: new Date().toISOString(), audience: AUDIENCE });
    await lookedBack(scene, order);
    return browser.pictures;
  } finally {
    await browser.close();
  }
}

async function signedUp({ browser, stage, newcomer, mail }: Scene, appUrl: string) {
  const { page } = browser;
  await stage.step('Open the home page', async () => {
    await browser.open(appUrl);
    await browser.meet('Your agent books creators', 'home');
  });
  await stage.step('Sign up the company', async () => {
    await browser.press(page.getByRole('link', { name: 'Sign up your company' }));
    await page.getByLabel('Company', { exact: true }).fill(newcomer.company);
    await page.getByLabel('Website', { exact: true }).fill(newcomer.website);
    await page.getByLabel('Your name', { exact: true }).fill(newcomer.name);
    await page.getByLabel('Work email', { exact: true }).fill(newcomer.email);
    await browser.meet('Sign up your company', 'sign-up');
    await browser.press(page.getByRole('button', { name: 'Sign up' }));
    await browser.meet('We have your application', 'sign-up-sent');
  });
  stage.detail('company', `${newcomer.company}, ${newcomer.website}`);
  const receipt = await stage.step('Check the mail', () => mail.wait('signed_up'));
  stage.detail('message', receipt.subject);
}

async function approved({ stage, newcomer }: Scene, ops: Ops) {
  await stage.step('The operator approves the application', async () => {
    let cursor = '';
    do {
      const { body } = await ops<Output<'ops_brands_list'>>(
        'GET',
        `/brands?status=pending&limit=200${cursor && `&cursor=${cursor}`}`,
      );
      const found = body.items.find(({ applicant }) => applicant?.email === newcomer.email);
      if (found) return ops('POST', `/brands/${found.id}/approve`, { reason: 'The demo looked at the company.' });
      cursor = body.next ?? '';
    } while (cursor);
    throw new Failure(`The application of ${newcomer.company} is not in the operators' list.`, [
      'Read logs/gateway.log in the home folder',
    ]);
  });
  stage.detail('request', 'POST /brands/{id}/approve, with an operator token');
}

async function signedIn({ browser, stage, newcomer, mail }: Scene) {
  const { page } = browser;
  const news = await stage.step('Check the mail again', () => mail.waitForLink('approved'));
  stage.detail('message', `${news.subject}: ${news.link}`);
  await stage.step('Ask for a sign-in link', async () => {
    await browser.open(news.link);
    await page.getByLabel('Email').fill(newcomer.email);
    await browser.meet('Sign in', 'sign-in');
    await browser.press(page.getByRole('button', { name: 'Send me a link' }));
    await browser.meet('Check your mail', 'sign-in-sent');
  });
  const { subject } = await stage.step('Sign in by the link', async () => {
    const message = await mail.waitForLink('sign_in');
    await browser.open(message.link);
    await browser.meet('Sign in', 'sign-in-link');
    await browser.press(page.getByRole('button', { name: 'Sign in' }));
    await browser.meet('Keys', 'developers');
    return message;
  });
  stage.detail('message', subject);
  stage.detail('page', 'Developers, signed in as the owner');
}

async function acceptedInPerson({ browser, stage }: Scene) {
  const { page } = browser;
  await stage.step('Accept the terms in person', async () => {
    await browser.press(page.getByRole('link', { name: 'Terms', exact: true }));
    await browser.meet('Brand terms', 'terms');
    await page.getByLabel('I have read these terms').check();
    await browser.press(page.getByRole('button', { name: 'Accept the terms' }));
    await browser.meet('Brand terms', 'terms-accepted');
  });
  stage.detail('page', await page.getByText('You accepted this version').innerText());
}

/** The form makes a key that may plan and sign. Its page shows the secret once, and where to send requests. */
async function madeKey({ browser, stage }: Scene) {
  const { page } = browser;
  const [secret, request] = await stage.step('Make a key with a mandate', async () => {
    await browser.press(page.getByRole('link', { name: 'Keys', exact: true }));
    await browser.press(page.getByRole('link', { name: 'New key' }));
    await page.getByLabel('Name', { exact: true }).fill(KEY_NAME);
    await page.getByLabel(/^Work on campaigns/).check();
    await page.getByLabel(/^Sign plans/).check();
    await page.getByLabel('Set a mandate').check();
    await page.getByLabel('Most for one plan').fill('10,000');
    await page.getByLabel('Most in a month').fill('25,000');
    await page.getByLabel('May sign plans').check();
    await browser.meet('New key', 'key-new');
    await browser.press(page.getByRole('button', { name: 'Make the key' }));
    await browser.meet(`“${KEY_NAME}” is ready`, 'key-made', {
      secrets: [page.locator('#secret'), page.locator('#env')],
    });
    return Promise.all([page.locator('#secret').innerText(), page.locator('#curl').innerText()]);
  });
  const apiUrl = /curl (\S+)\/inventory/.exec(request)?.[1];
  if (apiUrl === undefined) throw new Failure('The page of the new key names no address for requests.', [], [request]);
  stage.detail('mandate', '$10,000 a plan, $25,000 a month, may sign');
  stage.detail('secret', `${secret.slice(0, 21)}…, read once; the pictures hide it`);
  stage.detail('requests go to', apiUrl);
  return { secret, apiUrl };
}

async function acceptedForKey({ browser, stage }: Scene) {
  const { page } = browser;
  await stage.step('Accept the terms for the key', async () => {
    await browser.press(page.getByRole('link', { name: 'open the key' }));
    await browser.meet(KEY_NAME, 'key');
    await browser.press(page.getByRole('link', { name: 'Read and accept the terms' }));
    await page.getByLabel('I have read these terms').check();
    await browser.meet('Brand terms', 'key-terms');
    await browser.press(page.getByRole('button', { name: 'Accept the terms' }));
    await browser.meet(KEY_NAME, 'key-may-sign');
  });
  stage.detail('page', await page.getByText('The terms are accepted for this key').innerText());
}

async function lookedBack({ browser, stage }: Scene, order: Output<'approve_plan'>) {
  const { page } = browser;
  await stage.step('Look at what the key has done', async () => {
    await browser.press(page.getByRole('link', { name: 'What it has done' }));
    await browser.meet('Usage', 'usage');
  });
  await stage.step('Open the payment link', async () => {
    await browser.open(order.payment.url);
    await browser.meet('Your order', 'payment');
  });
  stage.detail('page', await page.locator('h1').innerText());
}
