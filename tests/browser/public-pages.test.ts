// @night: the pages have tests beside them; a browser adds widths, keyboards and accessibility.
import { AppError, type CreatorProposal, conflict, type PayPage } from '@cds/contracts';
import {
  aCreatorProposal,
  aLinkToken,
  aPayPage,
  CREATOR_PROPOSALS,
  type EdgeApp,
  PAY_PAGES,
  startEdgeApp,
} from '@cds/gateway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  aPage,
  closePages,
  launchBrowser,
  lookAt,
  openPage,
  overflowOf,
  PROXIES,
  picture,
  VIEWS,
  type View,
  violationsOf,
} from './browser.js';

const FACTS = { approved: 4_812, priced: 3_967, as_of: '2026-11-22T11:40:00.000Z' };

/** The link of an order in this state; billing's faked answer finds the state by it. */
const payPath = (state: string): string => `/pay/${state.replaceAll('-', '').padEnd(43, '0')}`;

/** The link of a proposal in this state; proposals' faked answer finds the state by it. */
const creatorPath = (state: string): string => `/creator/${aLinkToken(state.replaceAll('-', ''))}`;

/** States of a proposal whose pages differ in more than words. */
const CREATOR_STATES = Object.keys(CREATOR_PROPOSALS).filter((state) => state !== 'bare');

const COMPANY = 'Acme Robotics';

const PAGES: readonly [name: string, path: string, heading: string][] = [
  ['home', '/', 'Your agent books creators. You decide what it may spend.'],
  ['sign-in', '/sign-in', 'Sign in'],
  ['sign-in-sent', '/sign-in/sent', 'Check your mail'],
  ['sign-in-link', '/sign-in/some-token', 'Sign in to Creator Distribution'],
  ['sign-up', '/signup', 'Sign up your company'],
  ['join', '/join', 'Join as a creator'],
  ['join-sent', '/join/sent', 'We have your application'],
  ['components', '/developers/components', 'Components'],
  ...Object.keys(PAY_PAGES).map((state): [string, string, string] => [`pay-${state}`, payPath(state), COMPANY]),
  ['pay-sandbox-checkout', `${payPath('sandbox')}/sandbox`, 'Sandbox checkout'],
  ['pay-document-invoice', `${payPath('invoice-sent')}/invoice`, 'Invoice 2026-0042'],
  ['pay-document-receipt', `${payPath('partially-refunded')}/receipt`, 'Receipt for order CDS-0B6CBB3E'],
  ['pay-unknown', '/pay/unknown', 'Not found'],
  ...CREATOR_STATES.map((state): [string, string, string] => [
    `creator-${state}`,
    creatorPath(state),
    `A paid post for ${COMPANY}`,
  ]),
  ['terms', '/terms/brand/2026-11-01', 'Brand terms 2026-11-01'],
  ['docs', '/docs/', 'Documents'],
  ['docs-guide', '/docs/guides/errors', 'Errors by code'],
  ['docs-glossary', '/docs/glossary', 'Glossary'],
  ['docs-rules', '/docs/rules/access', 'Access'],
  ['docs-reference', '/docs/reference', 'Reference'],
  ['docs-operation', '/docs/reference/create_campaign', 'Start a campaign'],
  ['docs-resource', '/docs/resources/Quote', 'Quote'],
  ['docs-errors', '/docs/errors', 'Errors'],
  ['docs-error', '/docs/errors/conflict', 'conflict'],
  ['docs-reason', '/docs/errors/mandate_refused/over_monthly_cap', 'mandate_refused: over_monthly_cap'],
  ['docs-search', '/docs/search?q=idempotency+key', 'Search'],
  ['docs-search-none', '/docs/search?q=nothingwhatsoever', 'Search'],
  ['docs-missing', '/docs/guides/nothing', 'Not found'],
  ['changelog', '/changelog', 'Changelog'],
];

const ORDERS: ReadonlyMap<string, PayPage> = new Map(
  Object.entries(PAY_PAGES).map(([state, over]) => [
    payPath(state).slice('/pay/'.length),
    aPayPage({
      company: COMPANY,
      campaign: 'Acme Robotics, launch of the vacuum that also waters your plants, March 2027',
      ...over,
    }),
  ]),
);

const OFFERS: ReadonlyMap<string, CreatorProposal> = new Map(
  Object.entries(CREATOR_PROPOSALS).map(([state, over]) => [
    creatorPath(state).slice('/creator/'.length),
    aCreatorProposal(over),
  ]),
);

