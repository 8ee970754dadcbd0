import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '@/lib/domain/context';

/** Source of a token. Revoking the source revokes the token. */
export type TokenSource =
  | { readonly by: 'owner' | 'password' | 'origin' }
  /** A team member in the dashboard, while the membership lasts. The digest is `memberDigest`. */
  | { readonly by: 'member' }
  /** @property keyId id of the signing key */
  | { readonly by: 'jwt'; readonly keyId: string }
  /** @property accessKey access key that the webhook is asked about */
  | { readonly by: 'webhook'; readonly accessKey: string };

/** A token whose signature is valid. `lib/core/access` decides whether it is expired or revoked. */
export type PlaybackTokenClaims = TokenSource & {
  /** `entry` starts a playback. `path` is part of the URLs of a started playback. */
  readonly kind: 'entry' | 'path';
  /** Unix seconds. */
  readonly expiresAt: number;
  /** Digest of the credential that the viewer presented first, in base64url; equal in all tokens derived from it. */
  readonly digest: string;
};

/** Stream, asset or recording that a token grants access to. */
export interface TokenSubject {
  /** Playback id of a stream or an asset, or id of a session. */
  readonly id: string;
  readonly teamId: string;
  /** `playbackPolicyVersion` of the row. */
  readonly version: number;
}

// Tokens contain the positions in these lists, so values are only added at the end.
const kinds = ['entry', 'path'] as const;
const sources = ['owner', 'password', 'origin', 'jwt', 'webhook', 'member'] as const;

/**
 * High bits of the first byte. With them, a token in base64url begins with a letter from Q to X (splitToken in
 * lib/core/access). Bit 4 is the position of the kind, bits 0 to 3 are the position of the source.
 */
const FORMAT_BITS = 0x40;

// Positions and lengths in the binary token, in bytes.
const EXPIRY_OFFSET = 1;
const DIGEST_OFFSET = EXPIRY_OFFSET + 4;
const DIGEST_LENGTH = 9;
const HEADER_LENGTH = DIGEST_OFFSET + DIGEST_LENGTH;
const KEY_ID_LENGTH = 16;
const SIGNATURE_LENGTH = 16;

/** Maximum length of an access key, which becomes part of the path. */
export const MAX_ACCESS_KEY_BYTES = 512;
/** Maximum length of a token in base64url, in characters. */
const MAX_TOKEN_LENGTH = 1_024;

/** Identifies a credential of a viewer, in base64url. */
export const digestOf = (credential: string): string =>
  createHash('sha256').update(credential).digest().subarray(0, DIGEST_LENGTH).toString('base64url');

/** Identifies a JWT by its signed part, because several signatures of the same content are valid. */
export const digestOfJwt = (jwt: string): string => digestOf(jwt.slice(0, jwt.lastIndexOf('.')));

/** Digest of a token without a credential, so that each token can be revoked alone. */
export const createRandomDigest = (): string => randomBytes(DIGEST_LENGTH).toString('base64url');

/**
 * Signs playback tokens under a key derived from APP_SECRET, so that every origin can check them without a database read.
 * A token is base64url of: kind and source (1 byte) · expiry (4) · digest (9) · signing key id (16) or sealed access key,
 * if any · HMAC-SHA-256 over these bytes, the playback id and the policy version, cut to 16 bytes.
 */
export class PlaybackTokens {
  readonly #secrets: Context['secrets'];

  constructor({ secrets }: Pick<Context, 'secrets'>) {
    this.#secrets = secrets;
  }

  /** Signs a token with these claims. */
  issue(subject: TokenSubject, claims: PlaybackTokenClaims): string {
    const head = Buffer.alloc(HEADER_LENGTH);
    head.writeUInt8(FORMAT_BITS | (kinds.indexOf(claims.kind) << 4) | sources.indexOf(claims.by));
    head.writeUInt32BE(claims.expiresAt, EXPIRY_OFFSET);
    head.write(claims.digest, DIGEST_OFFSET, 'base64url');
    const content = Buffer.concat([head, this.#encodeSourceDetail(subject, claims)]);
    const signature = this.#secrets
      .sign(purpose, signedContentOf(subject, content))
      .subarray(0, SIGNATURE_LENGTH);
    return Buffer.concat([content, signature]).toString('base64url');
  }

  /** The claims of a token of this subject; null for any other text. Does not check the expiry. */
  read(subject: TokenSubject, token: string): PlaybackTokenClaims | null {
    // 40 characters of base64url are 30 bytes: the header and the signature.
    if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]{40,}$/.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    // Other encodings of the same token are rejected.
    if (bytes.length < HEADER_LENGTH + SIGNATURE_LENGTH || bytes.toString('base64url') !== token) return null;
    const content = bytes.subarray(0, -SIGNATURE_LENGTH);
    const signature = bytes.subarray(-SIGNATURE_LENGTH);
    const signedContent = signedContentOf(subject, content);
    if (!this.#secrets.verify(purpose, signedContent, signature, SIGNATURE_LENGTH)) return null;
    const kind = kinds[(content.readUInt8() ^ FORMAT_BITS) >> 4];
    const source = this.#readSource(subject, content);
    if (!kind || !source) return null;
    const digest = content.subarray(DIGEST_OFFSET, HEADER_LENGTH).toString('base64url');
    return { ...source, kind, expiresAt: content.readUInt32BE(EXPIRY_OFFSET), digest };
  }

  /** Id of the signing key, sealed access key, or nothing: the bytes after the header. */
  #encodeSourceDetail(subject: TokenSubject, claims: TokenSource): Buffer {
    if (claims.by === 'jwt') return Buffer.from(claims.keyId.replaceAll('-', ''), 'hex');
    if (claims.by === 'webhook') return this.#secrets.seal(secretContextOf(subject), claims.accessKey);
    return Buffer.alloc(0);
  }

  #readSource(subject: TokenSubject, content: Buffer): TokenSource | null {
    const by = sources[content.readUInt8() & 0x0f];
    const detail = content.subarray(HEADER_LENGTH);
    if (by === 'jwt') return detail.length === KEY_ID_LENGTH ? { by, keyId: formatUuid(detail) } : null;
    if (by === 'webhook') return { by, accessKey: this.#secrets.open(secretContextOf(subject), detail) };
    return by ? { by } : null;
  }
}

const purpose = 'playback tokens';

const signedContentOf = ({ id, version }: TokenSubject, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${id} ${version} `), content]);

const secretContextOf = ({ id, teamId }: TokenSubject) => ({ kind: 'access-key', id, teamId }) as const;

function formatUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
