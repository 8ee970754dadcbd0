import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SigningKeysView } from '@/app/(dashboard)/developers/signing-keys/signing-keys-view';
import { exampleItemOf, exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import {
  createSigningKey,
  deleteSigningKey,
  listSigningKeys,
  updateSigningKey,
} from '@/lib/contract/access/signing-key';

const service = setUpFakeService();
/** Example of the API reference, named “Website”. */
const signingKey = exampleItemOf(listSigningKeys);

async function chooseAction(action: string) {
  service().onExamples(updateSigningKey, deleteSigningKey);
  const { user } = renderPage(<SigningKeysView />, { at: '/developers/signing-keys' });
  await user.click(await screen.findByRole('button', { name: 'Actions for Website' }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
  return user;
}

const updateBodies = () =>
  service()
    .callsOf(updateSigningKey)
    .map(({ body }) => body);

test('the private key is shown once, with a link to download it as a .pem file', async () => {
  service().on(listSigningKeys, []);
  const example = exampleOf(createSigningKey);
  service().on(createSigningKey, example);
  const { user } = renderPage(<SigningKeysView />, { at: '/developers/signing-keys' });
  await screen.findByText('No signing keys yet');
  await user.click(screen.getByRole('button', { name: 'Create signing key' }));
  const form = within(await screen.findByRole('dialog', { name: 'Create signing key' }));
  await user.click(form.getByRole('button', { name: 'Create signing key' }));
  await form.findByText('Enter a name');
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Website');
  await user.click(form.getByRole('button', { name: 'Create signing key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Signing key “Website” created' }));
  expect(dialog.getByRole('group', { name: 'Private key' }).textContent).toBe(example.privateKey);
  const downloadLink = dialog.getByRole<HTMLAnchorElement>('link', { name: 'Download .pem' });
  expect(downloadLink.getAttribute('download')).toBe('Website.pem');
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await user.click(screen.getByRole('button', { name: 'Create signing key' }));
  await screen.findByRole('dialog', { name: 'Create signing key' });
  expect(document.body.textContent).not.toContain(example.privateKey);
});

test('the form shows an error of the service', async () => {
  service().on(listSigningKeys, [signingKey]);
  service().reject(createSigningKey, 'forbidden', 'a team can have 10 signing keys');
  const { user } = renderPage(<SigningKeysView />, { at: '/developers/signing-keys?new=1' });
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'One more');
  await user.click(dialog.getByRole('button', { name: 'Create signing key' }));
  await dialog.findByText('A team can have 10 signing keys');
});

test('a key is disabled after a confirmation, and enabled without one', async () => {
  service().on(listSigningKeys, [signingKey]);
  const user = await chooseAction('Disable');
  const confirmDialog = within(
    await screen.findByRole('alertdialog', { name: 'Disable the signing key “Website”?' }),
  );
  service().on(listSigningKeys, [{ ...signingKey, disabled: true }]);
  await user.click(confirmDialog.getByRole('button', { name: 'Disable key' }));
  await screen.findByText('Disabled');
  await user.click(screen.getByRole('button', { name: 'Actions for Website' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Enable' }));
  await expect.poll(updateBodies).toEqual([{ disabled: true }, { disabled: false }]);
});

test('a key is renamed', async () => {
  service().on(listSigningKeys, [signingKey]);
  const user = await chooseAction('Rename');
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename “Website”' }));
  const nameField = dialog.getByRole('textbox', { name: 'Name' });
  await user.clear(nameField);
  await user.type(nameField, 'App');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(updateBodies).toEqual([{ name: 'App' }]);
});

test('a key is deleted after the confirmation word is entered', async () => {
  service().on(listSigningKeys, [signingKey]);
  const user = await chooseAction('Delete key');
  const confirmDialog = within(await screen.findByRole('alertdialog', { name: /Delete the signing key/ }));
  await user.type(confirmDialog.getByRole('textbox'), 'delete');
  await user.click(confirmDialog.getByRole('button', { name: 'Delete key' }));
  await screen.findByText('Deleted the signing key “Website”');
  expect(service().callsOf(deleteSigningKey)).toHaveLength(1);
});
