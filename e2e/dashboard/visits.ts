import { expect, type Page } from '@playwright/test';
import { lookAround } from './look';
import { createStream, logIn } from './session';

/** Pages, API and media: browsers must not contact any other origin. */
const ownOrigins = [process.env.BASE_URL, process.env.CDN_URL].map((url) => new URL(url ?? '').origin);

export interface Visit {
  name: string;
  path: string;
  /** Brings the page into the state to check. */
  prepare?: () => Promise<void>;
}

/** Collects everything that a browser logs as an error, blocks, or requests from other origins. */
async function listenTo(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  await page.addInitScript(() => {
    // Some policy violations are not logged to the console.
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`against the policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  page.on('console', (message) => {
    // The player polls a playlist that does not exist yet, and the browser logs each response.
    const expected = /\.m3u8(\?|$)|\/watch\/|\/nowhere$/.test(message.location().url);
    if (message.type() === 'error' && !expected)
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !ownOrigins.includes(origin)) complaints.push(`request to ${origin}`);
  });
  return complaints;
}

async function look(page: Page, visit: Visit): Promise<void> {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto(visit.path);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await visit.prepare?.();
  await lookAround(page, visit.name, { once: true });
}

/** All visits of one test share an account. */
export async function lookAtAll(
  page: Page,
  prepare: (page: Page) => Promise<readonly Visit[]>,
): Promise<void> {
  const complaints = await listenTo(page);
  for (const visit of await prepare(page)) await look(page, visit);
  expect(complaints).toEqual([]);
}

/** Creates an account with three streams, one of which has targets. */
export async function withStreams(page: Page) {
  await logIn(page);
  await createStream(page, 'Old lobby', { suspended: true });
  await createStream(page, 'Town hall', { record: true });
  const targets = ['YouTube', 'Club channel'].map((name) => ({
    profile: 'source',
    spec: { name, url: 'rtmp://live.example.com/app/key' },
  }));
  return createStream(page, 'Choir rehearsal', { multistream: { targets } });
}