describe('pages for everybody, in a browser', () => {
  let edge: EdgeApp;
  let browser: Browser;
  beforeAll(async () => {
    [edge, browser] = await Promise.all([startEdgeApp('browser_public', 'test', PROXIES), launchBrowser()]);
    edge.answer('network_facts', () => FACTS);
    edge.answer('pay_page', (_ctx, { token }) => ORDERS.get(String(token)));
    // A proposal's id is the link's token here, by which its state is found.
    edge.answer('creator_link', (_ctx, { token }) => ({
      workspace: '6d1f9c1e-3c57-4a6b-8f0e-9a1f0b2c3d4e',
      sandbox: false,
      proposal_id: token,
      creator_id: '5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
      line_id: '7c6b5a4d-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
      attempt: 1,
      undelivered: false,
      now: '2026-11-22T09:00:00.000Z',
    }));
    edge.answer('creator_proposal', ({ principal }) => OFFERS.get(principal.creator?.proposal ?? ''));
  });
  afterAll(() => Promise.all([edge.stop(), browser.close()]));
  afterEach(closePages);

  describe.each(VIEWS)('on a %s in %s', (size, theme) => {
    let view: View;
    beforeAll(async () => {
      view = await openPage(browser, { size, theme, url: edge.url });
    });
    afterAll(() => view.context.close());

    test.each(PAGES)('%s has no violation and does not scroll sideways', async (name, path, heading) => {
      expect(await lookAt(view, name, path)).toEqual({ heading, wrong: [], overflow: 0 });
    });
  });

  test('a payer asks for an invoice without scripts, and sees at each field what is wrong', async () => {
    edge.answer('pay_invoice', () => {
      const problems = [
        { field: 'details.legal_name', message: 'is required' },
        { field: 'details.address', message: 'must have at most 500 characters' },
      ];
      throw new AppError('unprocessable', 'm', { problems });
    });
    for (const [size, theme] of VIEWS) {
      const page = await aPage(browser, { size, theme, scripts: false, url: edge.url });
      await page.goto(payPath('invoice-wanted'));
      await page.getByLabel('Purchase order').fill('PO-7');
      await page.getByRole('button', { name: 'Ask for the invoice' }).click();
      await page.getByRole('link', { name: 'Legal name: Is required.' }).click();
      expect(new URL(page.url()).hash).toBe('#legal_name');
      expect(await page.getByLabel('Legal name').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Purchase order').inputValue()).toBe('PO-7');
      await picture(page, 'pay-invoice-refused', size, theme);
      expect(await overflowOf(page)).toBe(0);
    }
  });

  test('a creator answers by keyboard alone and without scripts, and sees what is wrong', async () => {
    const answers: unknown[] = [];
    edge.answer('creator_accept', (_ctx, { date }) => {
      if (date === '2026-12-31') throw conflict('bad_dates', 'The day must be within the launch window.');
      answers.push({ date });
      return aCreatorProposal();
    });
    edge.answer('creator_decline', (_ctx, { reason, note }) => {
      if (reason === undefined)
        throw new AppError('unprocessable', 'm', { problems: [{ field: 'reason', message: 'is required' }] });
      answers.push({ reason, note });
      return aCreatorProposal();
    });
    const page = await aPage(browser, { size: 'phone', scripts: false, url: edge.url });
    await page.goto(creatorPath('open'));
    await page.getByLabel('Day to post').fill('2026-12-31');
    await page.getByRole('button', { name: 'Accept' }).press('Enter');
    expect(await page.getByRole('alert').innerText()).toContain('The day must be within the launch window.');
    expect(await page.getByLabel('Day to post').inputValue()).toBe('2026-12-31');
    await page.getByLabel('Day to post').fill('2026-12-06');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${creatorPath('open')}`);
    expect(answers.splice(0)).toEqual([{ date: '2026-12-06' }]);

    await page.locator('summary', { hasText: 'Decline' }).press('Enter');
    await page.getByRole('button', { name: 'Decline the proposal' }).press('Enter');
    expect(await page.getByRole('link', { name: 'Reason: Is required.' }).isVisible()).toBe(true);
    await picture(page, 'creator-refused', 'phone', 'light');
    expect(await overflowOf(page)).toBe(0);
    await page.getByLabel('The days do not suit me').press('Space');
    await page.getByLabel('Note to the team').fill('In January?');
    await page.getByRole('button', { name: 'Decline the proposal' }).press('Enter');
    await page.waitForURL(`**${creatorPath('open')}`);
    expect(answers.splice(0)).toEqual([{ reason: 'timing', note: 'In January?' }]);
  });

  test('a creator sends the post and its figures, and stops proposals, by keyboard alone and without scripts', async () => {
    const sent: [string, unknown][] = [];
    edge.answer('creator_post', (_ctx, { url, disclosure }) => {
      if (url === undefined)
        throw new AppError('unprocessable', 'm', { problems: [{ field: 'url', message: 'is required' }] });
      sent.push(['post', { url, disclosure }]);
      return {};
    });
    edge.answer('creator_analytics', (_ctx, figures) => {
      sent.push(['analytics', figures]);
      return {};
    });
    edge.answer('creator_pause', () => {
      sent.push(['pause', null]);
      return { proposals: 'paused' };
    });
    const page = await aPage(browser, { size: 'phone', scripts: false, url: edge.url });
    await page.goto(creatorPath('awaited'));
    await page.getByLabel('#ad in its text').press('Space');
    await page.getByRole('button', { name: 'Send the post' }).press('Enter');
    await page.getByRole('link', { name: /^Address of the post: / }).waitFor();
    expect(await page.getByLabel('#ad in its text').isChecked()).toBe(true);
    await picture(page, 'creator-post-refused', 'phone', 'light');
    expect(await overflowOf(page)).toBe(0);
    await page.getByLabel('Address of the post').fill('https://x.com/demo_ada/status/1730000000000000000');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${creatorPath('awaited')}`);

    await page.goto(creatorPath('live'));
    await page.locator('summary', { hasText: 'Send its figures' }).press('Enter');
    await page.getByLabel('Views').fill('24,010');
    await picture(page, 'creator-figures', 'phone', 'dark');
    expect(await overflowOf(page)).toBe(0);
    await page.getByRole('button', { name: 'Send the figures' }).press('Enter');
    await page.waitForURL(`**${creatorPath('live')}`);
    await page.locator('summary', { hasText: 'New proposals' }).press('Enter');
    await page.getByRole('button', { name: 'Stop new proposals' }).press('Enter');
    await page.waitForURL(`**${creatorPath('live')}`);
    expect(sent).toEqual([
      ['post', { url: 'https://x.com/demo_ada/status/1730000000000000000', disclosure: '#ad' }],
      ['analytics', { views: 24_010 }],
      ['pause', null],
    ]);
  });

  test('somebody applies as a creator by keyboard alone and without scripts', async () => {
    const sent: unknown[] = [];
    edge.answer('creator_applied', (_ctx, application) => {
      sent.push(application);
      return { received: true };
    });
    const page = await aPage(browser, { size: 'phone', scripts: false, url: edge.url });
    await page.goto('/join');
    await page.getByRole('textbox', { name: 'Your name on X' }).fill('ada_posts');
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.getByRole('link', { name: 'Consent: Agree to the text to apply.' }).waitFor();
    await picture(page, 'join-refused', 'phone', 'light');
    expect(await overflowOf(page)).toBe(0);
    await page.getByRole('textbox', { name: 'Followers' }).fill('12,000');
    await page.getByRole('textbox', { name: 'Your price for a post' }).fill('450');
    await page.getByLabel('I agree').press('Space');
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.waitForURL('**/join/sent');
    expect(sent).toMatchObject([{ handle: 'ada_posts', units: [{ format: 'post', ask_cents: 45_000 }] }]);
  });

  test('a form has no violation while it shows what is wrong', async () => {
    const page = await aPage(browser, { size: 'phone', url: edge.url });
    await page.goto(payPath('invoice-wanted'));
    await page.getByRole('button', { name: 'Ask for the invoice' }).click();
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(creatorPath('open'));
    await page.locator('summary', { hasText: 'Decline' }).click();
    await page.getByRole('button', { name: 'Decline the proposal' }).click();
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'a document prints dark on white, without what is around it, in %s',
    async (theme) => {
      const page = await aPage(browser, { theme, url: edge.url });
      await page.goto(`${payPath('invoice-sent')}/invoice`);
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('link', { name: 'Download as PDF' }).isVisible()).toBe(false);
      expect(await page.locator('header').isVisible()).toBe(false);
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
      await picture(page, 'pay-document-printed', 'desktop', theme);
    },
  );

  test('without scripts every page shows the same, and no copy button', async () => {
    const page = await aPage(browser, { scripts: false, url: edge.url });
    await page.goto('/');
    expect(await page.locator('h1').innerText()).toBe(PAGES[0]?.[2]);
    expect(await page.getByText('4,812').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  test('a copy button copies its code, and says so', async () => {
    const page = await aPage(browser, { url: edge.url });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied to the clipboard.').waitFor({ state: 'attached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('claude mcp add');
  });

  test('the keyboard alone opens the confirmation, leaves it by Escape, and comes back to its button', async () => {
    const page = await aPage(browser, { url: edge.url });
    await page.goto('/developers/components');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.locator('a[data-dialog]').focus();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.dataset.dialog')).toBe('dialog-example');
  });

  test('somebody finds a page by keyboard alone and without scripts', async () => {
    const page = await aPage(browser, { size: 'phone', scripts: false, url: edge.url });
    await page.goto('/docs/');
    await page.getByRole('searchbox', { name: 'Search the documents' }).fill('over_monthly_cap');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'mandate_refused: over_monthly_cap' }).press('Enter');
    await page.waitForURL('**/docs/errors/mandate_refused/over_monthly_cap');
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });
});
