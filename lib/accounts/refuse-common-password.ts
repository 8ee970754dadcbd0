import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '@/lib/core/errors';

let common: ReadonlySet<string> | undefined;

/**
 * @param field of the form, for the sentence
 * @throws AppError `invalid` for a password that attackers try first
 */
export function refuseCommonPassword(password: string, field = 'password'): void {
  common ??= new Set(dictionary['passwords-common']);
  const simple = password.toLowerCase();
  if (common.has(simple) || new Set(simple).size < 3) {
    throw new AppError('invalid', `${field}: is too common, choose another password`);
  }
}
