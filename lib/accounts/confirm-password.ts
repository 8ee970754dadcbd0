import type { AccountContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { verifyPassword } from './authenticate-password';

/**
 * Confirms the password before an action that can't be undone.
 * @param field of the form, for the sentence
 * @throws AppError `forbidden` for a wrong password
 */
export async function confirmPassword(ctx: AccountContext, password: string, field: string): Promise<void> {
  if (await verifyPassword(ctx, password)) return;
  throw new AppError('forbidden', `${field}: is not the password of this account`);
}
