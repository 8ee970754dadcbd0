import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact, type InTransaction } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type {
  CreatedMultistreamTarget,
  createTarget as createTargetEndpoint,
} from '@/lib/contract/targets/multistream';
import { AppError } from '@/lib/core/errors';
import { targetNameOf } from '@/lib/core/targets/target-url';
import type { MultistreamTarget } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { checkTargetUrl } from './internal';
import { serializeTarget } from './serialize';

const MAX_NAME_LENGTH = 500;

/** Default name of a target: its service or host. */
export const targetName = (url: string): string => targetNameOf(url).slice(0, MAX_NAME_LENGTH);

/**
 * Creates the row of a target with a sealed URL. A missing or empty name becomes the name of its host.
 * @param field name of the URL in the request, for error messages
 * @throws AppError `invalid`, `forbidden` for a CORS-enabled key, whose visitors could send streams anywhere
 */
export async function insertTarget(
  tx: InTransaction<TeamContext>,
  target: { readonly url: string; readonly name?: string; readonly disabled?: boolean },
  field: string,
): Promise<MultistreamTarget> {
  const { teamId, restricted } = tx.actor;
  if (restricted) {
    throw new AppError('forbidden', {
      field: field.replace(/\.url$/, ''),
      message:
        'a CORS-enabled API key with restricted access cannot create multistream targets. Use the id of an existing one',
    });
  }
  checkTargetUrl(tx, target.url, field);
  const id = newId();
  const row = await tx.db.multistreamTarget.create({
    data: {
      id,
      teamId,
      name: target.name || targetName(target.url),
      urlSealed: tx.secrets.seal({ kind: 'target-url', id, teamId }, target.url),
      disabled: target.disabled ?? false,
      createdAt: tx.clock.now(),
    },
  });
  await recordAudit(tx, { action: 'target.created', objectId: id });
  return row;
}

/**
 * Creates a target. The URL is only in this response.
 * @throws AppError `invalid` (url), `forbidden` for a CORS-enabled key
 */
export async function createTarget(
  ctx: TeamContext,
  body: BodyOf<typeof createTargetEndpoint>,
): Promise<CreatedMultistreamTarget> {
  const row = await transact(ctx, (tx) => insertTarget(tx, body, 'url'));
  return { ...serializeTarget(row), url: body.url };
}
