import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { LogInForm } from '@/app/(auth)/login/log-in-form';
import { SignUpForm } from '@/app/(auth)/signup/sign-up-form';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { signUp } from '@/lib/contract/accounts/account';
import type { SignInRejection } from '@/lib/client/sign-in';
import type { Credentials } from '@/lib/client/sign-in';

/** Rejection of a sign-in; null = success. */
const { session } = vi.hoisted(() => ({
  session: { rejection: null as SignInRejection | null, opened: [] as Credentials[] },
}));

// Fake of NextAuth, which creates the session cookie. The tests in e2e/dashboard use the real NextAuth.
vi.mock('@/lib/client/sign-in', () => ({
  openSession: (credentials: Credentials) => {
    session.opened.push(credentials);
    return Promise.resolve(session.rejection);
  },
}));

const service = setUpFakeService();
const ada = { email: 'ada@example.com', password: 'a long pass phrase' };
let openedPath: string[];

beforeEach(() => {
  Object.assign(session, { rejection: null, opened: [] });
  openedPath = [];
  vi.spyOn(window.location, 'assign').mockImplementation((to) => void openedPath.push(String(to)));
});

const emailField = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
const passwordField = () => screen.getByLabelText<HTMLInputElement>('Password');

async function fill(form: React.ReactNode, { email, password }: Credentials) {
  const { user } = renderPage(form);
  await user.type(emailField(), email);
  await user.type(passwordField(), password);
  await user.keyboard('{Enter}');
}

describe('sign up', () => {
  const requestBodies = () =>
    service()
      .callsOf(signUp)
      .map(({ body }) => body);

  test('creates the account, logs in and continues', async () => {
    service().onExamples(signUp);
    await fill(<SignUpForm next="/streams" />, ada);
    await expect.poll(() => openedPath).toEqual(['/streams']);
    expect([requestBodies(), session.opened]).toEqual([[ada], [ada]]);
  });

  test.each([
    ['no email address', { ...ada, email: 'ada' }, /Enter your email address/],
    ['a short password', { ...ada, password: 'short' }, /At least 10 characters/],
  ])('with %s is not sent', async (_what, credentials, message) => {
    await fill(<SignUpForm next="/" />, credentials);
    await screen.findByText(message);
    expect(requestBodies()).toEqual([]);
  });

  test('shows errors of the service at their fields and keeps the input', async () => {
    service().reject(signUp, 'invalid', {
      field: 'password',
      message: 'is one of the most common passwords',
    });
    await fill(<SignUpForm next="/" />, { ...ada, password: 'password1234' });
    await screen.findByText('Is one of the most common passwords');
    expect([emailField().value, passwordField().value]).toEqual([ada.email, 'password1234']);
    expect(passwordField().getAttribute('aria-invalid')).toBe('true');
    expect(openedPath).toEqual([]);
  });

  test('that is closed by the operator explains that', async () => {
    service().reject(signUp, 'forbidden', 'Sign-up is closed on this server.');
    await fill(<SignUpForm next="/" />, ada);
    await screen.findByText('Sign-up is closed on this server.');
  });

  test('with a known email address does not log in, and does not reveal whose it is', async () => {
    service().onExamples(signUp);
    session.rejection = 'wrong';
    await fill(<SignUpForm next="/" />, ada);
    await screen.findByText(/No account was created\. If you already have one with this email/);
    expect(openedPath).toEqual([]);
  });
});

describe('log in', () => {
  test('continues to the requested page', async () => {
    await fill(<LogInForm next="/assets?status=failed" />, ada);
    await expect.poll(() => openedPath).toEqual(['/assets?status=failed']);
  });

  test('rejected by the server shows its message', async () => {
    session.rejection = { message: 'Too many attempts. Try again in 5 minutes.' };
    await fill(<LogInForm next="/" />, ada);
    await screen.findByText('Too many attempts. Try again in 5 minutes.');
  });

  test('with a locked account shows for how long, and another way to log in', async () => {
    session.rejection = { message: 'Too many attempts to log in. Try again in 3 hours' };
    await fill(<LogInForm next="/" />, ada);
    await screen.findByText(
      'Too many attempts to log in. Try again in 3 hours, or reset your password to log in now.',
    );
  });

  test('with a wrong password shows an error at the password and keeps the email address', async () => {
    session.rejection = 'wrong';
    await fill(<LogInForm next="/" />, ada);
    await screen.findByText('Wrong email or password');
    expect(passwordField().getAttribute('aria-invalid')).toBe('true');
    expect(emailField().value).toBe(ada.email);
    expect(openedPath).toEqual([]);
  });

  test('accepts passwords that are shorter than the current rules', async () => {
    await fill(<LogInForm next="/" />, { ...ada, password: 'short' });
    await expect.poll(() => openedPath).toEqual(['/']);
  });

  test('requires a password', async () => {
    const { user } = renderPage(<LogInForm next="/" />);
    await user.type(emailField(), `${ada.email}{Enter}`);
    await screen.findByText('Enter your password');
    expect(session.opened).toEqual([]);
  });
});
