import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** What a secret is and which row holds it. A sealed value can be opened only with the same context. */
export interface SecretContext {
  readonly kind:
    // Key that a viewer sent to an access webhook, in a playback token.
    | 'access-key'
    // Secret with which a program calls the API.
    | 'api-key'
    | 'stream-key'
    | 'srt-passphrase'
    // URL and headers from which a stream is pulled.
    | 'pull-source'
    | 'target-url'
    // Target URL that a node sends to another node, which tests it.
    | 'target-test'
    | 'webhook-secret'
    | 'export-credentials'
    // Response body that is stored for an idempotency key.
    | 'stored-answer'
    // URL from which an asset was imported.
    | 'source-url'
    | 'acme-account'
    | 'acme-certificate'
    | 'totp-secret'
    // TOTP secret that its user has not confirmed yet.
    | 'totp-setup';
  /** Id of the row that holds the secret, or of the object for a secret that is only sent. */
  readonly id: string;
  /** The id of the user for a TOTP secret; empty for a secret of the service. */
  readonly teamId: string;
}

/** Sealing and fingerprinting of secrets at rest. All keys are derived from APP_SECRET. */
export interface Secrets {
  /**
   * Deterministic HMAC of a text under a secret pepper. Equal texts of a kind have equal fingerprints, for lookups by an index
   * and for comparisons.
   * @param kind `request` for the content of a request with an idempotency key; the others are kinds of secrets
   */
  fingerprint(
    kind: 'api-key' | 'stream-key' | 'request' | 'source-url' | 'pull-source',
    text: string,
  ): Buffer<ArrayBuffer>;
  /**
   * Encrypts with AES-256-GCM and a random nonce.
   * @returns version (1 byte, value 1) · nonce (12 bytes) · tag (16 bytes) · ciphertext
   */
  seal(context: SecretContext, secret: string): Buffer<ArrayBuffer>;
  /**
   * Decrypts a sealed value.
   * @throws Error if the bytes were changed, have an unknown format version, were sealed with another context or under another
   * APP_SECRET
   */
  open(context: SecretContext, sealed: Uint8Array): string;
  /**
   * HMAC-SHA-256 under the key that `derive` returns for the purpose. The two share one namespace: a purpose of `sign` must not
   * be a purpose of `derive`.
   */
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
  /** Derives a 32-byte key for a purpose that no other key has, such as sign-in sessions. `fingerprint` and `seal` are taken. */
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
      const wholeSignature = sign(purpose, content);
      const isText = typeof signature === 'string';
      const expectedSignature = (
        isText ? Buffer.from(wholeSignature.toString('base64url')) : wholeSignature
      ).subarray(0, length);
      const givenSignature = isText ? Buffer.from(signature) : signature;
      return (
        givenSignature.length === expectedSignature.length &&
        timingSafeEqual(expectedSignature, givenSignature)
      );
    },
    fingerprint: (kind, text) =>
      Buffer.from(createHmac('sha256', pepper).update(`${kind}\0${text}`).digest()),
    seal(context, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(
        additionalAuthenticatedData(context),
      );
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT_VERSION]), nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: cacheStreamSecrets((context, sealed) => {
      if (sealed[0] !== FORMAT_VERSION) throw new Error(`A ${context.kind} is sealed in an unknown format`);
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce)
        .setAAD(additionalAuthenticatedData(context))
        .setAuthTag(tag);
      const plaintext = decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
    }),
  };
}

/** Derives the key of each purpose once. The cache needs no eviction, because purposes are a few constants. */
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
function cacheStreamSecrets(open: Secrets['open']): Secrets['open'] {
  const openedSecrets = new LRUCache<string, string>({ max: 1_000 });
  return (context, sealed) => {
    if (context.kind !== 'stream-key' && context.kind !== 'srt-passphrase') return open(context, sealed);
    const key = `${context.kind}:${context.id}:${context.teamId}:${Buffer.from(sealed).toString('base64')}`;
    const cachedSecret = openedSecrets.get(key);
    if (cachedSecret !== undefined) return cachedSecret;
    const secret = open(context, sealed);
    openedSecrets.set(key, secret);
    return secret;
  };
}

/** Additional authenticated data (AAD) of AES-GCM: binds a sealed value to its context. */
function additionalAuthenticatedData(context: SecretContext): Buffer {
  return Buffer.from(`${context.kind}:${context.id}:${context.teamId}`);
}
