import type { Context } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { createAccount } from './create-account';

/**
 * Creates an account for a visitor. A known address gets the same answer after the same work, so that
 * the answer does not reveal who has an account.
 * @throws AppError `invalid`, `forbidden` where the operator closed sign-up
 */
export async function signUp(
  ctx: Context,
  input: { readonly email: string; readonly password: string },
): Promise<{ email: string }> {
  if (ctx.settings.signUp === 'closed') {
    throw new AppError(
      'forbidden',
      'sign-up is closed on this server. Ask the server operator for an account.',
    );
  }
  try {
    await createAccount(ctx, input);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  }
  return { email: input.email };
}
