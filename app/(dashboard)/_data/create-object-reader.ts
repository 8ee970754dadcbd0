import { cache } from 'react';
import type { AccountContext } from '@/lib/domain/context';
import { idParams } from '@/lib/contract/primitives';
import { AppError } from '@/lib/core/errors';
import { getSessionContext } from '@/lib/http/sessions/session-user';

/**
 * Creates a function that reads the object of a page once for its title and its content. It returns null if the object does
 * not exist, or the visitor is not signed in.
 * @param readObject reads the object by its id
 */
export function createObjectReader<T>(readObject: (ctx: AccountContext, id: string) => Promise<T>) {
  return cache(async (id: string): Promise<T | null> => {
    const ctx = await getSessionContext();
    if (!ctx || !idParams.safeParse({ id }).success) return null;
    try {
      return await readObject(ctx, id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  });
}
