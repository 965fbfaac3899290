import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The two sizes that every page is made for. */
export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1_280, height: 800 } } as const;
export type Size = keyof typeof SIZES;
const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Every size in every theme. */
export const VIEWS: readonly [Size, Theme][] = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
];

/** Debian's Chromium; the launcher says where it is. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CDS_TEST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });

export type ViewOptions = { size?: Size; theme?: Theme; scripts?: boolean; url: string; cookie?: string | null };

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
    ...(size === 'phone' ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
  });
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  }
  return context;
};

/**
 * What axe finds wrong with a page, one line each. It takes seconds, so it looks at a phone in light and a desktop in
 * dark: each size and each theme once.
 */
export const violationsOf = async (page: Page, size: Size = 'phone', theme: Theme = 'light'): Promise<string[]> => {
  if ((size === 'phone') !== (theme === 'light')) return [];
  // No page of ours has a frame, so axe needs no second page to add up the results of several.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  );
};

/** How many pixels a page is wider than its window; a phone must never scroll sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Saves a picture of the whole page when the run was asked for pictures. */
export const picture = async (page: Page, name: string, size: Size, theme: Theme): Promise<void> => {
  const folder = process.env['CDS_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`), fullPage: true });
};
