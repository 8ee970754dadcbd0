import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { createApiKey } from '@/lib/contract/accounts/api-key';
import { listIngests } from '@/lib/contract/service';
import { CreateKeyDialog } from './create-key';

const service = setUpFakeService();

beforeEach(() => service().onExamples(listIngests, createApiKey));

async function openForm() {
  const { user } = renderPage(<CreateKeyDialog />, { at: '/developers/keys?new=1' });
  const dialog = within(await screen.findByRole('dialog', { name: 'Create API key' }));
  return {
    user,
    dialog,
    nameField: () => dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' }),
    originField: () => dialog.getByRole<HTMLInputElement>('textbox', { name: 'Allowed origins' }),
    chooseKeyType: (kind: 'Backend' | 'Browser') =>
      user.click(dialog.getByRole('radio', { name: new RegExp(`^${kind} key`) })),
    submit: () => user.click(dialog.getByRole('button', { name: 'Create key' })),
  };
}

const requestBodies = () =>
  service()
    .callsOf(createApiKey)
    .map(({ body }) => body);
const shownOrigins = () =>
  within(screen.getByRole('list', { name: 'Origins of this key' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('a backend key needs only a name, and its secret is shown once', async () => {
  const key = { ...exampleOf(createApiKey), allowedOrigins: [] };
  service().on(createApiKey, key);
  const { user, nameField, submit } = await openForm();
  await user.type(nameField(), 'Website');
  await submit();
  const dialog = within(await screen.findByRole('dialog', { name: 'Key “Website” created' }));
  expect(requestBodies()).toEqual([
    { name: 'Website', allowedOrigins: [], fullAccess: false, scopes: ['all'], expiresAt: null },
  ]);
  expect(dialog.getByRole('group', { name: 'Secret' }).textContent).toBe(key.secret);
  expect(dialog.getByRole('group', { name: 'Line for .env' }).textContent).toBe(
    `HEADWATER_API_KEY=${key.secret}`,
  );
  expect(dialog.getByLabelText('Try it', { selector: 'pre' }).textContent).toContain(`Bearer ${key.secret}`);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await user.click(screen.getByRole('button', { name: 'Create key' }));
  await screen.findByRole('dialog', { name: 'Create API key' });
  expect(screen.queryByText(key.secret)).toBeNull();
});

test('a key without a name is not created, and the form names the missing field', async () => {
  const { dialog, submit } = await openForm();
  await submit();
  await dialog.findByRole('textbox', { name: 'Name', description: /Enter a name/ });
  expect(requestBodies()).toEqual([]);
});

test('a browser key requires at least one origin', async () => {
  const { user, dialog, nameField, chooseKeyType, submit } = await openForm();
  await user.type(nameField(), 'Website');
  await chooseKeyType('Browser');
  await submit();
  await dialog.findByRole('textbox', { name: 'Allowed origins', description: /Add at least one origin/ });
  expect(requestBodies()).toEqual([]);
});

test('origins are added one by one or pasted together, without duplicates, and can be removed', async () => {
  const { user, dialog, nameField, originField, chooseKeyType, submit } = await openForm();
  await user.type(nameField(), 'Website');
  await chooseKeyType('Browser');
  await user.type(originField(), 'https://EXAMPLE.com/{Enter}');
  await user.click(originField());
  await user.paste('http://localhost:3000, https://example.com https://example.org');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  expect(shownOrigins()).toEqual(['https://example.com', 'http://localhost:3000', 'https://example.org']);
  await user.click(dialog.getByRole('button', { name: 'Remove https://example.org' }));
  await submit();
  await screen.findByRole('dialog', { name: 'Key “Website” created' });
  expect(requestBodies().map(({ allowedOrigins }) => allowedOrigins)).toEqual([
    ['https://example.com', 'http://localhost:3000'],
  ]);
});

test.each([
  ['example.com', '“example.com” must start with https:// or http://'],
  ['https://example.com/app', '“https://example.com/app” must not have a path: use https://example.com'],
  [
    'https://*.example.com',
    '“https://*.example.com”: a host name with * is not supported. Add each origin, or use * on its own for every website',
  ],
])('“%s” is rejected while typing', async (text, message) => {
  const { user, dialog, originField, chooseKeyType } = await openForm();
  await chooseKeyType('Browser');
  await user.type(originField(), text);
  await dialog.findByText(message);
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true);
  await user.keyboard('{Enter}');
  expect(originField().value).toBe(text);
  expect(requestBodies()).toEqual([]);
});

test('an invalid origin in the field prevents the creation of the key until it is cleared', async () => {
  const { user, dialog, nameField, originField, chooseKeyType, submit } = await openForm();
  await user.type(nameField(), 'Shop');
  await chooseKeyType('Browser');
  await user.type(originField(), 'https://a.example{Enter}');
  await user.type(originField(), 'https://*.a.example');
  await dialog.findByRole('textbox', { description: /a host name with \* is not supported/ });
  await submit();
  expect(requestBodies()).toEqual([]);
  await user.clear(originField());
  await submit();
  await expect.poll(requestBodies).toMatchObject([{ allowedOrigins: ['https://a.example'] }]);
});

test('an incomplete origin is not an error yet', async () => {
  const { user, dialog, originField, chooseKeyType } = await openForm();
  await chooseKeyType('Browser');
  await user.type(originField(), 'https:/');
  expect(dialog.queryByText(/must start with/)).toBeNull();
});

test('the form warns about a key for every origin and about full access', async () => {
  const { user, dialog, originField, chooseKeyType } = await openForm();
  expect(dialog.queryByText(/every website/)).toBeNull();
  await chooseKeyType('Browser');
  await user.type(originField(), '*{Enter}');
  await dialog.findByText(/lets every website use this key/);
  await user.click(dialog.getByRole('switch', { name: 'Full access' }));
  await dialog.findByText(/read, change and delete everything in your team/);
});

test('a form that is changed back to a backend key sends neither origins nor full access', async () => {
  const { user, nameField, originField, chooseKeyType, dialog, submit } = await openForm();
  await user.type(nameField(), 'Website');
  await chooseKeyType('Browser');
  await user.type(originField(), 'https://example.com{Enter}');
  await user.click(dialog.getByRole('switch', { name: 'Full access' }));
  await chooseKeyType('Backend');
  await submit();
  await screen.findByRole('dialog', { name: 'Key “Website” created' });
  expect(requestBodies()).toEqual([
    { name: 'Website', allowedOrigins: [], fullAccess: false, scopes: ['all'], expiresAt: null },
  ]);
});

test('no example command is shown for a browser key, because it may not list streams', async () => {
  const { user, nameField, originField, chooseKeyType, submit } = await openForm();
  await user.type(nameField(), 'Website');
  await chooseKeyType('Browser');
  await user.type(originField(), 'https://example.com{Enter}');
  await submit();
  const dialog = within(await screen.findByRole('dialog', { name: 'Key “Website” created' }));
  expect(dialog.queryByText('Try it')).toBeNull();
});

test('errors that the API returns are shown at their fields, and the input is kept', async () => {
  service().reject(
    createApiKey,
    'invalid',
    { field: 'name', message: 'is taken' },
    { field: 'allowedOrigins[0]', message: 'is blocked here' },
  );
  const { user, dialog, nameField, originField, chooseKeyType, submit } = await openForm();
  await user.type(nameField(), 'Website');
  await chooseKeyType('Browser');
  await user.type(originField(), 'https://example.com{Enter}');
  await submit();
  await dialog.findByRole('textbox', { name: 'Name', description: 'Is taken' });
  await dialog.findByRole('textbox', { name: 'Allowed origins', description: /Is blocked here/ });
  expect(nameField().value).toBe('Website');
  expect(shownOrigins()).toEqual(['https://example.com']);
});
