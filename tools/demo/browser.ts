/** A person's browser: pages by their visible text, and a picture of each on a phone and on a desktop. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { Failure } from '../lib/failure.ts';
import { chromiumOf, INSTALL_CHROMIUM } from '../lib/outside.ts';

export type PersonsBrowser = Awaited<ReturnType<typeof openBrowser>>;

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
/** A page that has not come by then never will, not even on a busy machine. */
const LIMIT_MS = 60_000;
/** Covers a secret in a picture, as pictures are passed on. */
const MASK = '#8a94a6';

export async function openBrowser({ folder }: { folder: string }) {
  const browser = await launch();
  const page = await browser.newPage({ viewport: SIZES.desktop, reducedMotion: 'reduce' });
  page.setDefaultTimeout(LIMIT_MS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pictures: string[] = [];
  let met = 0;

  return {
    page,
    folder,
    pictures,
    open: (url: string) => page.goto(url),
    async press(target: Locator) {
      const loaded = page.waitForEvent('load');
      // A target that is not there is what has failed, and its error says so.
      loaded.catch(() => {});
      await target.click();
      await loaded;
    },
    /**
     * Makes sure which page this is, and takes its pictures. Another page is a refusal, quoted as the person reads it.
     * `heading`: what the title of the page begins with
     */
    async meet(heading: string, name: string, { secrets = [] }: { secrets?: Locator[] } = {}) {
      const found = (await page.locator('h1').innerText()).trim();
      if (!found.startsWith(heading)) throw await strayed(page, heading, found);
      met += 1;
      for (const [size, viewport] of Object.entries(SIZES)) {
        const file = `${String(met).padStart(2, '0')}-${name}-${size}.png`;
        await page.setViewportSize(viewport);
        await page.screenshot({ path: join(folder, file), fullPage: true, mask: secrets, maskColor: MASK });
        pictures.push(file);
      }
      await page.setViewportSize(SIZES.desktop);
    },
    close: () => browser.close(),
  };
}

async function launch() {
  const program = chromiumOf();
  if (program === undefined) throw noChromium('This machine has no Chromium, which the demo from sign-up needs.');
  const { chromium } = await import('playwright-core');
  try {
    return await chromium.launch({
      executablePath: program,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    });
  } catch (error) {
    throw noChromium(`Chromium does not start: ${program}.`, [error.message.split('\n')[0]]);
  }
}

const noChromium = (what: string, details: string[] = []) =>
  new Failure(what, [INSTALL_CHROMIUM, 'npm run demo  (the main job without a browser)'], details);

async function strayed(page: Page, wanted: string, found: string) {
  const said = await page.locator('[role=alert], main p').allInnerTexts();
  return new Failure(
    `The page says "${found}" where "${wanted}" was expected.`,
    ['Read the lines above', 'npm start -- --fresh  (a new home has its daily limits unused)'],
    [shownUrl(page.url()), ...said.flatMap((text) => text.split('\n')).slice(0, 5)],
  );
}

/** The address of a page without the secret that a link for signing in ends with. */
const shownUrl = (url: string) => url.replace(/(\/sign-in\/)[^/?#]+/, '$1…');
