import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LogInForm } from '@/app/(auth)/login/log-in-form';
import { renderPage } from '@/components/testing/render-page';
import type { SignInRejection } from '@/lib/client/sign-in';

type PasskeyOutcome = SignInRejection | 'cancelled' | null;

/** The fake server: its response to each step (null: success), and the codes and passkey requests it received. */
const { server } = vi.hoisted(() => ({
  server: {
    password: null as SignInRejection | null,
    code: null as SignInRejection | null,
    passkey: null as PasskeyOutcome,
    sent: [] as unknown[],
  },
}));

// Fake of NextAuth, which creates the session cookie, and of passkeys. The tests in e2e/dashboard use the real
// ones.
vi.mock('@/lib/client/sign-in', () => ({
  signInWithPassword: () => Promise.resolve(server.password),
  signInWithCode: (code: string) => {
    server.sent.push(code);
    return Promise.resolve(server.code);
  },
  signInWithPasskey: (use: object) => {
    server.sent.push(use);
    return Promise.resolve(server.passkey);
  },
  offerPasskeys: () => () => undefined,
}));

let openedPaths: string[];

beforeEach(() => {
  Object.assign(server, { password: null, code: null, passkey: null, sent: [] });
  openedPaths = [];
  vi.spyOn(window.location, 'assign').mockImplementation((to) => void openedPaths.push(String(to)));
});

afterEach(cleanup);

async function submitPassword(steps: readonly ('code' | 'passkey' | 'recovery-code')[]) {
  server.password = { steps };
  const { user } = renderPage(<LogInForm next="/streams" withPasskeys />);
  await user.type(screen.getByLabelText('Email'), 'ada@example.com');
  await user.type(screen.getByLabelText('Password'), 'a long pass phrase');
  await user.keyboard('{Enter}');
  await screen.findByRole('button', { name: 'Back' });
  return user;
}

const queryButton = (name: string) => screen.queryByRole('button', { name });

describe('after the password', () => {
  test('a wrong code shows an error, and a correct one logs in', async () => {
    const user = await submitPassword(['code', 'recovery-code']);
    server.code = 'wrong';
    await user.type(screen.getByLabelText('Code'), '000000{Enter}');
    await screen.findByText('This code is wrong or was used before');
    expect(openedPaths).toEqual([]);
    server.code = null;
    await user.clear(screen.getByLabelText('Code'));
    await user.type(screen.getByLabelText('Code'), '123 456{Enter}');
    await expect.poll(() => openedPaths).toEqual(['/streams']);
    expect(server.sent).toEqual(['000000', '123 456']);
  });

  test('a recovery code can replace the code', async () => {
    const user = await submitPassword(['code', 'recovery-code']);
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    await user.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-2345-wxyz{Enter}');
    await expect.poll(() => openedPaths).toEqual(['/streams']);
    expect(server.sent).toEqual(['abcd-efgh-2345-wxyz']);
  });

  test('an account with passkeys only has no field for a code, and can retry after a cancelled request', async () => {
    const user = await submitPassword(['passkey']);
    expect(screen.queryByLabelText('Code')).toBeNull();
    expect(queryButton('Use a recovery code')).toBeNull();
    server.passkey = 'cancelled';
    await user.click(screen.getByRole('button', { name: 'Use a passkey' }));
    expect(openedPaths).toEqual([]);
    server.passkey = null;
    await user.click(screen.getByRole('button', { name: 'Use a passkey' }));
    await expect.poll(() => openedPaths).toEqual(['/streams']);
    expect(server.sent).toEqual([{ second: true }, { second: true }]);
  });

  test('an expired log-in shows an error, and "Back" returns to the password', async () => {
    const user = await submitPassword(['code']);
    server.code = { message: 'This login has expired. Enter your password again' };
    await user.type(screen.getByLabelText('Code'), '123456{Enter}');
    await screen.findByText('This login has expired. Enter your password again');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });
});

describe('a passkey in place of the password', () => {
  test('logs in; an unknown passkey shows an error', async () => {
    const { user } = renderPage(<LogInForm next="/streams" withPasskeys />);
    server.passkey = 'wrong';
    await user.click(screen.getByRole('button', { name: 'Continue with a passkey' }));
    await screen.findByText(/This passkey doesn’t work here/);
    server.passkey = null;
    await user.click(screen.getByRole('button', { name: 'Continue with a passkey' }));
    await expect.poll(() => openedPaths).toEqual(['/streams']);
  });

  test('is not offered where browsers support no passkeys for this address', () => {
    renderPage(<LogInForm next="/" />);
    expect(queryButton('Continue with a passkey')).toBeNull();
  });
});
