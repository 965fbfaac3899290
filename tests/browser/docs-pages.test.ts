// @night: the pages have tests beside them; a browser adds widths, keyboards and accessibility.
import { type EdgeApp, startEdgeApp } from '@cds/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser, lookAt, openPage, openView, PROXIES, VIEWS, type View } from './browser.js';

const PAGES: readonly [name: string, path: string, heading: string][] = [
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

describe('the documents, in a browser', () => {
  let edge: EdgeApp;
  let browser: Browser;
  beforeAll(async () => {
    [edge, browser] = await Promise.all([startEdgeApp('browser_docs', 'test', PROXIES), launchBrowser()]);
  });
  afterAll(() => Promise.all([edge.stop(), browser.close()]));

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

  test('somebody finds a page by keyboard alone and without scripts', async () => {
    const context = await openView(browser, { size: 'phone', scripts: false, url: edge.url });
    const page = await context.newPage();
    await page.goto('/docs/');
    await page.getByRole('searchbox', { name: 'Search the documents' }).fill('over_monthly_cap');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'mandate_refused: over_monthly_cap' }).press('Enter');
    await page.waitForURL('**/docs/errors/mandate_refused/over_monthly_cap');
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await context.close();
  });
});
