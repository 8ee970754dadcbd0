import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import type {
  CreatedSigningKey,
  SigningKey as SigningKeyObject,
  createSigningKey as createEndpoint,
  updateSigningKey as updateEndpoint,
} from '@/lib/contract/access/signing-key';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import { AppError, notFound } from '@/lib/core/errors';
import type { SigningKey } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { newId } from '@/lib/infra/ids';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Limit of the Livepeer Studio API, whose clients can use this API. */
const MAX_KEYS_PER_TEAM = 10;
const createKeyPair = promisify(generateKeyPair);

/**
 * Creates a key pair and returns the private key, which is not stored.
 * @throws AppError `forbidden` above 10 keys
 */
export async function createSigningKey(
  ctx: TeamContext,
  { name }: BodyOf<typeof createEndpoint>,
): Promise<CreatedSigningKey> {
  const { teamId } = ctx.actor;
  const { publicKey, privateKey } = await createKeyPair('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return transact(ctx, async (tx) => {
    // Locks the team, so that concurrent requests cannot exceed the limit.
    await tx.db.$queryRaw`select 1 from "Team" where "id" = ${teamId}::uuid for no key update`;
    const count = await tx.db.signingKey.count({ where: { teamId } });
    if (count >= MAX_KEYS_PER_TEAM) {
      throw new AppError(
        'forbidden',
        `a team can have ${MAX_KEYS_PER_TEAM} signing keys: delete one before you create another`,
      );
    }
    const row = await tx.db.signingKey.create({
      data: {
        id: newId(),
        teamId,
        name: name ?? `Signing key ${count + 1}`,
        publicKey: Buffer.from(publicKey).toString('base64'),
        createdAt: ctx.clock.now(),
      },
    });
    await recordAudit(tx, { action: 'signing-key.created', objectId: row.id });
    await notify(tx.db, 'playback_access', `team ${teamId}`);
    return { ...serialize(row), privateKey: Buffer.from(privateKey).toString('base64') };
  });
}

/** Every signing key of the team, newest first. */
export async function listSigningKeys({ db, actor }: TeamContext): Promise<SigningKeyObject[]> {
  const orderBy = [{ createdAt: 'desc' }, { id: 'asc' }] as const;
  const rows = await db.signingKey.findMany({ where: { teamId: actor.teamId }, orderBy: [...orderBy] });
  return rows.map(serialize);
}

/** @throws AppError `not_found`, including for another team's key */
export async function getSigningKey({ db, actor }: TeamContext, id: string): Promise<SigningKeyObject> {
  const row = await db.signingKey.findFirst({ where: { id, teamId: actor.teamId } });
  if (!row) throw notFound();
  return serialize(row);
}

/**
 * Renames, disables or enables a key.
 * @throws AppError `not_found`, including for another team's key
 */
export async function updateSigningKey(
  ctx: TeamContext,
  { id, change }: { readonly id: string; readonly change: BodyOf<typeof updateEndpoint> },
): Promise<void> {
  const { teamId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const { name, disabled } = change;
    const data = {
      ...omitUndefined({ name }),
      ...omitUndefined({ disabled }),
    };
    const { count } = await tx.db.signingKey.updateMany({ where: { id, teamId }, data });
    if (count === 0) throw notFound();
    if (Object.keys(data).length === 0) return;
    await recordAudit(tx, { action: auditActionOf(disabled), objectId: id });
    await notify(tx.db, 'playback_access', `team ${teamId}`);
  });
}

/**
 * Deletes a key.
 * @throws AppError `not_found`, including for another team's key
 */
export async function deleteSigningKey(ctx: TeamContext, id: string): Promise<void> {
  const { teamId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const { count } = await tx.db.signingKey.deleteMany({ where: { id, teamId } });
    if (count === 0) throw notFound();
    await recordAudit(tx, { action: 'signing-key.deleted', objectId: id });
    await notify(tx.db, 'playback_access', `team ${teamId}`);
  });
}

function auditActionOf(disabled: boolean | undefined) {
  if (disabled === undefined) return 'signing-key.renamed';
  return disabled ? 'signing-key.disabled' : 'signing-key.enabled';
}

function serialize({ id, name, teamId, createdAt, publicKey, disabled }: SigningKey): SigningKeyObject {
  return { id, name, userId: teamId, createdAt: createdAt.getTime(), publicKey, disabled };
}
