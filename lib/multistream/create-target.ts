import { transact, type AccountContext } from '@/lib/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { CreatedMultistreamTarget } from '@/lib/contract/multistream';
import type { createTarget as endpoint } from '@/lib/contract/multistream-endpoints';
import { insertTarget } from './insert-target';
import { serializeTarget } from './serialize';

/**
 * Creates a target. Only this answer includes its url.
 * @throws AppError `invalid` (url)
 */
export async function createTarget(
  ctx: AccountContext,
  body: BodyOf<typeof endpoint>,
): Promise<CreatedMultistreamTarget> {
  const row = await transact(ctx, (tx) => insertTarget(tx, body, 'url'));
  return { ...serializeTarget(row), url: body.url };
}
