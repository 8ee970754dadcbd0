import { expect, test } from '@playwright/test';
import { expectAccessibleWithoutOverflow, logInWithStreams } from './visits';

// pages.full.spec.ts checks the pages of an empty account, and those of keys, targets, webhooks, usage, audience and settings.

// The `name` of a page identifies it in failure messages and is the file name of its screenshot.

// The tests run in parallel, because they share no data.
test.describe.configure({ mode: 'parallel' });

test('pages for visitors have no horizontal overflow and no accessibility violations', ({ page }) =>
  expectAccessibleWithoutOverflow(page, () =>
    Promise.resolve([
      { name: 'login', path: '/login' },
      { name: 'signup', path: '/signup' },
      { name: 'not-found', path: '/nowhere' },
      { name: 'watch-missing', path: '/watch/abcdabcdabcdabcd' },
      { name: 'embed-missing', path: '/embed/abcdabcdabcdabcd' },
    ]),
  ));

test('home and the pages of streams have no horizontal overflow and no accessibility violations', ({
  page,
}) =>
  expectAccessibleWithoutOverflow(page, async () => {
    // The account has three streams. The returned one is "Choir rehearsal".
    const stream = await logInWithStreams(page);
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
