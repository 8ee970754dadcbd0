import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import pg from 'pg';
import { ensureChromium } from '../scripts/checks/chromium';
import type { Bench } from './lib/bench';
import { createStreams } from './lib/create-streams';
import { formatNumber, markdownTable } from './lib/figures';
import { benchAccount, startHeadwater, type Headwater } from './lib/headwater';
import { takeLongTasks, watchLongTasks, type LongTasks } from './lib/long-tasks';

/** Long tasks of the browser while a user works with long lists of the dashboard. */

const TOTAL_ROWS = 1_000;
const PAGE_SIZE = 100;
const WHEEL_PIXELS = 700;
/** Time between two typed characters. */
const KEY_PAUSE_MS = 80;
/** Text that occurs in 19 of the 1,000 names. */
const searchText = '99';
const MATCH_COUNT = 19;

const lists = [
  { name: 'streams', path: '/streams' },
  { name: 'assets', path: '/assets' },
] as const;

/** Inserts rows of ready assets without files, because the list reads only rows. */
async function insertAssets({ dataDir }: Headwater): Promise<void> {
  const runFile = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as {
    environment: { DATABASE_URL: string };
  };
  const client = new pg.Client({ connectionString: runFile.environment.DATABASE_URL });
  await client.connect();
  await client.query(
    `insert into "Asset" ("id", "teamId", "name", "playbackId", "phase", "sourceType", "size")
     select gen_random_uuid(), a."id", 'asset ' || i, substr(md5(i::text), 1, 16), 'ready', 'directUpload', i * 1000000
     from generate_series(0, $1::int - 1) i, "Team" a`,
    [TOTAL_ROWS],
  );
  await client.end();
}

async function logIn(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/login`);
  await page.getByLabel('Email').fill(benchAccount.email);
  await page.getByLabel('Password').fill(benchAccount.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(`${baseUrl}/`);
}

const waitForRowCount = (page: Page, count: number) =>
  page.waitForFunction((many) => document.querySelectorAll('tbody tr a').length === many, count);

/** Scrolls through all pages with the mouse wheel. The function rarely queries the page, because queries use CPU time. */
async function scrollThroughPages(page: Page): Promise<void> {
  const nextButton = page.locator('nav[aria-label="Pages"] button').last();
  await page.mouse.move(700, 500);
  for (;;) {
    for (let isAtEnd = false; !isAtEnd;) {
      await page.mouse.wheel(0, WHEEL_PIXELS);
      isAtEnd = await page.evaluate(async () => {
        await new Promise(requestAnimationFrame);
        return innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      });
    }
    if (await nextButton.isDisabled()) return;
    const firstName = await page.evaluate(() => document.querySelector('tbody a')?.textContent);
    await nextButton.click();
    await page.waitForFunction(
      (firstText) => document.querySelector('tbody a')?.textContent !== firstText,
      firstName,
    );
    await page.evaluate(() => scrollTo(0, 0));
  }
}

async function typeSearch(page: Page): Promise<void> {
  const searchField = page.getByRole('searchbox');
  await searchField.pressSequentially(searchText, { delay: KEY_PAUSE_MS });
  await waitForRowCount(page, MATCH_COUNT);
  for (let charactersLeft = searchText.length; charactersLeft > 0; charactersLeft -= 1)
    await searchField.press('Backspace', { delay: KEY_PAUSE_MS });
  await waitForRowCount(page, PAGE_SIZE);
}

async function sortByName(page: Page): Promise<void> {
  const column = page.getByRole('columnheader', { name: 'Name' });
  for (const direction of ['ascending', 'descending']) {
    await column.getByRole('button').click();
    await page.locator(`th[aria-sort="${direction}"]`).waitFor();
    await waitForRowCount(page, PAGE_SIZE);
  }
}

async function selectAll(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Select all 1,000' }).click();
  await page
    .getByText(`1,000 `)
    .and(page.getByText(/selected$/))
    .waitFor();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Clear' }).click();
}

const actions = {
  'scroll through all pages': scrollThroughPages,
  'type a search and delete it': typeSearch,
  sort: sortByName,
  'select all': selectAll,
};

export const longList: Bench = {
  title: 'A long list',
  explanation:
    `Chromium shows lists of ${TOTAL_ROWS.toLocaleString('en')} rows, ${PAGE_SIZE} on a page, which are refreshed every ` +
    'three seconds. The table counts tasks of the main thread of 50 ms or more, over all runs. Goal: none ' +
    'above 100 ms.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, options) {
    const headwater = await startHeadwater(scope, directory);
    options.progress(`creating ${TOTAL_ROWS} streams and assets`);
    await createStreams(headwater.createStream, TOTAL_ROWS);
    await insertAssets(headwater);
    const executablePath = await ensureChromium(options.progress, new AbortController().signal);
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    scope.defer(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await watchLongTasks(page);
    await logIn(page, headwater.baseUrl);
    const measurements: [list: string, stage: string, ...LongTasks[]][] = [];
    for (const { name, path } of lists) {
      for (const [stage, runAction] of Object.entries(actions)) {
        const rounds: LongTasks[] = [];
        for (let round = 0; round < options.runs; round += 1) {
          await page.goto(`${headwater.baseUrl}${path}?size=${PAGE_SIZE}`);
          await waitForRowCount(page, PAGE_SIZE);
          await takeLongTasks(page);
          await runAction(page);
          rounds.push(await takeLongTasks(page));
          options.progress(`${name}, ${stage}: longest ${formatNumber(rounds.at(-1)?.longestMs ?? 0, 0)} ms`);
        }
        measurements.push([name, stage, ...rounds]);
      }
    }
    return markdownTable(
      ['list', 'action', 'tasks ≥ 50 ms', 'longest (ms)', 'goal'],
      measurements.map(([list, stage, ...rounds]) => [
        list,
        stage,
        rounds.reduce((sum, { count }) => sum + count, 0),
        formatNumber(Math.max(...rounds.map(({ longestMs: longest }) => longest)), 0),
        '≤ 100',
      ]),
    );
  },
};
