import { expect, test } from '@playwright/test';
import { lookAtAll, withStreams } from './visits';

/** More pages: pages.full.spec.ts. */

/** The tests share nothing, so they can run in parallel. */
test.describe.configure({ mode: 'parallel' });

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
