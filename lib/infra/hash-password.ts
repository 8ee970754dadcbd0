import { hash, parseOptions, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '@/lib/core/errors';

/** Minimum parameters of OWASP for argon2id. Each hash takes 19 MB and about 15 ms. */
const hashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_CONCURRENT_HASHES = 4;

let runningCount = 0;
const waitingResumes: (() => void)[] = [];

/** Limits concurrent hashes to four, so that many sign-ins wait instead of exhausting memory. */
async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (runningCount >= MAX_CONCURRENT_HASHES) await new Promise<void>((resume) => waitingResumes.push(resume));
  else runningCount += 1;
  try {
    return await work();
  } finally {
    const resumeNext = waitingResumes.shift();
    // A waiting hash takes over the slot, so the count stays.
    if (resumeNext) resumeNext();
    else runningCount -= 1;
  }
}

/**
 * Hashes a password with argon2id.
 * @param password normalized password (NFKC)
 * @returns the hash in PHC format, with its salt and cost parameters
 */
export function hashPassword(password: string): Promise<string> {
  return withSlot(() => hash(password, hashCost));
}

/**
 * Whether a password is the one of a stored hash.
 * @param password normalized password (NFKC)
 */
export function passwordMatches(storedHash: string, password: string): Promise<boolean> {
  return withSlot(() => verify(storedHash, password));
}

/** Whether a hash has outdated cost parameters. */
export function needsRehash(storedHash: string): boolean {
  const parameters = parseOptions(storedHash);
  return (
    parameters.memoryCost !== hashCost.memoryCost ||
    parameters.timeCost !== hashCost.timeCost ||
    parameters.parallelism !== hashCost.parallelism
  );
}

let decoyHash: Promise<string> | undefined;

/** Takes as long as a real comparison, so that the response time does not reveal whether an email address is known. */
export async function compareWithDecoy(password: string): Promise<void> {
  decoyHash ??= hashPassword('no account has this password');
  await passwordMatches(await decoyHash, password);
}

let commonPasswords: ReadonlySet<string> | undefined;

/**
 * Rejects a password that attackers try first: a common one, or one of fewer than three distinct characters.
 * @param field field name in the error message
 * @throws AppError `invalid`
 */
export function rejectCommonPassword(password: string, field = 'password'): void {
  commonPasswords ??= new Set(dictionary['passwords-common']);
  const lowercasePassword = password.toLowerCase();
  const distinctCharacterCount = new Set(lowercasePassword).size;
  if (commonPasswords.has(lowercasePassword) || distinctCharacterCount < 3) {
    throw new AppError('invalid', { field, message: 'is too common, choose another password' });
  }
}
