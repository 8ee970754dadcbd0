import { DAY_MS } from '@/lib/core/units';
import type { Context, SystemContext } from '@/lib/domain/context';
import { orderRetryDelayMs, renewalTimeOf } from '@/lib/core/net/certificate-renewal';
import { newId } from '@/lib/infra/ids';
import type { AcmeSettings } from '@/lib/infra/tls/public-tls-settings';
import type { SecretContext } from '@/lib/infra/secrets';

/** Lease of an order, longer than an order takes (lib/infra/tls/acme.ts). Another machine then repeats an abandoned order. */
const LEASE_MS = 300_000;
const CHALLENGE_RETENTION_MS = DAY_MS;

/** Loaded only when a certificate is ordered, because all processes load this file. */
const loadAcme = () => import('@/lib/infra/tls/acme');

/** Machines with the same hosts and ACME directory share a certificate. */
const certificateIdOf = ({ directoryUrl, hosts }: AcmeSettings): string =>
  `${directoryUrl} ${hosts.join(',')}`;
const secretContextOf = (kind: SecretContext['kind'], id: string): SecretContext => ({
  kind,
  id,
  teamId: '',
});

/**
 * Orders the certificate of this machine's hosts when it is due and no other machine orders it, and writes the newest one
 * to the file that the other processes read. Must be called periodically.
 * @param signal aborts an order; the next call repeats it
 */
export async function updateCertificate(ctx: SystemContext, signal: AbortSignal): Promise<void> {
  const { acme, publicTls } = ctx.settings;
  if (!acme || !publicTls) return;
  const id = certificateIdOf(acme);
  const orderId = newId();
  await ctx.db.acmeCertificate.createMany({ data: { id, dueAt: ctx.clock.now() }, skipDuplicates: true });
  const { count } = await ctx.db.acmeCertificate.updateMany({
    where: { id, dueAt: { lte: ctx.clock.now() } },
    data: { dueAt: timeAfter(ctx, LEASE_MS), orderId },
  });
  if (count === 1) await placeOrder(ctx, acme, { id, orderId }, signal);
  const row = await ctx.db.acmeCertificate.findUnique({ where: { id } });
  if (!row?.pemSealed) return;
  const pem = openSecret(ctx, secretContextOf('acme-certificate', id), row.pemSealed);
  if (pem !== null) return (await loadAcme()).replaceCertificateFile(publicTls.cert, pem);
  ctx.log.warn('stored certificate cannot be decrypted with this APP_SECRET; ordering a new one');
  await ctx.db.acmeCertificate.deleteMany({ where: { id, pemSealed: row.pemSealed } });
}

async function placeOrder(
  ctx: SystemContext,
  acme: AcmeSettings,
  order: { readonly id: string; readonly orderId: string },
  signal: AbortSignal,
): Promise<void> {
  const { hosts } = acme;
  try {
    await deleteOutdated(ctx, order.id);
    const accountKey = await readOrCreateAccountKey(ctx, acme);
    const { orderCertificate } = await loadAcme();
    const certificate = await orderCertificate(acme, accountKey, createChallengeStore(ctx), signal);
    const expiresAt = new Date(certificate.notAfter);
    await ctx.db.acmeCertificate.updateMany({
      where: order,
      data: {
        pemSealed: ctx.secrets.seal(secretContextOf('acme-certificate', order.id), certificate.pem),
        expiresAt,
        failures: 0,
        lastError: null,
        dueAt: new Date(renewalTimeOf(certificate)),
        orderId: null,
      },
    });
    ctx.log.info({ hosts, expiresAt }, 'certificate issued');
  } catch (error) {
    if (signal.aborted) {
      // This process shuts down, which is no failure: another one may order immediately.
      await ctx.db.acmeCertificate.updateMany({
        where: order,
        data: { dueAt: ctx.clock.now(), orderId: null },
      });
      return;
    }
    await recordFailure(ctx, hosts, order, error);
  }
}

