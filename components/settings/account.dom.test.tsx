import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { changePassword, deleteAccount, endSessions } from '@/lib/contract/accounts/account';
import type { Refusal } from '@/lib/client/sign-in';
import { DangerZone } from './danger-zone';
import { ChangePassword, SignedInDevices } from './password-panel';

/** Why a log-in is refused; null = it works. */
const { session } = vi.hoisted(() => ({ session: { refusal: null as Refusal | null } }));

// The session cookie is made by NextAuth, which e2e/dashboard runs with the real one.
vi.mock('@/lib/client/sign-in', () => ({ openSession: () => Promise.resolve(session.refusal) }));

const service = fakeService();
const email = 'ada@example.com';
let went: string[];

beforeEach(() => {
  session.refusal = null;
  went = [];
  vi.spyOn(window.location, 'assign').mockImplementation((to) => void went.push(String(to)));
});

describe('a new password', () => {
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  async function change(current: string, next: string) {
    const { user } = renderPage(<ChangePassword email={email} />);
    if (current) await user.type(field('Current password'), current);
    await user.type(field('New password'), `${next}{Enter}`);
  }

  test('is saved, this browser stays logged in, and the fields forget it', async () => {
    service().onExamples(changePassword);
    await change('a long pass phrase', 'another long pass phrase');
    await screen.findByText('Password changed');
    expect(
      service()
        .callsOf(changePassword)
        .map(({ body }) => body),
    ).toEqual([{ currentPassword: 'a long pass phrase', newPassword: 'another long pass phrase' }]);
    await expect.poll(() => field('New password').value).toBe('');
    expect(went).toEqual([]);
  });

  test('leads to the log-in where this browser is not let in again', async () => {
    service().onExamples(changePassword);
    session.refusal = 'unavailable';
    await change('a long pass phrase', 'another long pass phrase');
    await expect.poll(() => went).toEqual(['/login?next=%2Fsettings%2Fpassword']);
    expect(screen.queryByText('Password changed')).toBeNull();
  });

  test('stays typed when the current one is wrong', async () => {
    service().refuse(changePassword, 'invalid', 'currentPassword: is wrong');
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

describe('logging out everywhere', () => {
  test('ends in the log-in', async () => {
    service().onExamples(endSessions);
    const { user } = renderPage(<SignedInDevices />);
    await user.click(screen.getByRole('button', { name: 'Log out everywhere' }));
    await expect.poll(() => went).toEqual(['/login']);
  });

  test('that did not work says so and stays', async () => {
    service().refuse(endSessions, 'unavailable', 'the database is restarting');
    const { user } = renderPage(<SignedInDevices />);
    await user.click(screen.getByRole('button', { name: 'Log out everywhere' }));
    await screen.findByText('Couldn’t log out everywhere');
    expect(went).toEqual([]);
  });
});

describe('deleting the account', () => {
  async function openForm() {
    const { user } = renderPage(<DangerZone email={email} />);
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this account?' }));
    const submit = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete account' });
    const word = dialog.getByLabelText('Type “delete” to confirm');
    return { user, dialog, submit, word, password: dialog.getByLabelText('Your password') };
  }

  test('needs the word and the password', async () => {
    service().onExamples(deleteAccount);
    const { user, submit, word, password } = await openForm();
    await user.type(password, 'a long pass phrase');
    await user.type(word, 'yes');
    expect(submit().disabled).toBe(true);
    await user.clear(word);
    await user.type(word, ' Delete ');
    expect(submit().disabled).toBe(false);
    await user.click(submit());
    await expect.poll(() => went).toEqual(['/signup']);
  });

  test('with a wrong password deletes nothing', async () => {
    service().refuse(deleteAccount, 'invalid', 'password: is wrong');
    const { user, dialog, word, password } = await openForm();
    await user.type(word, 'delete');
    await user.type(password, 'not it{Enter}');
    await dialog.findByText('Is wrong');
    expect(went).toEqual([]);
  });
});
