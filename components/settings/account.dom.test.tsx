import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { exampleItemOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { changePassword, deleteAccount, endSessions } from '@/lib/contract/accounts/account';
import { endBrowserSession, listBrowserSessions } from '@/lib/contract/accounts/browser-session';
import type { SignInRejection } from '@/lib/client/sign-in';
import { DangerZonePanel } from './danger-zone';
import { ChangePasswordPanel } from './password-panel';
import { SignedInDevicesPanel } from './signed-in-devices';

/** Rejection of a sign-in; null = success. */
const { session } = vi.hoisted(() => ({ session: { rejection: null as SignInRejection | null } }));

// Fake of NextAuth, which creates the session cookie. The tests in e2e/dashboard use the real NextAuth.
vi.mock('@/lib/client/sign-in', () => ({ openSession: () => Promise.resolve(session.rejection) }));

const service = setUpFakeService();
const email = 'ada@example.com';
let openedPath: string[];

beforeEach(() => {
  session.rejection = null;
  openedPath = [];
  vi.spyOn(window.location, 'assign').mockImplementation((to) => void openedPath.push(String(to)));
});

describe('a new password', () => {
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  async function change(current: string, next: string) {
    const { user } = renderPage(<ChangePasswordPanel email={email} />);
    if (current) await user.type(field('Current password'), current);
    await user.type(field('New password'), `${next}{Enter}`);
  }

  test('is saved, this browser stays logged in, and the fields are cleared', async () => {
    service().onExamples(changePassword);
    await change('a long pass phrase', 'another long pass phrase');
    await screen.findByText('Password changed');
    expect(
      service()
        .callsOf(changePassword)
        .map(({ body }) => body),
    ).toEqual([{ currentPassword: 'a long pass phrase', newPassword: 'another long pass phrase' }]);
    await expect.poll(() => field('New password').value).toBe('');
    expect(openedPath).toEqual([]);
  });

  test('opens the log-in page if this browser cannot log in again', async () => {
    service().onExamples(changePassword);
    session.rejection = 'unavailable';
    await change('a long pass phrase', 'another long pass phrase');
    await expect.poll(() => openedPath).toEqual(['/login?next=%2Fsettings%2Fpassword']);
    expect(screen.queryByText('Password changed')).toBeNull();
  });

  test('stays typed when the current one is wrong', async () => {
    service().reject(changePassword, 'invalid', { field: 'currentPassword', message: 'is wrong' });
    await change('not it at all', 'another long pass phrase');
    await screen.findByText('Is wrong');
    expect(field('Current password').getAttribute('aria-invalid')).toBe('true');
    expect(field('New password').value).toBe('another long pass phrase');
  });

  test('that is too short is not sent', async () => {
    service().onExamples(changePassword);
    await change('', 'short');
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
  const confirmEverywhere = async () => {
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
    expect(openedPath).toEqual([]);
  });

  test('are all logged out after a confirmation', async () => {
    service().onExamples(endSessions);
    const { user, dialog } = await confirmEverywhere();
    expect(service().callsOf(endSessions)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
    await expect.poll(() => openedPath).toEqual(['/login']);
  });

  test('that could not be logged out show an error and stay', async () => {
    service().reject(endSessions, 'unavailable', 'the database is restarting');
    const { user, dialog } = await confirmEverywhere();
    await user.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
    await dialog.findByText(/the database is restarting/i);
    expect(openedPath).toEqual([]);
  });
});

describe('deleting the account', () => {
  async function openForm() {
    const { user } = renderPage(<DangerZonePanel email={email} />);
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this account?' }));
    const submit = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete account' });
    const word = dialog.getByLabelText('Type “delete” to confirm');
    return { user, dialog, submit, word, password: dialog.getByLabelText('Your password') };
  }

  test('requires the word and the password', async () => {
    service().onExamples(deleteAccount);
    const { user, submit, word, password } = await openForm();
    await user.type(password, 'a long pass phrase');
    await user.type(word, 'yes');
    expect(submit().disabled).toBe(true);
    await user.clear(word);
    await user.type(word, ' Delete ');
    expect(submit().disabled).toBe(false);
    await user.click(submit());
    await expect.poll(() => openedPath).toEqual(['/signup']);
  });

  test('with a wrong password deletes nothing', async () => {
    service().reject(deleteAccount, 'invalid', { field: 'password', message: 'is wrong' });
    const { user, dialog, word, password } = await openForm();
    await user.type(word, 'delete');
    await user.type(password, 'not it{Enter}');
    await dialog.findByText('Is wrong');
    expect(openedPath).toEqual([]);
  });
});
