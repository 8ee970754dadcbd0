import { expect, type Page } from '@playwright/test';
import { checkPage } from './page-checks';
import { createStream, logIn } from './page-actions';

/** Origins of pages, API and media. Browsers must not contact other origins. */
const ownOrigins = [process.env.BASE_URL, process.env.CDN_URL].map((url) => new URL(url ?? '').origin);

export interface Visit {
  /** Name of the check in failure messages, and of its screenshot. */
  name: string;
  path: string;
  /** Brings the page into the state that is checked. */
  prepare?: () => Promise<void>;
}

/** Collects errors of a page, violations of its Content Security Policy, and requests to other origins. */
async function collectProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.addInitScript(() => {
    // Some policy violations are not logged to the console.
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`violates the Content Security Policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  page.on('console', (message) => {
    // The player polls a playlist that does not exist yet, and the browser logs each response.
    const isExpected = /\.m3u8(\?|$)|\/watch\/|\/nowhere$/.test(message.location().url);
    if (message.type() === 'error' && !isExpected)
      problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !ownOrigins.includes(origin)) problems.push(`request to ${origin}`);
  });
  return problems;
}

async function visitPage(page: Page, visit: Visit): Promise<void> {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto(visit.path);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await visit.prepare?.();
  await checkPage(page, visit.name, { always: true });
}

/**
 * Opens pages one after the other, in the same browser context. Expects no horizontal overflow, no accessibility violations, no
 * errors in the console, and no requests to other origins.
 * @param prepareVisits creates what the pages show, and returns the pages
 */
export async function expectAccessibleWithoutOverflow(
  page: Page,
  prepareVisits: (page: Page) => Promise<readonly Visit[]>,
): Promise<void> {
  const problems = await collectProblems(page);
  for (const visit of await prepareVisits(page)) await visitPage(page, visit);
  expect(problems).toEqual([]);
}

/**
 * Creates an account with the streams Old lobby (suspended), Town hall (recorded) and Choir rehearsal, and logs in to it.
 * @returns Choir rehearsal, which has two multistream targets
 */
export async function logInWithStreams(page: Page) {
  await logIn(page);
  await createStream(page, 'Old lobby', { suspended: true });
  await createStream(page, 'Town hall', { record: true });
  const targets = ['YouTube', 'Club channel'].map((name) => ({
    profile: 'source',
    spec: { name, url: 'rtmp://live.example.com/app/key' },
  }));
  return createStream(page, 'Choir rehearsal', { multistream: { targets } });
}
