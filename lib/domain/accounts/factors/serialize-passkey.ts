import type { Passkey } from '@/lib/contract/accounts/sign-in-factors';
import type { Passkey as PasskeyRow } from '@/lib/generated/prisma/client';

export function serializePasskey({
  id,
  name,
  createdAt,
  lastUsedAt,
}: Pick<PasskeyRow, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>): Passkey {
  return { id, name, createdAt: createdAt.getTime(), lastUsedAt: lastUsedAt?.getTime() ?? null };
}
