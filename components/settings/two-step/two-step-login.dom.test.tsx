import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import {
  confirmTotp,
  getSignInFactors,
  createRecoveryCodes,
  removePasskey,
  startTotp,
  type SignInFactors,
} from '@/lib/contract/accounts/sign-in-factors';
import { TwoStepLoginPanels } from './two-step-login';

const service = setUpFakeService();
const noFactors: SignInFactors = {
  totp: null,
  passkeys: [],
  recoveryCodesLeft: 0,
  passkeyHost: 'live.example',
};
const codes = ['abcd-efgh-2345-wxyz', 'bcde-fgha-2345-wxyz'];
const renderPanels = (props: { mustSetUpFactor?: boolean } = {}) =>
  renderPage(<TwoStepLoginPanels email="ada@example.com" {...props} />, { at: '/settings/two-step' });
const getPanel = (name: string) => within(screen.getByRole('region', { name }));

test('an authenticator app is set up with the password and a code, and then recovery codes are shown', async () => {
  service().on(getSignInFactors, noFactors);
  service().on(startTotp, {
    secret: 'ABCDEFGH',
    uri: 'otpauth://totp/x?secret=ABCDEFGH',
    setupToken: 'token',
  });
  service().reject(confirmTotp, 'forbidden', { field: 'code', message: 'is wrong or was used before.' });
  const { user } = renderPanels();
  await screen.findByText(/^Off\./);
  await user.click(getPanel('Authenticator app').getByRole('button', { name: 'Set up' }));
  await user.type(screen.getByLabelText('Your password'), 'a long pass phrase{Enter}');
  await screen.findByText('ABCDEFGH');
  await user.type(screen.getByLabelText('Code'), '000000{Enter}');
  await screen.findByText('Is wrong or was used before.');
  service().on(confirmTotp, { recoveryCodes: codes });
  service().on(getSignInFactors, { ...noFactors, totp: { createdAt: Date.now() }, recoveryCodesLeft: 10 });
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  await user.click(screen.getByRole('button', { name: 'I saved the codes' }));
  await screen.findByText(/^On\./);
  expect(getPanel('Recovery codes').getByText('10 codes left')).toBeTruthy();
  expect(service().callsOf(confirmTotp).at(-1)?.body).toEqual({ setupToken: 'token', code: '000000' });
});

test('a passkey is removed with the password; without a second factor, no recovery codes are shown', async () => {
  const passkey = { id: crypto.randomUUID(), name: 'Laptop', createdAt: Date.now(), lastUsedAt: null };
  service().on(getSignInFactors, { ...noFactors, passkeys: [passkey], recoveryCodesLeft: 1 });
  service().onExamples(removePasskey, createRecoveryCodes);
  const { user } = renderPanels();
  await screen.findByText('Laptop');
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove passkey “Laptop”' }));
  await user.type(dialog.getByLabelText('Your password'), 'a long pass phrase');
  service().on(getSignInFactors, noFactors);
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  await screen.findByText('No passkeys yet');
  expect(service().callsOf(removePasskey)).toMatchObject([
    { params: { id: passkey.id }, body: { password: 'a long pass phrase' } },
  ]);
  expect(screen.queryByRole('region', { name: 'Recovery codes' })).toBeNull();
});

test('a server without passkeys offers none, and explains why', async () => {
  service().on(getSignInFactors, { ...noFactors, passkeyHost: null });
  renderPanels();
  await screen.findByText(/Passkeys need HTTPS/);
  expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
});

test('an account that must set up a factor is asked to do so', async () => {
  service().on(getSignInFactors, noFactors);
  renderPanels({ mustSetUpFactor: true });
  await screen.findByText(/This server requires two-step login/);
});
