import { ApiError } from '@/lib/client';

const none: readonly string[] = [];

/** What the service said, for the form that asked; nothing when nothing went wrong. */
export function sentencesOf(error: Error | null): readonly string[] {
  if (!error) return none;
  return error instanceof ApiError ? error.messages : [error.message];
}