async function recordFailure(
  ctx: SystemContext,
  hosts: readonly string[],
  order: { readonly id: string; readonly orderId: string },
  error: unknown,
): Promise<void> {
  const { failures = 0 } = (await ctx.db.acmeCertificate.findFirst({ where: order })) ?? {};
  const { OrderError } = await loadAcme();
  const retryAfterMs = error instanceof OrderError ? error.retryAfterMs : undefined;
  const dueAt = timeAfter(ctx, orderRetryDelayMs(failures + 1, retryAfterMs));
  const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
  await ctx.db.acmeCertificate.updateMany({
    where: order,
    data: { failures: failures + 1, lastError, dueAt, orderId: null },
  });
  ctx.log.warn({ hosts, reason: lastError, retryAt: dueAt }, 'certificate not issued; retrying');
}

/** The account key of the directory. The first machine creates it for all machines. */
async function readOrCreateAccountKey(ctx: SystemContext, { directoryUrl }: AcmeSettings): Promise<string> {
  const secretContext = secretContextOf('acme-account', directoryUrl);
  const row = await ctx.db.acmeAccount.findUnique({ where: { directoryUrl } });
  const storedKey = row && openSecret(ctx, secretContext, row.keySealed);
  if (row && storedKey === null)
    await ctx.db.acmeAccount.deleteMany({ where: { directoryUrl, keySealed: row.keySealed } });
  if (storedKey) return storedKey;
  const keySealed = ctx.secrets.seal(secretContext, await (await loadAcme()).createAccountKey());
  await ctx.db.acmeAccount.createMany({ data: { directoryUrl, keySealed }, skipDuplicates: true });
  const storedAccount = await ctx.db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl } });
  return ctx.secrets.open(secretContext, storedAccount.keySealed);
}

/** Decrypts a secret; null if it was sealed under another APP_SECRET. */
function openSecret(ctx: SystemContext, secretContext: SecretContext, sealed: Uint8Array): string | null {
  try {
    return ctx.secrets.open(secretContext, sealed);
  } catch {
    return null;
  }
}

/** Stores the answers to HTTP-01 challenges of the ACME server, which may reach any machine. */
const createChallengeStore = ({ db }: SystemContext) => ({
  async present(token: string, keyAuthorization: string) {
    const answer = { keyAuthorization };
    await db.acmeChallenge.upsert({ where: { token }, create: { token, ...answer }, update: answer });
  },
  async remove(token: string) {
    await db.acmeChallenge.deleteMany({ where: { token } });
  },
});

/** Deletes expired certificates of other hosts, and challenges older than a day. */
async function deleteOutdated(ctx: SystemContext, id: string): Promise<void> {
  const expiredCertificates = { id: { not: id }, expiresAt: { lt: ctx.clock.now() } };
  await ctx.db.acmeCertificate.deleteMany({ where: expiredCertificates });
  await ctx.db.acmeChallenge.deleteMany({
    where: { createdAt: { lt: timeAfter(ctx, -CHALLENGE_RETENTION_MS) } },
  });
}

const timeAfter = ({ clock }: SystemContext, ms: number): Date => new Date(clock.now().getTime() + ms);

/** Response to an ACME challenge; null for an unknown token. */
export async function findChallenge({ db }: Context, token: string): Promise<string | null> {
  const row = await db.acmeChallenge.findUnique({ where: { token } });
  return row?.keyAuthorization ?? null;
}

/**
 * State of the certificate; undefined without ACME_EMAIL. `pending`: no certificate was issued yet. `failing`: the last
 * order failed.
 */
export async function readCertificateState({
  db,
  settings: { acme },
}: Context): Promise<'ok' | 'pending' | 'failing' | undefined> {
  if (!acme) return undefined;
  const row = await db.acmeCertificate.findUnique({ where: { id: certificateIdOf(acme) } });
  if (row && row.failures > 0) return 'failing';
  return row?.pemSealed ? 'ok' : 'pending';
}
