import { expect, test } from '@playwright/test';
import { createWebhook, logIn } from './page-actions';
import { expectAccessibleWithoutOverflow, logInWithStreams } from './visits';

// The tests run in parallel, because they share no data.
test.describe.configure({ mode: 'parallel' });

test('pages of an empty account have no horizontal overflow and no accessibility violations', ({ page }) =>
  expectAccessibleWithoutOverflow(page, async () => {
    await logIn(page);
    return [
      { name: 'home-empty', path: '/' },
      { name: 'streams-empty', path: '/streams' },
      { name: 'keys-empty', path: '/developers/keys' },
      { name: 'signing-keys-empty-account', path: '/developers/signing-keys' },
      { name: 'targets-empty', path: '/targets' },
      { name: 'webhooks-empty', path: '/developers/webhooks' },
    ];
  }));

test('pages of keys, targets and webhooks have no horizontal overflow and no accessibility violations', ({
  page,
}) =>
  expectAccessibleWithoutOverflow(page, async () => {
    await logInWithStreams(page);
    const webhookId = await createWebhook(page, 'Chat bot');
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
        path: `/developers/webhooks/${webhookId}`,
        prepare: async () => {
          await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').click();
          await expect(page.getByRole('list', { name: 'Attempts' })).toBeVisible();
        },
      },
    ];
  }));

test('pages of usage, audience and settings have no horizontal overflow and no accessibility violations', ({
  page,
}) =>
  expectAccessibleWithoutOverflow(page, async () => {
    await logInWithStreams(page);
    return [
      { name: 'audience', path: '/audience' },
      { name: 'usage', path: '/usage' },
      {
        name: 'settings-delete-account',
        path: '/settings/danger-zone',
        prepare: () => page.getByRole('button', { name: 'Delete account' }).click(),
      },
      {
        name: 'command-palette',
        path: '/settings',
        prepare: async () => {
          await page.getByRole('button', { name: 'Search' }).filter({ visible: true }).click();
          await expect(page.getByRole('option', { name: 'Choir rehearsal Stream' })).toBeVisible();
        },
      },
    ];
  }));
