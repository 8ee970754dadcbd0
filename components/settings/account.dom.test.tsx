import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { exampleItemOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { changePassword, deleteAccount, endSignInSessions } from '@/lib/contract/accounts/account';
import { endBrowserSession, listBrowserSessions } from '@/lib/contract/accounts/browser-session';
import type { SignInRejection } from '@/lib/client/sign-in';
import { DangerZonePanel } from './danger-zone';
import { ChangePasswordPanel } from './password-panel';
import { SignedInDevicesPanel } from './signed-in-devices';

/** Result of the next sign-in: its rejection; null = success. */
const { signIn } = vi.hoisted(() => ({ signIn: { rejection: null as SignInRejection | null } }));

// Fake of NextAuth, which creates the session cookie. The tests in e2e/dashboard use the real NextAuth.
vi.mock('@/lib/client/sign-in', () => ({ signInWithPassword: () => Promise.resolve(signIn.rejection) }));

const service = setUpFakeService();
const email = 'ada@example.com';
/** Paths of the documents that the page has loaded. */
let openedPaths: string[];

beforeEach(() => {
  signIn.rejection = null;
  openedPaths = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void openedPaths.push(String(url)));
});

describe('a new password', () => {
  const getField = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  async function changePasswordFrom(currentPassword: string, newPassword: string) {
    const { user } = renderPage(<ChangePasswordPanel email={email} />);
    if (currentPassword) await user.type(getField('Current password'), currentPassword);
    await user.type(getField('New password'), `${newPassword}{Enter}`);
  }

  test('is saved, this browser stays logged in, and the fields are cleared', async () => {
    service().onExamples(changePassword);
    await changePasswordFrom('a long pass phrase', 'another long pass phrase');
    await screen.findByText('Password changed');
    expect(
      service()
        .callsOf(changePassword)
        .map(({ body }) => body),
    ).toEqual([{ currentPassword: 'a long pass phrase', newPassword: 'another long pass phrase' }]);
    await expect.poll(() => getField('New password').value).toBe('');
    expect(openedPaths).toEqual([]);
  });

  test('opens the log-in page if this browser cannot log in again', async () => {
    service().onExamples(changePassword);
    signIn.rejection = 'unavailable';
    await changePasswordFrom('a long pass phrase', 'another long pass phrase');
    await expect.poll(() => openedPaths).toEqual(['/login?next=%2Fsettings%2Fpassword']);
    expect(screen.queryByText('Password changed')).toBeNull();
  });

  test('stays in its field if the current password is wrong', async () => {
    service().reject(changePassword, 'invalid', { field: 'currentPassword', message: 'is wrong' });
    await changePasswordFrom('not it at all', 'another long pass phrase');
    await screen.findByText('Is wrong');
    expect(getField('Current password').getAttribute('aria-invalid')).toBe('true');
    expect(getField('New password').value).toBe('another long pass phrase');
  });

  test('that is too short is not sent', async () => {
    service().onExamples(changePassword);
    await changePasswordFrom('', 'short');
    await screen.findByText('At least 10 characters');
    screen.getByText('Enter your current password');
    expect(service().callsOf(changePassword)).toEqual([]);
  });
});

describe('signed-in devices', () => {
  const laptop = exampleItemOf(listBrowserSessions);
  const phone = {
    ...laptop,
    id: '8c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b',
    current: false,
    country: null,
    ip: '198.51.100.4',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1',
  };
  const openList = () => {
    service().on(listBrowserSessions, [laptop, phone]);
    return renderPage(<SignedInDevicesPanel />);
  };
  /** Opens the confirmation to log out everywhere. */
  const openConfirmation = async () => {
    const { user } = openList();
    await screen.findByText('This device');
    await user.click(screen.getByRole('button', { name: 'Log out everywhere' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Log out everywhere?' }));
    dialog.getByText(/Every browser is logged out, including this one/);
    return { user, dialog };
  };

  test('show browser, system and address, and mark the current one', async () => {
    openList();
    await screen.findByText('This device');
    const [firstBrowser, secondBrowser] = screen.getAllByRole('listitem');
    expect(firstBrowser?.textContent).toMatch(
      /^Firefox on Linux.*This device.*Germany, 203\.0\.113\.7 · Last used/,
    );
    expect(secondBrowser?.textContent).toMatch(/^Safari on iOS198\.51\.100\.4 · Last used/);
    expect(within(firstBrowser as HTMLElement).queryByRole('button')).toBeNull();
  });

  test('are logged out separately', async () => {
    service().onExamples(endBrowserSession);
    const { user } = openList();
    await user.click(await screen.findByRole('button', { name: 'Log out Safari on iOS' }));
    await screen.findByText('Logged out: Safari on iOS');
    expect(
      service()
        .callsOf(endBrowserSession)
        .map(({ params }) => params),
    ).toEqual([{ id: phone.id }]);
    expect(openedPaths).toEqual([]);
  });

  test('are all logged out after a confirmation', async () => {
    service().onExamples(endSignInSessions);
    const { user, dialog } = await openConfirmation();
    expect(service().callsOf(endSignInSessions)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
    await expect.poll(() => openedPaths).toEqual(['/login']);
  });

  test('that cannot be logged out: the confirmation shows the error, and the page stays open', async () => {
    service().reject(endSignInSessions, 'unavailable', 'the database is restarting');
    const { user, dialog } = await openConfirmation();
    await user.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
    await dialog.findByText(/the database is restarting/i);
    expect(openedPaths).toEqual([]);
  });
});

describe('deleting the account', () => {
  async function openForm() {
    const { user } = renderPage(<DangerZonePanel email={email} />);
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this account?' }));
    const submitButton = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete account' });
    const wordField = dialog.getByLabelText('Type “delete” to confirm');
    return { user, dialog, submitButton, wordField, passwordField: dialog.getByLabelText('Your password') };
  }

  test('requires the word and the password', async () => {
    service().onExamples(deleteAccount);
    const { user, submitButton, wordField, passwordField } = await openForm();
    await user.type(wordField, 'delete');
    expect(submitButton().disabled).toBe(true);
    await user.type(passwordField, 'a long pass phrase');
    await user.clear(wordField);
    await user.type(wordField, 'yes');
    expect(submitButton().disabled).toBe(true);
    await user.clear(wordField);
    await user.type(wordField, ' Delete ');
    expect(submitButton().disabled).toBe(false);
    await user.click(submitButton());
    await expect.poll(() => openedPaths).toEqual(['/signup']);
  });

  test('with a wrong password shows the error, and the page stays open', async () => {
    service().reject(deleteAccount, 'invalid', { field: 'password', message: 'is wrong' });
    const { user, dialog, wordField, passwordField } = await openForm();
    await user.type(wordField, 'delete');
    await user.type(passwordField, 'not it{Enter}');
    await dialog.findByText('Is wrong');
    expect(openedPaths).toEqual([]);
  });
});
