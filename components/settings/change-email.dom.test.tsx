import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { changeEmail } from '@/lib/contract/accounts/account-links';
import { ChangeEmailDialog } from './change-email';

const service = setUpFakeService();

test('a new email address needs the password, and a wrong password shows an error at its field', async () => {
  service().reject(changeEmail, 'forbidden', {
    field: 'password',
    message: 'is not the password of this account',
  });
  const { user } = renderPage(<ChangeEmailDialog />);
  await user.click(screen.getByRole('button', { name: 'Change email' }));
  const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Change email' });
  await user.type(await screen.findByRole('textbox', { name: 'New email' }), 'ada@example.org ');
  expect(submit().disabled).toBe(true);
  const password = screen.getByLabelText('Your password');
  await user.type(password, 'wrong{Enter}');
  await screen.findByText('Is not the password of this account');
  await expect.poll(() => document.activeElement).toBe(password);
  service().on(changeEmail, { confirmationSent: true });
  await user.clear(password);
  await user.type(password, 'a long pass phrase{Enter}');
  await screen.findByText(/Open the link sent to ada@example.org/);
  expect(service().callsOf(changeEmail).at(-1)?.body).toEqual({
    email: 'ada@example.org',
    password: 'a long pass phrase',
  });
});
