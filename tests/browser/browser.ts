import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The two sizes that every page is made for. */
export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1_280, height: 800 } } as const;
export type Size = keyof typeof SIZES;
export type Theme = 'light' | 'dark';

const PICTURES = process.env['CDS_SCREENSHOTS'];

/**
 * Each size and each theme once: a theme changes colours alone (libs/pages/src/foundation/styles.test.ts).
 * A run that saves pictures has every size in every theme.
 */
export const VIEWS: readonly [Size, Theme][] = [
  ['phone', 'light'],
  ['desktop', 'dark'],
  ...(PICTURES === undefined
    ? []
    : ([
        ['phone', 'dark'],
        ['desktop', 'light'],
      ] as [Size, Theme][])),
];

/** Debian's Chromium; the launcher says where it is. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CDS_TEST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });

export type ViewOptions = { size?: Size; theme?: Theme; scripts?: boolean; url: string; cookie?: string | null };

/** The proxies that an edge trusts for a browser, so that each profile has its own address and minute limit. */
export const PROXIES: string[] = ['127.0.0.1/32'];
let profiles = 0;
const anAddress = (): string => {
  profiles += 1;
  return `198.51.100.${profiles % 256}`;
};

/** A fresh profile at one size and theme; `cookie` is a session's, as `name=value`. */
export const openView = async (
  browser: Browser,
  { size = 'desktop', theme = 'light', scripts = true, url, cookie = null }: ViewOptions,
): Promise<BrowserContext> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: SIZES[size],
    colorScheme: theme,
    javaScriptEnabled: scripts,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': anAddress() },
    ...(size === 'phone' ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
  });
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  }
  return context;
};

const opened: BrowserContext[] = [];

/** A page of a fresh profile, until the test ends: a suite says `afterEach(closePages)`. */
export const aPage = async (browser: Browser, options: ViewOptions): Promise<Page> => {
  const context = await openView(browser, options);
  opened.push(context);
  return context.newPage();
};

export const closePages = async (): Promise<void> => {
  for (const context of opened.splice(0)) await context.close();
};

/** A page that is reused for one size and theme, since each new page costs a process. */
export type View = { context: BrowserContext; page: Page; size: Size; theme: Theme; problems: string[] };

/** A view whose page collects the errors of its scripts and of its content security policy. */
export const openPage = async (
  browser: Browser,
  options: ViewOptions & { size: Size; theme: Theme },
): Promise<View> => {
  const context = await openView(browser, options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { context, page, size: options.size, theme: options.theme, problems };
};

/** Opens a page and answers its heading and what is wrong with it: nothing, when it is accessible and fits. */
export const lookAt = async (
  { page, size, theme, problems }: View,
  name: string,
  path: string,
): Promise<{ heading: string; wrong: string[]; overflow: number }> => {
  problems.length = 0;
  await page.goto(path);
  await picture(page, name, size, theme);
  return {
    heading: await page.locator('h1').innerText(),
    wrong: [...(await violationsOf(page)), ...problems],
    overflow: await overflowOf(page),
  };
};

/** What axe finds wrong with a page, one line each. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  // No page of ours has a frame, so axe needs no second page to add up the results of several.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  );
};

/** How many pixels a page is wider than its window; a phone must never scroll sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Saves a picture of the whole page when the run was asked for pictures. */
export const picture = async (page: Page, name: string, size: Size, theme: Theme): Promise<void> => {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}-${size}-${theme}.png`), fullPage: true });
};
