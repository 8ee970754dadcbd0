import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { KeysView } from '@/app/(dashboard)/developers/keys/keys-view';
import { exampleItemOf, exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { type ApiKey, deleteApiKey, listApiKeys, revealApiKey } from '@/lib/contract/accounts/api-key';
import { listIngests } from '@/lib/contract/service';

const service = setUpFakeService();
/** Example of the API reference: the key “Website”, whose secret ends in x7Qa. */
const apiKey = exampleItemOf(listApiKeys);

beforeEach(() => service().onExamples(listIngests));

function openList(...keys: ApiKey[]) {
  service().on(listApiKeys, keys);
  return renderPage(<KeysView email="ada@example.com" />, { at: '/developers/keys' });
}

async function chooseAction(item: string) {
  const page = openList(apiKey);
  await page.user.click(await screen.findByRole('button', { name: 'Actions for Website' }));
  await page.user.click(await screen.findByRole('menuitem', { name: item }));
  return page;
}

test.each([
  [{ allowedOrigins: [] }, 'Backend', null],
  [{ allowedOrigins: ['*'], fullAccess: true }, 'Browser, full access', 'any origin'],
  [{ allowedOrigins: ['https://a.example', 'https://b.example'] }, 'Browser', 'https://a.example +1'],
] as const)('a key with %j shows its kind and origins', async (access, kind, shownOrigins) => {
  openList({ ...apiKey, ...access, allowedOrigins: [...access.allowedOrigins] });
  const row = within(await screen.findByRole('row', { name: /Website/ }));
  row.getByText(kind);
  if (shownOrigins !== null) row.getByText(shownOrigins);
  row.getByText('lsk_…x7Qa');
  row.getByText('Never');
});

test('the list shows the number of calls in the last 30 days', async () => {
  const dayBefore = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  openList({
    ...apiKey,
    usage: [
      // Not counted: more than 30 days ago.
      { day: dayBefore(40), calls: 5_000 },
      { day: dayBefore(3), calls: 1_200 },
      { day: dayBefore(1), calls: 34 },
    ],
  });
  within(await screen.findByRole('row', { name: /Website/ })).getByText('1,234');
});

test.each([
  [{ disabled: 'creator_left' as const }, 'Disabled: ada@example.com left the team'],
  [{ disabled: 'creator_left' as const, createdBy: null }, 'Disabled: a deleted account left the team'],
  [{ disabled: 'creator_role' as const }, 'Disabled: the role of ada@example.com was lowered'],
])('a disabled key shows the reason: %j', async (change, reason) => {
  openList({ ...apiKey, ...change });
  within(await screen.findByRole('row', { name: /Website/ })).getByText(reason);
});

test('an empty list says that there are no keys', async () => {
  openList();
  await screen.findByRole('heading', { name: 'No keys yet' });
});

test('a secret is shown after the correct password, and is removed when the dialog closes', async () => {
  service().reject(revealApiKey, 'invalid', { field: 'password', message: 'is wrong' });
  const { user } = await chooseAction('Reveal secret');
  const dialog = within(await screen.findByRole('dialog', { name: 'Reveal “Website”' }));
  await user.type(dialog.getByLabelText('Your password'), 'not it{Enter}');
  await dialog.findByText('Is wrong');
  service().onExamples(revealApiKey);
  await user.clear(dialog.getByLabelText('Your password'));
  await user.type(dialog.getByLabelText('Your password'), 'a long pass phrase{Enter}');
  const { secret } = exampleOf(revealApiKey);
  await dialog.findByText(secret);
  expect(
    service()
      .callsOf(revealApiKey)
      .map(({ body }) => body.password),
  ).toEqual(['not it', 'a long pass phrase']);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(screen.queryByText(secret)).toBeNull();
});

test('a key is deleted after a confirmation that says what stops working', async () => {
  const { user } = await chooseAction('Delete key');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete the key “Website”?' }));
  dialog.getByText(/Everything that uses lsk_…x7Qa stops working immediately/);
  service().on(deleteApiKey, () => service().on(listApiKeys, []));
  await user.type(dialog.getByRole('textbox'), 'delete{Enter}');
  await screen.findByText('Deleted the key “Website”');
  await screen.findByRole('heading', { name: 'No keys yet' });
});
