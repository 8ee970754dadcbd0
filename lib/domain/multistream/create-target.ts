import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact, type InTransaction } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { CreatedMultistreamTarget, createTarget as endpoint } from '@/lib/contract/targets/multistream';
import { AppError } from '@/lib/core/errors';
import { targetNameOf } from '@/lib/core/targets/target-url';
import type { MultistreamTarget } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { checkUrl } from './internal';
import { serializeTarget } from './serialize';

const maxNameLength = 500;

/** Name of a target that was given none. */
export const targetName = (url: string): string => targetNameOf(url).slice(0, maxNameLength);

/**
 * Writes a target of the actor, its url sealed; without a name (an empty one is none) it gets that of its host.
 * @param field name of the url in what the caller sent, for the sentence of a refusal
 * @throws AppError `invalid`, `forbidden` for the key of a web page, whose visitors could send streams anywhere
 */
export async function insertTarget(
  tx: InTransaction<TeamContext>,
  target: { readonly url: string; readonly name?: string; readonly disabled?: boolean },
  field: string,
): Promise<MultistreamTarget> {
  const { teamId, restricted } = tx.actor;
  if (restricted) {
    throw new AppError(
      'forbidden',
      `${field.replace(/\.url$/, '')}: a CORS-enabled API key with restricted access cannot create multistream targets. Use the id of an existing one`,
    );
  }
  checkUrl(tx, target.url, field);
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
 * Creates a target. Only this answer includes its url.
 * @throws AppError `invalid` (url)
 */
export async function createTarget(
  ctx: TeamContext,
  body: BodyOf<typeof endpoint>,
): Promise<CreatedMultistreamTarget> {
  const row = await transact(ctx, (tx) => insertTarget(tx, body, 'url'));
  return { ...serializeTarget(row), url: body.url };
}
