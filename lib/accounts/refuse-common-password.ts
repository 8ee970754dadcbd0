import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '@/lib/core/errors';

let common: ReadonlySet<string> | undefined;

/** @throws AppError `invalid` for a password that attackers try first */
export function refuseCommonPassword(password: string): void {
  common ??= new Set(dictionary['passwords-common']);
  const simple = password.toLowerCase();
  if (common.has(simple) || new Set(simple).size < 3) {
    throw new AppError('invalid', 'password: is too common, choose one that nobody else uses');
  }
}
