import { expect, test, type Page } from '@playwright/test';
import { lookAround } from './look';
import { createStream, createWebhook, logIn } from './session';

/** Pages, API and media: nothing else is ever asked. */
const ours = [process.env.BASE_URL, process.env.CDN_URL].map((url) => new URL(url ?? '').origin);

interface Visit {
  name: string;
  path: string;
  /** Brings the page into the state that is looked at. */
  prepare?: () => Promise<void>;
}

/** Everything a browser complains about or would not run, and every request that leaves the service. */
async function listenTo(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  await page.addInitScript(() => {
    // Some breaches of the policy are not said on the console.
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`against the policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  page.on('console', (message) => {
    // A playlist that does not exist yet is asked for until it does; the browser logs each answer.
    const expected = /\.m3u8(\?|$)|\/watch\/|\/nowhere$/.test(message.location().url);
    if (message.type() === 'error' && !expected)
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !ours.includes(origin)) complaints.push(`request to ${origin}`);
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

/** The visits of one test share its account; the tests share nothing, so they need not wait for each other. */
test.describe.configure({ mode: 'parallel' });

async function lookAtAll(page: Page, prepare: (page: Page) => Promise<readonly Visit[]>): Promise<void> {
  const complaints = await listenTo(page);
  for (const visit of await prepare(page)) await look(page, visit);
  expect(complaints).toEqual([]);
}

/** An account with three streams, of which one has targets. */
async function withStreams(page: Page) {
  await logIn(page);
  await createStream(page, 'Old lobby', { suspended: true });
  await createStream(page, 'Town hall', { record: true });
  const targets = ['YouTube', 'Club channel'].map((name) => ({
    profile: 'source',
    spec: { name, url: 'rtmp://live.example.com/app/key' },
  }));
  return createStream(page, 'Choir rehearsal', { multistream: { targets } });
}

test('pages for visitors', ({ page }) =>
  lookAtAll(page, () =>
    Promise.resolve([
      { name: 'login', path: '/login' },
      { name: 'signup', path: '/signup' },
      { name: 'nowhere', path: '/nowhere' },
      { name: 'watch-missing', path: '/watch/abcdabcdabcdabcd' },
      { name: 'embed-missing', path: '/embed/abcdabcdabcdabcd' },
    ]),
  ));

test('pages of an empty account', ({ page }) =>
  lookAtAll(page, async () => {
    await logIn(page);
    return [
      { name: 'home-empty', path: '/' },
      { name: 'streams-empty', path: '/streams' },
      { name: 'keys-empty', path: '/developers/keys' },
      { name: 'signing-keys-none', path: '/developers/signing-keys' },
      { name: 'targets-empty', path: '/targets' },
      { name: 'webhooks-empty', path: '/developers/webhooks' },
    ];
  }));

test('pages of streams', ({ page }) =>
  lookAtAll(page, async () => {
    const stream = await withStreams(page);
    return [
      { name: 'home', path: '/' },
      {
        name: 'streams',
        path: '/streams',
        prepare: () => expect(page.getByRole('link', { name: 'Choir rehearsal' })).toBeVisible(),
      },
      { name: 'streams-no-results', path: '/streams?q=nothing' },
      {
        name: 'stream-create',
        path: '/streams',
        prepare: async () => {
          await page.getByRole('button', { name: 'Create stream' }).click();
          await page.getByRole('combobox', { name: 'Who can watch' }).selectOption('password');
        },
      },
      { name: 'stream', path: `/streams/${stream.id}` },
      {
        name: 'stream-delete',
        path: `/streams/${stream.id}?tab=settings`,
        prepare: () => page.getByRole('button', { name: 'Delete stream' }).click(),
      },
      { name: 'watch', path: `/watch/${stream.playbackId}` },
      { name: 'embed', path: `/embed/${stream.playbackId}` },
    ];
  }));

test('pages of keys, targets and webhooks', ({ page }) =>
  lookAtAll(page, async () => {
    await withStreams(page);
    const webhook = await createWebhook(page, 'Chat bot');
    return [
      {
        name: 'key-create',
        path: '/developers/keys',
        prepare: async () => {
          await page.getByRole('button', { name: 'Create key' }).click();
          await page.getByRole('radio', { name: /Browser key/ }).click();
        },
      },
      { name: 'targets', path: '/targets' },
      {
        name: 'target-create',
        path: '/targets',
        prepare: () => page.getByRole('button', { name: 'Create target' }).click(),
      },
      {
        name: 'webhooks',
        path: '/developers/webhooks',
        prepare: () => expect(page.getByRole('link', { name: 'Chat bot' })).toBeVisible(),
      },
      {
        name: 'signing-key-create',
        path: '/developers/signing-keys',
        prepare: () => page.getByRole('button', { name: 'Create signing key' }).click(),
      },
      {
        name: 'webhook-create',
        path: '/developers/webhooks',
        prepare: () => page.getByRole('button', { name: 'Create webhook' }).click(),
      },
      {
        name: 'webhook',
        path: `/developers/webhooks/${webhook}`,
        prepare: async () => {
          await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').click();
          await expect(page.getByRole('list', { name: 'Attempts' })).toBeVisible();
        },
      },
    ];
  }));

test('pages of the account itself', ({ page }) =>
  lookAtAll(page, async () => {
    await withStreams(page);
    return [
      { name: 'usage', path: '/usage' },
      {
        name: 'settings',
        path: '/settings/danger-zone',
        prepare: () => page.getByRole('button', { name: 'Delete account' }).click(),
      },
      {
        name: 'palette',
        path: '/settings',
        prepare: async () => {
          await page.getByRole('button', { name: 'Search' }).filter({ visible: true }).click();
          await expect(page.getByRole('option', { name: 'Choir rehearsal' })).toBeVisible();
        },
      },
    ];
  }));
