import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { requestPasswordReset, resetPassword } from '@/lib/contract/accounts/account-links';
import { ResetPasswordForm } from './reset-password';

const service = setUpFakeService();

test('a reset link is requested only for a valid email address', async () => {
  service().onExamples(requestPasswordReset);
  const { user } = renderPage(<ResetPasswordForm sendsMail />, { at: '/reset-password' });
  await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada{Enter}');
  await screen.findByRole('textbox', { name: 'Email', description: /Enter your email address/ });
  expect(service().callsOf(requestPasswordReset)).toEqual([]);
  await user.type(screen.getByRole('textbox', { name: 'Email' }), '@example.com {Enter}');
  await screen.findByRole('heading', { name: 'Check your email' });
  expect(service().callsOf(requestPasswordReset)[0]?.body).toEqual({ email: 'ada@example.com' });
});

test('a reset link that the service rejects shows an error and offers to request a new link', async () => {
  const token = 't'.repeat(80);
  service().reject(resetPassword, 'forbidden', {
    field: 'token',
    message: 'this link is incomplete, has expired or was used already. Request a new one.',
  });
  const { user } = renderPage(<ResetPasswordForm sendsMail />, { at: `/reset-password#${token}` });
  await user.type(screen.getByLabelText('New password'), 'another long pass phrase{Enter}');
  await screen.findByText(/^This link is incomplete, has expired/);
  screen.getByRole('link', { name: 'Request a new link' });
  expect(service().callsOf(resetPassword)[0]?.body).toEqual({ token, password: 'another long pass phrase' });
});
