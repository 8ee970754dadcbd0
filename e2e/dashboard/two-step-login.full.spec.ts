import { expect, test, type CDPSession, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import type { Credentials } from '../accounts';
import { checkPage } from './page-checks';
import { fillCredentials, logIn, logOut } from './page-actions';

/** Adds a virtual authenticator, like a fingerprint reader that always accepts. */
async function addFingerprintReader(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const dialog = (page: Page) => page.getByRole('dialog');

/** Types codes of the authenticator app until one is accepted, because a code may have been used or may expire meanwhile. */
async function typeCode(
  page: Page,
  secret: string,
  submitButtonName: string,
  expectAccepted: () => Promise<void>,
) {
  await expect(async () => {
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
    await page.getByRole('button', { name: submitButtonName, exact: true }).click();
    await expectAccepted();
  }).toPass({ intervals: [5_000] });
}

/** Logs out, and opens a sign-in form that leads back to the page for two-step login. */
async function logOutAndReturn(page: Page, account: Credentials): Promise<void> {
  await logOut(page, account);
  await page.goto('/login?next=%2Fsettings%2Ftwo-step');
}

/** Submits the password until the second step appears. */
async function typePassword(page: Page, account: Credentials): Promise<void> {
  await expect(async () => {
    await fillCredentials(page, account);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeVisible({ timeout: 10_000 });
  }).toPass();
}

test('an authenticator app is set up, its code or a recovery code is requested after the password, and it is turned off', async ({
  page,
}) => {
  const account = await logIn(page);
  await page.goto('/settings/two-step');
  await expect(panel(page, 'Two-step login')).toContainText('Off.');
  await panel(page, 'Authenticator app').getByRole('button', { name: 'Set up' }).click();
  await dialog(page).getByLabel('Your password').fill(account.password);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (await dialog(page).getByRole('group').innerText()).trim();
  await checkPage(page, 'two-step-setup');
  const codes = dialog(page).getByRole('list', { name: 'Recovery codes' });
  await typeCode(page, secret, 'Turn on', () => expect(codes).toBeVisible({ timeout: 5_000 }));
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await checkPage(page, 'two-step-recovery-codes');
  const recoveryCode = await codes.getByRole('listitem').first().innerText();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^recovery-codes-.+\.txt$/);
  await dialog(page).getByRole('button', { name: 'I saved the codes' }).click();
  await expect(panel(page, 'Two-step login')).toContainText('On.');
  await checkPage(page, 'two-step-on');

  // The sign-in session of this browser is still valid.
  await page.reload();
  await expect(panel(page, 'Recovery codes')).toContainText('10 codes left');

  await logOutAndReturn(page, account);
  await typePassword(page, account);
  await checkPage(page, 'login-second-step');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByText('This code is wrong or was used before')).toBeVisible();
  expect((await page.request.get('/api/user/me')).status()).toBe(401);
  await typeCode(page, secret, 'Log in', () =>
    expect(page).toHaveURL('/settings/two-step', { timeout: 10_000 }),
  );

  await logOutAndReturn(page, account);
  await typePassword(page, account);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL('/settings/two-step');
  await expect(panel(page, 'Recovery codes')).toContainText('9 codes left');

  await panel(page, 'Recovery codes').getByRole('button', { name: 'New codes' }).click();
  await dialog(page).getByLabel('Your password').fill(account.password);
  await dialog(page).getByRole('button', { name: 'Create codes' }).click();
  const newRecoveryCode = await codes.getByRole('listitem').last().innerText();
  await dialog(page).getByRole('button', { name: 'I saved the codes' }).click();
  await panel(page, 'Authenticator app').getByRole('button', { name: 'Turn off' }).click();
  await dialog(page).getByLabel('Your password').fill(account.password);
  await dialog(page).getByLabel('Code from the app').fill(newRecoveryCode);
  await dialog(page).getByRole('button', { name: 'Turn off' }).click();
  await expect(panel(page, 'Two-step login')).toContainText('Off.');
});

test('a passkey is added, is used to log in alone and as the second step, and is removed', async ({
  page,
}) => {
  const account = await logIn(page);
  const { cdp, authenticatorId } = await addFingerprintReader(page);
  await page.goto('/settings/two-step');
  await panel(page, 'Passkeys').getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page).getByLabel('Name').fill('Laptop');
  await dialog(page).getByLabel('Your password').fill('not the password');
  await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(dialog(page).getByText('is not the password', { exact: false })).toBeVisible();
  await dialog(page).getByLabel('Your password').fill(account.password);
  await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(dialog(page).getByRole('list', { name: 'Recovery codes' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'I saved the codes' }).click();
  const passkeys = panel(page, 'Passkeys').getByRole('list', { name: 'Passkeys' });
  await expect(passkeys).toContainText('Laptop');
  await checkPage(page, 'two-step-passkeys');
  expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);

  // The reader does not accept while the page opens.
  const setPresence = (enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  await setPresence(false);
  await logOutAndReturn(page, account);
  await checkPage(page, 'login-passkey');
  await setPresence(true);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page).toHaveURL('/settings/two-step');
  await expect(passkeys).not.toContainText('never');

  await setPresence(false);
  await logOutAndReturn(page, account);
  await typePassword(page, account);
  await setPresence(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/settings/two-step');

  await passkeys.getByRole('button', { name: 'Remove' }).click();
  await dialog(page).getByLabel('Your password').fill(account.password);
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await expect(panel(page, 'Passkeys')).toContainText('No passkeys yet');
  await setPresence(false);
  await logOutAndReturn(page, account);
  await setPresence(true);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page.getByText('This passkey doesn’t work here')).toBeVisible();
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL('/settings/two-step');
});

test('a browser in German shows the settings of two-step login in German', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-AT' });
  const page = await context.newPage();
  await logIn(page);
  await page.goto('/settings/two-step');
  await expect(panel(page, 'Anmeldung in zwei Schritten')).toContainText('Ausgeschaltet.');
  await checkPage(page, 'two-step-de');
  await context.close();
});
