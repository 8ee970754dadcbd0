import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Owner of a secret. A sealed value can be opened only for the same owner. */
export interface SecretOwner {
  readonly kind:
    | 'access-key'
    | 'api-key'
    | 'stream-key'
    | 'srt-passphrase'
    | 'pull-source'
    | 'target-url'
    | 'target-test'
    | 'webhook-secret'
    | 'export-credentials'
    | 'stored-answer'
    | 'source-url'
    | 'acme-account'
    | 'acme-certificate'
    | 'totp-secret'
    | 'totp-setup';
  readonly id: string;
  readonly teamId: string;
}

/** Sealing and fingerprinting of secrets at rest. All keys are derived from APP_SECRET. */
export interface Secrets {
  /** Deterministic HMAC under a secret pepper. Equal secrets have equal fingerprints, for lookups by a unique index. */
  fingerprint(
    kind: 'api-key' | 'stream-key' | 'request' | 'source-url' | 'pull-source',
    secret: string,
  ): Buffer<ArrayBuffer>;
  /** Encrypts with AES-256-GCM and a random nonce: version(1) · nonce(12) · tag(16) · ciphertext. */
  seal(owner: SecretOwner, secret: string): Buffer<ArrayBuffer>;
  /**
   * Decrypts a sealed value.
   * @throws Error if the bytes were changed, belong to another owner or were sealed under another APP_SECRET
   */
  open(owner: SecretOwner, sealed: Uint8Array): string;
  /** HMAC-SHA-256 under a separate key per purpose. */
  sign(purpose: string, content: string | Uint8Array): Buffer<ArrayBuffer>;
  /**
   * Verifies a whole or truncated signature of `content` in constant time.
   * @param signature bytes, or base64url text
   * @param length required number of bytes or characters; absent for a whole signature
   */
  verify(
    purpose: string,
    content: string | Uint8Array,
    signature: string | Uint8Array,
    length?: number,
  ): boolean;
  /** Derives a 32-byte key for another purpose, such as sign-in sessions. */
  derive(purpose: string): Buffer<ArrayBuffer>;
}

const FORMAT_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Derives the keys of the service from its secret.
 * @param appSecret at least 32 characters (APP_SECRET)
 */
export function createSecrets(appSecret: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', appSecret, 'headwater', purpose, 32));
  const sign = createSigner(derive);
  const pepper = derive('fingerprint');
  const sealingKey = derive('seal');
  return {
    derive,
    sign,
    verify(purpose, content, signature, length) {
      const expectedSignature = sign(purpose, content);
      const isText = typeof signature === 'string';
      const expectedMac = (
        isText ? Buffer.from(expectedSignature.toString('base64url')) : expectedSignature
      ).subarray(0, length);
      const givenSignature = isText ? Buffer.from(signature) : signature;
      return givenSignature.length === expectedMac.length && timingSafeEqual(expectedMac, givenSignature);
    },
    fingerprint: (kind, secret) =>
      Buffer.from(createHmac('sha256', pepper).update(`${kind}\0${secret}`).digest()),
    seal(owner, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(additionalData(owner));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT_VERSION]), nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: withCache((owner, sealed) => {
      if (sealed[0] !== FORMAT_VERSION) throw new Error(`A ${owner.kind} is sealed in an unknown format`);
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce)
        .setAAD(additionalData(owner))
        .setAuthTag(tag);
      const plaintext = decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
    }),
  };
}

/** Caches the keys of signatures, because purposes are a few constants. */
function createSigner(derive: Secrets['derive']): Secrets['sign'] {
  const keys = new Map<string, Buffer>();
  return (purpose, content) => {
    const key = keys.get(purpose) ?? derive(purpose);
    keys.set(purpose, key);
    return Buffer.from(createHmac('sha256', key).update(content).digest());
  };
}

/**
 * Caches decrypted stream keys and passphrases, because every list of streams contains them. Other secrets are not cached.
 */
function withCache(open: Secrets['open']): Secrets['open'] {
  const openedSecrets = new LRUCache<string, string>({ max: 1_000 });
  return (owner, sealed) => {
    if (owner.kind !== 'stream-key' && owner.kind !== 'srt-passphrase') return open(owner, sealed);
    const key = `${owner.kind}:${owner.id}:${owner.teamId}:${Buffer.from(sealed).toString('base64')}`;
    const cachedSecret = openedSecrets.get(key);
    if (cachedSecret !== undefined) return cachedSecret;
    const secret = open(owner, sealed);
    openedSecrets.set(key, secret);
    return secret;
  };
}

/** Authenticated data of AES-GCM, which binds a sealed value to its owner. */
function additionalData(owner: SecretOwner): Buffer {
  return Buffer.from(`${owner.kind}:${owner.id}:${owner.teamId}`);
}
