import { expect, test, type Page } from '@playwright/test';
import { lookAt, themes, widths } from './look';
import { createStream, createWebhook, logIn } from './session';

/** Pages, API and media: nothing else is ever asked. */
const ours = [process.env.BASE_URL, process.env.CDN_URL].map((url) => new URL(url ?? '').origin);

interface Visit {
  name: string;
  path: string;
  /** Brings the page into the state that is looked at. */
  prepare?: (page: Page) => Promise<void>;
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
    if (message.type() === 'error' && !expected) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !ours.includes(origin)) complaints.push(`request to ${origin}`);
  });
  return complaints;
}

async function look(page: Page, visit: Visit): Promise<void> {
  await page.setViewportSize({ width: widths[0], height: 900 });
  await page.goto(visit.path);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await visit.prepare?.(page);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await lookAt(page, { name: visit.name, width, theme });
    }
  }
}

test('pages for visitors', async ({ page }) => {
  test.setTimeout(600_000);
  const complaints = await listenTo(page);
  await look(page, { name: 'login', path: '/login' });
  await look(page, { name: 'signup', path: '/signup' });
  await look(page, { name: 'nowhere', path: '/nowhere' });
  await look(page, { name: 'watch-missing', path: '/watch/abcdabcdabcdabcd' });
  await look(page, { name: 'embed-missing', path: '/embed/abcdabcdabcdabcd' });
  expect(complaints).toEqual([]);
});

test('pages of an empty account', async ({ page }) => {
  test.setTimeout(600_000);
  const complaints = await listenTo(page);
  await logIn(page);
  await look(page, { name: 'home-empty', path: '/' });
  await look(page, { name: 'streams-empty', path: '/streams' });
  await look(page, { name: 'keys-empty', path: '/developers/keys' });
  await look(page, { name: 'targets-empty', path: '/targets' });
  await look(page, { name: 'webhooks-empty', path: '/developers/webhooks' });
  expect(complaints).toEqual([]);
});

test('pages of an account in use', async ({ page }) => {
  test.setTimeout(600_000);
  const complaints = await listenTo(page);
  await logIn(page);
  await createStream(page, 'Old lobby', { suspended: true });
  await createStream(page, 'Town hall', { record: true });
  const targets = ['YouTube', 'Club channel'].map((name) => ({
    profile: 'source',
    spec: { name, url: 'rtmp://live.example.com/app/key' },
  }));
  const stream = await createStream(page, 'Choir rehearsal', { multistream: { targets } });
  const webhook = await createWebhook(page, 'Chat bot');
  const table = async () => expect(page.getByRole('link', { name: 'Choir rehearsal' })).toBeVisible();
  const visits: Visit[] = [
    { name: 'home', path: '/' },
    { name: 'streams', path: '/streams', prepare: table },
    { name: 'streams-no-results', path: '/streams?q=nothing' },
    {
      name: 'stream-create',
      path: '/streams',
      prepare: () => page.getByRole('button', { name: 'Create stream' }).click(),
    },
    { name: 'stream', path: `/streams/${stream.id}` },
    {
      name: 'stream-delete',
      path: `/streams/${stream.id}`,
      prepare: () => page.getByRole('button', { name: 'Delete stream' }).click(),
    },
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
    { name: 'usage', path: '/usage' },
    {
      name: 'settings',
      path: '/settings',
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
    { name: 'watch', path: `/watch/${stream.playbackId}` },
    { name: 'embed', path: `/embed/${stream.playbackId}` },
  ];
  for (const visit of visits) await look(page, visit);
  expect(complaints).toEqual([]);
});
