import { databaseFailure } from './database-failure';
import { AppError } from './errors';

const databaseRetrySeconds = 5;

/** What may be said about an error: a refusal as it is, a failure of the database in words; null for a fault of ours. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  switch (databaseFailure(error)) {
    case 'unavailable':
      return new AppError('unavailable', 'the database is not responding, try again', {
        retryAfter: databaseRetrySeconds,
      });
    case 'conflict':
      return new AppError('conflict', 'another request changed the same object at the same time, try again');
    case 'invalid':
      return new AppError('invalid', 'a value cannot be stored');
    case null:
      return null;
  }
}
