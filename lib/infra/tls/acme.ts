import { DAY_MS } from '@/lib/core/units';
import { AsyncLocalStorage } from 'node:async_hooks';
import { X509Certificate, webcrypto } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { X509CertificateGenerator } from '@peculiar/x509';
import { Client, axios, crypto } from 'acme-client';
import { readRetryAfter } from '@/lib/core/webhooks/retry-schedule';
import { findPublicTlsProblem } from './certificate-checks';
import { newId } from '../ids';
import type { OperatorSettings } from '../env';
import type { AcmeSettings } from './public-tls-settings';
import { writeDurably } from '../storage/write-durably';

/** The only user of the ACME library (RFC 8555). The operator chooses the server, so no egress rules apply. */

const REQUEST_TIMEOUT_MS = 30_000;
const ORDER_TIMEOUT_MS = 240_000;
/** Poll intervals for an order that the server processes, for less than three minutes in total. */
const pollBackoff = { backoffMin: 1_000, backoffMax: 10_000, backoffAttempts: 20 };
/** Validity of the certificate that is used until the first one is issued. */
const PLACEHOLDER_DAYS = 30;

/** Store for challenges while the ACME server checks them. */
export interface Challenges {
  present(token: string, keyAuthorization: string): Promise<void>;
  remove(token: string): Promise<void>;
}

/** Certificate chain and key in one text, so that a file with both can be replaced atomically. */
export interface IssuedCertificate {
  readonly pem: string;
  /** Start and end of its validity, in Unix milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** An order failed: the ACME server rejected it or did not respond in time. */
export class OrderError extends Error {
  override readonly name = 'OrderError';

  constructor(
    cause: unknown,
    readonly retryAfterMs: number | undefined,
  ) {
    super(messageOf(cause), { cause });
  }
}

// The library would wait for any Retry-After time, and hides connection errors. Therefore its interceptors are removed, and
// failed orders are repeated by lib/core/net/certificate-renewal.ts.
const orderResponses = new AsyncLocalStorage<{ retryAfterMs?: number | undefined }>();
axios.defaults.timeout = REQUEST_TIMEOUT_MS;
axios.interceptors.request.clear();
axios.interceptors.response.clear();
axios.interceptors.response.use((response) => {
  const orderResponse = orderResponses.getStore();
  const header: unknown = response.headers['retry-after'];
  if (orderResponse && response.status >= 400 && typeof header === 'string')
    orderResponse.retryAfterMs = readRetryAfter(header, Date.now());
  return response;
});

export async function createAccountKey(): Promise<string> {
  return (await crypto.createPrivateEcdsaKey('P-256')).toString();
}

/**
 * Orders a certificate by HTTP-01, with a new key. Registers the account if the server does not know its key.
 * @throws OrderError, or the signal's reason
 */
export async function orderCertificate(
  { directoryUrl, email, hosts }: AcmeSettings,
  accountKey: string,
  challenges: Challenges,
  signal: AbortSignal,
): Promise<IssuedCertificate> {
  const lastResponse: { retryAfterMs?: number | undefined } = {};
  const client = new Client({ directoryUrl, accountKey, ...pollBackoff });
  const order = async (): Promise<IssuedCertificate> => {
    const [key, csr] = await crypto.createCsr(
      { altNames: [...hosts] },
      await crypto.createPrivateEcdsaKey('P-256'),
    );
    const chain = await client.auto({
      csr,
      email,
      termsOfServiceAgreed: true,
      challengePriority: ['http-01'],
      // The public URL is often unreachable from inside the network.
      skipChallengeVerification: true,
      challengeCreateFn: (_authorization, { token }, keyAuthorization) =>
        challenges.present(token, keyAuthorization),
      challengeRemoveFn: (_authorization, { token }) => challenges.remove(token),
    });
    const { validFrom, validTo } = new X509Certificate(chain);
    const [notBefore, notAfter] = [Date.parse(validFrom), Date.parse(validTo)];
    return { pem: `${chain.trim()}\n${key.toString().trim()}\n`, notBefore, notAfter };
  };
  try {
    const cancellation = rejectOnAbort(AbortSignal.any([signal, AbortSignal.timeout(ORDER_TIMEOUT_MS)]));
    return await Promise.race([orderResponses.run(lastResponse, order), cancellation]);
  } catch (error) {
    signal.throwIfAborted();
    throw new OrderError(error, lastResponse.retryAfterMs);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** Message of an error. Failed connections to several addresses have a code but no message. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

/** Replaces the file atomically, readable by its owner only, unless it already has this content. */
export async function replaceCertificateFile(file: string, pem: string): Promise<void> {
  const currentPem = await readFile(file, 'utf8').catch(() => null);
  if (currentPem === pem) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${newId()}`;
  try {
    await writeDurably(temporaryFile, Buffer.from(pem), undefined, 0o600);
    await rename(temporaryFile, file);
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

/**
 * Writes a self-signed certificate, which the processes present until the first certificate is issued.
 * @returns whether it was written; false without ACME, or if there was a usable certificate
 */
export async function writePlaceholder(
  settings: Pick<OperatorSettings, 'acme' | 'publicTls'>,
): Promise<boolean> {
  const { acme, publicTls } = settings;
  if (!acme || !publicTls || findPublicTlsProblem(settings) === null) return false;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [now, lifetimeMs] = [Date.now(), PLACEHOLDER_DAYS * DAY_MS];
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=Headwater placeholder',
      keys,
      signingAlgorithm: algorithm,
      notBefore: new Date(now),
      notAfter: new Date(now + lifetimeMs),
    },
    webcrypto as Crypto,
  );
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const keyPem = `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{1,64}/g, '$&\n')}-----END PRIVATE KEY-----\n`;
  await replaceCertificateFile(publicTls.cert, `${certificate.toString('pem')}\n${keyPem}`);
  return true;
}
