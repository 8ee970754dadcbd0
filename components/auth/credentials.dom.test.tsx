import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { LogInForm } from '@/app/(auth)/login/log-in-form';
import { SignUpForm } from '@/app/(auth)/signup/sign-up-form';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { signUp } from '@/lib/contract/accounts/account';
import type { SignInRejection } from '@/lib/client/sign-in';
import type { Credentials } from '@/lib/client/sign-in';

/** The fake server: its rejection of the next log-in (null: it succeeds), and the credentials of all log-ins. */
const { server } = vi.hoisted(() => ({
  server: { rejection: null as SignInRejection | null, submittedCredentials: [] as Credentials[] },
}));

// Fake of NextAuth, which creates the session cookie. The tests in e2e/dashboard use the real NextAuth.
vi.mock('@/lib/client/sign-in', () => ({
  signInWithPassword: (credentials: Credentials) => {
    server.submittedCredentials.push(credentials);
    return Promise.resolve(server.rejection);
  },
}));

const service = setUpFakeService();
const ada = { email: 'ada@example.com', password: 'a long pass phrase' };
let openedPaths: string[];

beforeEach(() => {
  Object.assign(server, { rejection: null, submittedCredentials: [] });
  openedPaths = [];
  vi.spyOn(window.location, 'assign').mockImplementation((to) => void openedPaths.push(String(to)));
});

const emailField = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
const passwordField = () => screen.getByLabelText<HTMLInputElement>('Password');

async function submitCredentials(form: React.ReactNode, { email, password }: Credentials) {
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
    await submitCredentials(<SignUpForm next="/streams" />, ada);
    await expect.poll(() => openedPaths).toEqual(['/streams']);
    expect([requestBodies(), server.submittedCredentials]).toEqual([[ada], [ada]]);
  });

  test.each([
    ['no email address', { ...ada, email: 'ada' }, /Enter your email address/],
    ['a short password', { ...ada, password: 'short' }, /At least 10 characters/],
  ])('with %s is not sent', async (_fault, credentials, message) => {
    await submitCredentials(<SignUpForm next="/" />, credentials);
    await screen.findByText(message);
    expect(requestBodies()).toEqual([]);
  });

  test('shows an error of the service at its field and keeps the input', async () => {
    service().reject(signUp, 'invalid', {
      field: 'password',
      message: 'is one of the most common passwords',
    });
    await submitCredentials(<SignUpForm next="/" />, { ...ada, password: 'password1234' });
    await screen.findByText('Is one of the most common passwords');
    expect([emailField().value, passwordField().value]).toEqual([ada.email, 'password1234']);
    expect(passwordField().getAttribute('aria-invalid')).toBe('true');
    expect(openedPaths).toEqual([]);
  });

  test('shows a message if the operator has closed it', async () => {
    service().reject(signUp, 'forbidden', 'Sign-up is closed on this server.');
    await submitCredentials(<SignUpForm next="/" />, ada);
    await screen.findByText('Sign-up is closed on this server.');
  });

  test('with a known email address and a wrong password does not log in, and does not reveal that the account exists', async () => {
    // The service responds as if it created the account; only the log-in that follows is rejected.
    service().onExamples(signUp);
    server.rejection = 'wrong';
    await submitCredentials(<SignUpForm next="/" />, ada);
    await screen.findByText(/No account was created\. If you already have one with this email/);
    expect(openedPaths).toEqual([]);
  });
});

describe('log in', () => {
  test('continues to the requested page', async () => {
    await submitCredentials(<LogInForm next="/assets?status=failed" />, ada);
    await expect.poll(() => openedPaths).toEqual(['/assets?status=failed']);
  });

  test('rejected by the server shows its message', async () => {
    server.rejection = { message: 'Too many attempts. Try again in 5 minutes.' };
    await submitCredentials(<LogInForm next="/" />, ada);
    await screen.findByText('Too many attempts. Try again in 5 minutes.');
  });

  test('with a locked account shows for how long, and another way to log in', async () => {
    server.rejection = { message: 'Too many attempts to log in. Try again in 3 hours' };
    await submitCredentials(<LogInForm next="/" />, ada);
    await screen.findByText(
      'Too many attempts to log in. Try again in 3 hours, or reset your password to log in now.',
    );
  });

  test('with a wrong password shows an error at the password and keeps the email address', async () => {
    server.rejection = 'wrong';
    await submitCredentials(<LogInForm next="/" />, ada);
    await screen.findByText('Wrong email or password');
    expect(passwordField().getAttribute('aria-invalid')).toBe('true');
    expect(emailField().value).toBe(ada.email);
    expect(openedPaths).toEqual([]);
  });

  test('accepts passwords that are shorter than the current rules', async () => {
    await submitCredentials(<LogInForm next="/" />, { ...ada, password: 'short' });
    await expect.poll(() => openedPaths).toEqual(['/']);
  });

  test('requires a password', async () => {
    const { user } = renderPage(<LogInForm next="/" />);
    await user.type(emailField(), `${ada.email}{Enter}`);
    await screen.findByText('Enter your password');
    expect(server.submittedCredentials).toEqual([]);
  });
});
